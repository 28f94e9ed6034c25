// Package recovered reads recoveries again that were written as GeoPackage,
// GeoJSON or CSV, on the network that they were made on.
package recovered

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Read reads the recoveries in a file, in the order in which they stand there.
// A GeoPackage or GeoJSON file gives ticks, parts and spans, and the doubts and
// alternatives that it has; a CSV file of points gives ticks alone. Matches and
// warnings are not in these files: samples are numbered by the ticks that were
// observed. An error names the file and what is wrong: above all, that it was
// recovered on another network.
func Read(ctx context.Context, path string, net *roadnet.Network) ([]*trajectory.Recovery, error) {
	d := &drafts{net: net, index: map[string]*draft{}}
	var err error
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gpkg":
		err = readGeoPackage(ctx, path, d)
	case ".geojson", ".json":
		err = readGeoJSON(ctx, path, d)
	case ".csv":
		err = readCSV(ctx, path, d)
	default:
		err = fmt.Errorf("recoveries are read from .gpkg, .geojson and .csv")
	}
	if err == nil {
		err = d.finish()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d.all, nil
}

// feature is one row of a layer.
type feature struct {
	layer    string // points, path, spans, gaps or alternatives
	values   map[string]any
	geometry []roadnet.Point
}

// drafts are recoveries while their rows are read.
type drafts struct {
	net   *roadnet.Network
	index map[string]*draft
	all   []*trajectory.Recovery
	made  trajectory.Provenance // as the file says
}

// draft is one recovery while its rows are read. Spans, gaps and alternatives wait for
// the parts and ticks.
type draft struct {
	*trajectory.Recovery
	begins, ends []int64 // of the parts
	spans        []feature
	gaps, others []feature
}

// onRoad is how far a point may lie from where its segment says, metres: points
// are written with 7 digits.
const onRoad = 0.1

// about takes what a file says of where it comes from.
func (d *drafts) about(name, value string) error {
	switch name {
	case "network_fingerprint":
		if value != d.net.Info().Fingerprint {
			return fmt.Errorf("it was recovered on another network, or on another state of it")
		}
	case "network":
		d.made.Network = value
	case "method":
		d.made.Method = value
	case "model":
		d.made.Model = value
	case "settings":
		d.made.Settings = value
	case "generator":
		d.made.Version = strings.TrimPrefix(value, "Retrace ")
	}
	return nil
}

// add takes one row.
func (d *drafts) add(f feature) error {
	id, _ := f.values["trajectory"].(string)
	r := d.index[id]
	if r == nil {
		r = &draft{Recovery: &trajectory.Recovery{Trajectory: id}}
		d.index[id] = r
		d.all = append(d.all, r.Recovery)
	}
	switch f.layer {
	case "points":
		t, err := d.tick(f)
		if err != nil {
			return fmt.Errorf("trajectory %s: %w", id, err)
		}
		r.Ticks = append(r.Ticks, t)
	case "path":
		p, err := trace(d.net, f.geometry)
		if err != nil {
			return fmt.Errorf("path of trajectory %s: %w", id, err)
		}
		r.Parts = append(r.Parts, p)
		r.begins, r.ends = append(r.begins, f.instant("begin_time")), append(r.ends, f.instant("end_time"))
	case "spans":
		r.spans = append(r.spans, f)
	case "gaps":
		r.gaps = append(r.gaps, f)
	case "alternatives":
		r.others = append(r.others, f)
	}
	return nil
}

// tick reads a recovered instant.
func (d *drafts) tick(f feature) (trajectory.Tick, error) {
	segment := f.number("segment")
	if !(segment >= 0 && segment < float64(d.net.NumSegments())) || len(f.geometry) == 0 {
		return trajectory.Tick{}, fmt.Errorf("a point names no segment of this network")
	}
	at := f.geometry[0]
	t := trajectory.Tick{Time: f.instant("time"), Lon: at.Lon, Lat: at.Lat, Observed: f.number("observed") == 1,
		At:          roadnet.Position{Segment: roadnet.SegmentID(segment), Ratio: f.number("ratio")},
		Probability: float32(f.number("probability")), Layer: int8(f.number("layer")), Margin: 1}
	if off := metres(at, d.net.At(t.At)); !(off < onRoad+1e-6*d.net.Length(t.At.Segment)) {
		return t, fmt.Errorf("a point lies %.1f m from its segment: it was recovered on another network", off)
	}
	word := f.word("deck")
	if strings.HasSuffix(word, "?") {
		t.Margin = 0
	}
	t.Deck = deckOf(strings.TrimSuffix(word, "?"))
	return t, nil
}

// deckOf is the deck that a word names.
func deckOf(word string) trajectory.Deck {
	for _, d := range []trajectory.Deck{trajectory.OnDeck, trajectory.Below, trajectory.Tunnel} {
		if d.String() == word {
			return d
		}
	}
	return trajectory.Ground
}

// finish puts ticks and spans onto their parts.
func (d *drafts) finish() error {
	d.made.Fingerprint = d.net.Info().Fingerprint
	for _, r := range d.all {
		r.Provenance = d.made
		draft := d.index[r.Trajectory]
		draft.place(d.net)
		for _, f := range draft.spans {
			s, err := draft.span(d.net, f)
			if err != nil {
				return fmt.Errorf("span of trajectory %s: %w", r.Trajectory, err)
			}
			r.Spans = append(r.Spans, s)
		}
		if err := draft.doubt(d.net); err != nil {
			return fmt.Errorf("another path of trajectory %s: %w", r.Trajectory, err)
		}
	}
	if len(d.all) == 0 {
		return fmt.Errorf("there are no recoveries in it")
	}
	return nil
}

// place finds the part of each tick and how far along it lies.
func (r *draft) place(net *roadnet.Network) {
	var way *ruler
	part := -1
	for i := range r.Ticks {
		t := &r.Ticks[i]
		for k := max(part, 0); k < len(r.Parts); k++ {
			if t.Time >= r.begins[k] && t.Time <= r.ends[k] {
				if k != part {
					part, way = k, newRuler(net, r.Parts[k])
				}
				t.Part = int32(k)
				t.Along = way.next(t.At)
				break
			}
		}
	}
}

// span reads a stretch on or below an elevated road.
func (r *draft) span(net *roadnet.Network, f feature) (trajectory.Span, error) {
	s := trajectory.Span{Enter: f.instant("enter_time"), Exit: f.instant("exit_time"), Road: f.word("road"), RunnerUp: f.word("runner_up"),
		Probability: float32(f.number("probability")), Kind: deckOf(f.word("kind")), Margin: 1}
	line, err := trace(net, f.geometry)
	if err != nil {
		return s, err
	}
	for k, p := range r.Parts {
		if s.Enter < r.begins[k]-1000 || s.Enter > r.ends[k]+1000 {
			continue
		}
		way := newRuler(net, p)
		way.skipTo(r.alongAt(k, s.Enter) - slack)
		s.Part = int32(k)
		s.From = way.next(roadnet.Position{Segment: line.Segments[0], Ratio: line.StartRatio})
		s.To = s.From + f.number("length_m")
	}
	return s, nil
}

// slack is how far ahead of its time a place is looked for, metres.
const slack = 500

// alongAt is about how far along a part the vehicle was at an instant.
func (r *draft) alongAt(part int, at int64) float64 {
	along := 0.0
	for _, t := range r.Ticks {
		if int(t.Part) == part && t.Time <= at {
			along = t.Along
		}
	}
	return along
}

// number is a value as a number; NaN where it is none.
func (f feature) number(name string) float64 {
	switch v := f.values[name].(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	}
	return math.NaN()
}

func (f feature) word(name string) string {
	s, _ := f.values[name].(string)
	return s
}

// instant is a value as Unix milliseconds.
func (f feature) instant(name string) int64 {
	switch v := f.values[name].(type) {
	case time.Time:
		return v.UnixMilli()
	case string:
		t, err := time.Parse(time.RFC3339, v)
		if err == nil {
			return t.UnixMilli()
		}
	}
	return 0
}

// metres is the distance between two near points.
func metres(a, b roadnet.Point) float64 {
	const perDegree = math.Pi / 180 * 6371008.8
	return math.Hypot((a.Lon-b.Lon)*math.Cos(a.Lat*math.Pi/180), a.Lat-b.Lat) * perDegree
}
