package command

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/internal/sheet"
)

// pinReach is how far from its point a pinned road may lie, metres.
const pinReach = 2000

// pins are what a file says of single points.
type pins struct {
	net  *roadnet.Network
	path string
	of   func(*trajectory.Trajectory) []engine.Pin // nil: there are none
	rows map[string][]*pinRow                      // by trajectory
}

// pinRow is one line of a pins file.
type pinRow struct {
	line   int
	time   int64
	piece  roadnet.Piece
	forbid bool
	reason string // why it could not be used; empty once it was
}

// readPins reads a pins file; an empty path stands for none.
func readPins(ctx context.Context, path string, net *roadnet.Network) (*pins, error) {
	p := &pins{net: net, path: path, rows: map[string][]*pinRow{}}
	if path == "" {
		return p, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: the header cannot be read: %w", path, err)
	}
	at := map[string]int{}
	for i, name := range header {
		at[strings.TrimPrefix(name, "\ufeff")] = i
	}
	for _, name := range []string{"trajectory", "time", "way", "from_node", "to_node"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("%s: there is no column %s", path, name)
		}
	}
	for ctx.Err() == nil {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, _ := r.FieldPos(0)
		if err := p.add(row, at, line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
	p.of = p.pinsOf
	return p, ctx.Err()
}

func (p *pins) add(row []string, at map[string]int, line int) error {
	when, err := time.Parse(time.RFC3339, row[at["time"]])
	if err != nil {
		return fmt.Errorf("the time %q is not written as 2024-01-02T08:00:00Z", row[at["time"]])
	}
	pin := &pinRow{line: line, time: when.UnixMilli(), reason: "no such trajectory was read"}
	for name, v := range map[string]*int64{"way": &pin.piece.Way, "from_node": &pin.piece.FromNode, "to_node": &pin.piece.ToNode} {
		if *v, err = strconv.ParseInt(row[at[name]], 10, 64); err != nil {
			return fmt.Errorf("the %s %q is no id", name, row[at[name]])
		}
	}
	if i, ok := at["forbid"]; ok {
		pin.forbid = row[i] == "1"
	}
	id := sheet.Text(row[at["trajectory"]])
	p.rows[id] = append(p.rows[id], pin)
	return nil
}

// pinsOf are the pins of a trajectory's points. Each trajectory is asked for
// once; different ones at once.
func (p *pins) pinsOf(t *trajectory.Trajectory) []engine.Pin {
	var all []engine.Pin
	for _, row := range p.rows[t.ID] {
		row.reason = "the trajectory has no point at this time"
		for i, s := range t.Samples {
			if s.Time != row.time {
				continue
			}
			id, ok := p.segment(roadnet.Point{Lon: s.Lon, Lat: s.Lat}, row.piece)
			if !ok {
				row.reason = fmt.Sprintf("within %d m of the point there is no piece of way %d from node %d to node %d",
					pinReach, row.piece.Way, row.piece.FromNode, row.piece.ToNode)
				break
			}
			row.reason = ""
			all = append(all, engine.Pin{Sample: i, Segment: id, Forbid: row.forbid})
			break
		}
	}
	return all
}

// segment finds the segment that a piece belongs to.
func (p *pins) segment(at roadnet.Point, piece roadnet.Piece) (roadnet.SegmentID, bool) {
	var vertices []roadnet.Vertex
	for _, hit := range p.net.Near(at, pinReach, nil) {
		line, _ := p.net.LineOf(hit.Segment)
		if p.net.LineWay(line) != piece.Way {
			continue
		}
		vertices = p.net.Vertices(hit.Segment, vertices[:0])
		for i := 1; i < len(vertices); i++ {
			if vertices[i-1].OSM == piece.FromNode && vertices[i].OSM == piece.ToNode {
				return hit.Segment, true
			}
		}
	}
	return 0, false
}

// missing names the pins that could not be used.
func (p *pins) missing() []string {
	var all []string
	for id, rows := range p.rows {
		for _, row := range rows {
			if row.reason != "" {
				all = append(all, fmt.Sprintf("%s:%d: the pin of trajectory %s was not used: %s", p.path, row.line, id, row.reason))
			}
		}
	}
	return all
}
