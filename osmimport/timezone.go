package osmimport

import (
	"errors"
	"math"

	"github.com/ringsaturn/tzf"
	tzfrellite "github.com/ringsaturn/tzf-rel-lite"
	pb "github.com/ringsaturn/tzf/gen/go/tzf/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"retrace/engine/roadnet"
)

// timeZone is the IANA name of the time zone at a place.
//
// A finder over the whole world costs 100 MB and half a second, for one
// question. So the library's data is walked here: its index of tiles first,
// which answers most places, then the borders of the zones near enough, then
// those of all others.
func timeZone(p roadnet.Point) (string, error) {
	distance, err := zoneDistances(p)
	if err != nil {
		return "", err
	}
	var here []string
	for name, d := range distance {
		if d == 0 {
			here = append(here, name)
		}
	}
	if len(here) == 1 {
		return here[0], nil
	}
	near := func(name string) bool {
		d, ok := distance[name]
		return !ok || d <= zoneReach // the smallest zones fill no tile
	}
	if zone, err := zoneByPolygon(p, near); zone != "" || err != nil {
		return zone, err
	}
	return zoneByPolygon(p, func(name string) bool { return !near(name) })
}

// tile is a tile of the usual map grid.
type tile struct{ x, y, z int }

// tileAt is the tile of a place.
func tileAt(p roadnet.Point, zoom int) tile {
	n := math.Exp2(float64(zoom))
	lat := max(-85.05, min(85.05, p.Lat)) * math.Pi / 180
	x := int((p.Lon + 180) / 360 * n)
	y := int((1 - math.Asinh(math.Tan(lat))/math.Pi) / 2 * n)
	return tile{min(x, int(n)-1), min(y, int(n)-1), zoom}
}

// zoneReach is how far away the tiles of a zone may be, in tiles of about 5 km,
// for its border to be looked at first.
const zoneReach = 64

// zoneDistances is how far a place lies from the nearest tile of each zone, in
// tiles of the finest kind; 0 where it lies on one.
func zoneDistances(p roadnet.Point) (map[string]int, error) {
	zoom, err := finestZoom()
	if err != nil {
		return nil, err
	}
	at := tileAt(p, zoom)
	distance := map[string]int{}
	last, least := "", 0 // the entries of a zone mostly stand together
	err = eachField(tzfrellite.PreindexData, func(num protowire.Number, v fieldValue) error {
		if num != 3 {
			return nil
		}
		t, name, err := parseZoneTile(v.bytes)
		if err != nil || t.z > zoom {
			return err
		}
		d := max(outside(at.x, t.x, zoom-t.z), outside(at.y, t.y, zoom-t.z))
		if string(name) == last && d >= least {
			return nil
		}
		last, least = string(name), d
		if have, ok := distance[last]; ok {
			least = min(have, d)
		}
		distance[last] = least
		return nil
	})
	return distance, err
}

// outside is how far x lies outside the range of a tile that is larger by the
// given number of zooms.
func outside(x, tile, zooms int) int {
	lo, hi := tile<<zooms, (tile+1)<<zooms-1
	return max(lo-x, x-hi, 0)
}

// finestZoom is the zoom of the smallest tiles in the index.
func finestZoom() (zoom int, err error) {
	err = eachField(tzfrellite.PreindexData, func(num protowire.Number, v fieldValue) error {
		if num == 1 {
			zoom = int(v.number)
		}
		return nil
	})
	if err == nil && (zoom < 1 || zoom > 20) {
		err = errors.New("the index of time zones is not understood")
	}
	return zoom, err
}

// parseZoneTile reads one entry of the index; there are a hundred thousand.
func parseZoneTile(data []byte) (t tile, name []byte, err error) {
	for len(data) > 0 {
		num, typ, n := protowire.ConsumeTag(data)
		if n < 0 {
			return t, nil, protowire.ParseError(n)
		}
		data = data[n:]
		if typ == protowire.BytesType {
			name, n = protowire.ConsumeBytes(data)
		} else {
			var v uint64
			v, n = protowire.ConsumeVarint(data)
			switch num {
			case 2:
				t.x = int(v)
			case 3:
				t.y = int(v)
			case 4:
				t.z = int(v)
			}
		}
		if n < 0 {
			return t, nil, protowire.ParseError(n)
		}
		data = data[n:]
	}
	return t, name, nil
}

// errZoneFound ends a walk.
var errZoneFound = errors.New("found")

// zoneByPolygon looks at the borders of the wanted zones.
func zoneByPolygon(p roadnet.Point, want func(name string) bool) (zone string, err error) {
	err = eachField(tzfrellite.LiteCompressData, func(num protowire.Number, v fieldValue) error {
		if num != 2 || !want(zoneName(v.bytes)) {
			return nil
		}
		var item pb.CompressedTimezone
		if err := proto.Unmarshal(v.bytes, &item); err != nil {
			return err
		}
		one := &pb.CompressedTimezones{Method: pb.CompressMethod_COMPRESS_METHOD_POLYLINE, Timezones: []*pb.CompressedTimezone{&item}}
		finder, err := tzf.NewFinderFromCompressed(one, tzf.SetDropPBTZ)
		if err != nil {
			return err
		}
		if zone = finder.GetTimezoneName(p.Lon, p.Lat); zone != "" {
			return errZoneFound
		}
		return nil
	})
	if err == errZoneFound {
		err = nil
	}
	return zone, err
}

// zoneName is the name of an encoded zone.
func zoneName(zone []byte) (name string) {
	eachField(zone, func(num protowire.Number, v fieldValue) error {
		if num == 2 {
			name = string(v.bytes)
		}
		return nil
	})
	return name
}
