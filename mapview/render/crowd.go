package render

import (
	"math/bits"
	"sync"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// Kept is a trip whose points are read when it is drawn. Where many such trips are in
// view, their sketches are drawn instead.
type Kept struct {
	ID      string
	Journey Journey
	Finding Finding // nil: not recovered
	Points  Sketch  // of the input points
	Path    Sketch  // of the recovered path
}

// Journey reads a trajectory, on any goroutine.
type Journey interface {
	Trajectory() *trajectory.Trajectory
}

// Finding reads a recovery, on any goroutine.
type Finding interface {
	Recovery() *trajectory.Recovery
	Provenance() trajectory.Provenance
}

// Sketch is a line in few points, or some points. An empty place is a break.
type Sketch struct {
	places []place
	box    extent
}

// sketchShare is by how much of its extent a sketch may miss the line.
const sketchShare = 200

// SketchLine is a sketch of unbroken lines.
func SketchLine(parts ...[]roadnet.Point) Sketch {
	s := Sketch{box: nowhere}
	var lines [][]place
	for _, pts := range parts {
		line := make([]place, 0, len(pts))
		for _, p := range pts {
			at := placeOf(roadnet.CoordOf(p))
			s.box = s.box.with(at)
			if n := len(line); n == 0 || line[n-1] != at {
				line = append(line, at)
			}
		}
		lines = append(lines, line)
	}
	least := uint8(bits.Len32(s.box.size() / sketchShare))
	for i, line := range lines {
		if i > 0 {
			s.places = append(s.places, place{})
		}
		detail := make([]uint8, len(line))
		weigh(line, detail, false)
		for k, p := range line {
			if k == 0 || k == len(line)-1 || detail[k] >= least {
				s.places = append(s.places, p)
			}
		}
	}
	s.places = append(make([]place, 0, len(s.places)), s.places...)
	if len(s.places) > 0 {
		s.box = s.box.grown(s.box.size() / 16) // the path between two points leads farther out
	}
	return s
}

// mostDots is how many points a sketch of points has at the most.
const mostDots = 12

// SketchPoints is a sketch of points, of which the first and the last are among those
// that it has.
func SketchPoints(points []roadnet.Point) Sketch {
	s := Sketch{box: nowhere}
	for _, p := range points {
		s.box = s.box.with(placeOf(roadnet.CoordOf(p)))
	}
	n := min(len(points), mostDots)
	s.places = make([]place, n)
	for i := range s.places {
		s.places[i] = placeOf(roadnet.CoordOf(points[i*(len(points)-1)/max(1, n-1)]))
	}
	return s
}

// farTrack is a trip that is read when it is drawn.
type farTrack struct {
	*Kept
	name string
	box  extent
	made uint64 // as of a track
}

func newFarTrack(t Trip, made uint64) farTrack {
	return farTrack{Kept: t.Kept, name: t.Name, box: t.Kept.Points.box.union(t.Kept.Path.box), made: made}
}

// same reports whether a trip is drawn as this one.
func (f *farTrack) same(t Trip) bool {
	return f.name == t.Name && f.Journey == t.Kept.Journey && f.Finding == t.Kept.Finding
}

// mostRead is how many trips are read to be drawn at once; with more in view they are
// sketched. As many are held for the next time, twice over.
const mostRead = 300

// readTracks holds the trips that were read last.
type readTracks struct {
	mu    sync.Mutex
	byID  map[string]*track
	order []string
}

// read is a trip that is read, made ready to be drawn.
func (ts *Tracks) read(f *farTrack) *track {
	r := ts.reads
	r.mu.Lock()
	t := r.byID[f.ID]
	r.mu.Unlock()
	if t != nil && t.made == f.made {
		return t
	}
	trip := Trip{Name: f.name, Trajectory: f.Journey.Trajectory()}
	if f.Finding != nil {
		trip.Recovery = f.Finding.Recovery()
	}
	made := newTrack(ts.net, trip)
	made.made = f.made
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID[f.ID] == nil {
		r.order = append(r.order, f.ID)
	}
	r.byID[f.ID] = &made
	for len(r.order) > 2*mostRead {
		delete(r.byID, r.order[0])
		r.order = r.order[1:]
	}
	return &made
}

// farInView lists the trips that are not held and meet the view, but for the front one.
func (p *tripPainter) farInView(front *track) []*farTrack {
	var in []*farTrack
	for i := range p.ts.far {
		f := &p.ts.far[i]
		if f.box.meets(p.v.view) && (front == nil || f.ID != front.id) {
			in = append(in, f)
		}
	}
	return in
}

// sketchedAtOnce is how many lines are stroked in one go.
const sketchedAtOnce = 500

// sketches draws trips by their sketches: paths in one colour, input points as dots.
func (p *tripPainter) sketches(all []*farTrack) {
	if p.v.layers.Has(LayerPath) {
		p.sketchPaths(all)
	}
	if !p.v.layers.Has(LayerInput) {
		return
	}
	for _, f := range all {
		if f.Finding != nil && p.v.zoom < crowdZoom {
			continue // of so many paths the points tell nothing
		}
		for _, at := range f.Points.places {
			p.sample(p.v.at(at), trajectory.Matched, true)
		}
	}
}

func (p *tripPainter) sketchPaths(all []*farTrack) {
	s := stroke{width: p.px(pathWidth * p.size), color: p.v.theme.Path}
	p.plain.reset()
	for i, f := range all {
		f.Path.lines(&p.plain, &p.v.frame)
		if i%sketchedAtOnce == sketchedAtOnce-1 || i == len(all)-1 {
			p.c.stroke(&p.plain, s)
			p.plain.reset()
		}
	}
}

// lines appends the lines of a sketch.
func (s Sketch) lines(dst *lines, f *frame) {
	last := place{}
	for _, at := range s.places {
		if at == (place{}) || last != (place{}) && acrossMeridian(last, at) {
			dst.end()
		}
		if last = at; at != (place{}) {
			dst.move(f.at(at))
		}
	}
	dst.end()
}

// farTracks finds the trips near the pointer that are not held: read where they are few,
// else by their sketches.
func (h *hitter) farTracks(ts *Tracks, front *track) {
	at := placeOf(roadnet.CoordOf(h.place))
	near := extent{at.X, at.Y, at.X, at.Y}.grown(uint32(float64(h.v.px(pointReach)) / h.v.frame.scale))
	var in []*farTrack
	for i := range ts.far {
		if f := &ts.far[i]; f.box.meets(near) && (front == nil || f.ID != front.id) {
			in = append(in, f)
		}
	}
	if len(in) <= mostRead {
		for _, f := range in {
			h.track(ts.read(f), false)
		}
		return
	}
	for _, f := range in {
		h.sketch(f)
	}
}

func (h *hitter) sketch(f *farTrack) {
	best := float64(h.v.px(pathReach))
	found := false
	for i := 1; i < len(f.Path.places) && h.layers.Has(LayerPath); i++ {
		a, b := f.Path.places[i-1], f.Path.places[i]
		if a == (place{}) || b == (place{}) || acrossMeridian(a, b) {
			continue
		}
		if d, _ := nearOn(h.v.at(a), h.v.at(b), h.at); d < best {
			best, found = d, true
		}
	}
	if found {
		h.add(Item{Kind: TripItem, Trip: f.ID}, 13, best)
	}
}
