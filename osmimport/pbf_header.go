package osmimport

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"retrace/engine/roadnet"
)

const adviceHeader = "write the file again as a plain snapshot, e.g. with osmium cat or osmium time-filter"

// pbfHeader is what the header of a PBF file states.
type pbfHeader struct {
	box    *roadnet.Bounds
	writer string
	date   string // ISO 8601
}

// parse reads an OSMHeader block.
func (h *pbfHeader) parse(data []byte) error {
	return eachField(data, func(num protowire.Number, v fieldValue) error {
		switch num {
		case 1:
			return h.parseBox(v.bytes)
		case 4:
			return checkFeature(string(v.bytes))
		case 16:
			h.writer = string(v.bytes)
		case 32:
			if t := time.Unix(int64(v.number), 0).UTC(); t.Year() > 2003 && t.Year() < 2200 {
				h.date = t.Format(time.RFC3339)
			}
		}
		return nil
	})
}

// checkFeature refuses what a reader must know and this one does not.
func checkFeature(name string) error {
	switch name {
	case "OsmSchema-V0.6", "DenseNodes":
		return nil
	case "HistoricalInformation":
		return fmt.Errorf("a history of the map, not the map at one time")
	}
	return fmt.Errorf("the file needs %q, which is not known here", name)
}

// parseBox reads the box of the header, in nanodegrees.
func (h *pbfHeader) parseBox(data []byte) error {
	var box roadnet.Bounds
	err := eachField(data, func(num protowire.Number, v fieldValue) error {
		d := float64(protowire.DecodeZigZag(v.number)) * 1e-9
		switch num {
		case 1:
			box.MinLon = d
		case 2:
			box.MaxLon = d
		case 3:
			box.MaxLat = d
		case 4:
			box.MinLat = d
		}
		return nil
	})
	if err == nil {
		h.box = &box
	}
	return err
}
