package state

import (
	"sync"
	"unique"
	"weak"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
)

// loose is something that is either held in memory or read where it is wanted. While
// anyone holds what was read, all get the same.
type loose[T any] struct {
	mu    sync.Mutex
	whole *T              // held; nil: it is in the workspace
	seen  weak.Pointer[T] // as it was read last
	shelf *Shelf          // where it is read; nil: it is held
}

// get is the thing, read where it is not held.
func (l *loose[T]) get(read func(*Shelf) *T) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.whole != nil {
		return l.whole
	}
	if t := l.seen.Value(); t != nil {
		return t
	}
	t := read(l.shelf)
	l.seen = weak.Make(t)
	return t
}

// keep holds the thing from now on.
func (l *loose[T]) keep(read func(*Shelf) *T) {
	t := l.get(read)
	l.mu.Lock()
	l.whole = t
	l.mu.Unlock()
}

// letGo holds the thing no more, now that a shelf reads it; false where it is not what is
// held.
func (l *loose[T]) letGo(written *T, shelf *Shelf) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.whole == nil || l.whole != written {
		return false
	}
	l.whole, l.seen, l.shelf = nil, weak.Make(written), shelf
	return true
}

// Journey is a trajectory: what lists say of it, and its samples where they are held.
type Journey struct {
	loose[trajectory.Trajectory]
	id              string
	vehicle, source unique.Handle[string]
	facts           Facts
	bounds          roadnet.Bounds // of the samples
	sketch          render.Sketch
}

// NewJourney is a trajectory that is held.
func NewJourney(t *trajectory.Trajectory) *Journey {
	j := &Journey{id: t.ID, vehicle: unique.Make(t.Vehicle), source: unique.Make(t.Source), facts: facts.Of(t), bounds: boundsOf(t.Samples), sketch: sketchOf(t.Samples)}
	j.whole = t
	return j
}

// StoredJourney is a trajectory that the workspace holds, where a shelf reads it.
func StoredJourney(t *trajectory.Trajectory, shelf *Shelf) *Journey {
	j := NewJourney(t)
	j.whole, j.shelf = nil, shelf
	return j
}

// ID tells the trip from all others.
func (j *Journey) ID() string { return j.id }

// Source is the file that it was read from.
func (j *Journey) Source() string { return j.source.Value() }

// Points is how many samples there are.
func (j *Journey) Points() int { return j.facts.Points }

// Trajectory is the whole trajectory. It may be called from any goroutine.
func (j *Journey) Trajectory() *trajectory.Trajectory { return j.get(j.read) }

func (j *Journey) read(s *Shelf) *trajectory.Trajectory { return s.trajectory(j.id) }

func boundsOf(samples []trajectory.Sample) roadnet.Bounds {
	b := roadnet.Bounds{}
	for i, s := range samples {
		b = widened(b, i == 0, s.Lon, s.Lat)
	}
	return b
}

func sketchOf(samples []trajectory.Sample) render.Sketch {
	points := make([]roadnet.Point, len(samples))
	for i, s := range samples {
		points[i] = roadnet.Point{Lon: s.Lon, Lat: s.Lat}
	}
	return render.SketchPoints(points)
}

// sketchOfTicks is a line from tick to tick, broken where the path is.
func sketchOfTicks(ticks []trajectory.Tick) render.Sketch {
	var parts [][]roadnet.Point
	for i, k := range ticks {
		if i == 0 || ticks[i-1].Part != k.Part {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], roadnet.Point{Lon: k.Lon, Lat: k.Lat})
	}
	return render.SketchLine(parts...)
}

// widened is a box with a point more, or of a first point alone.
func widened(b roadnet.Bounds, first bool, lon, lat float64) roadnet.Bounds {
	if first {
		return roadnet.Bounds{MinLon: lon, MinLat: lat, MaxLon: lon, MaxLat: lat}
	}
	return roadnet.Bounds{MinLon: min(b.MinLon, lon), MinLat: min(b.MinLat, lat), MaxLon: max(b.MaxLon, lon), MaxLat: max(b.MaxLat, lat)}
}

// Finding is a recovery: what lists say of it, and all of it where it is held. Another
// recovery of the same trip is another Finding.
type Finding struct {
	loose[trajectory.Recovery]
	id     string
	made   unique.Handle[trajectory.Provenance]
	facts  Facts // of the recovery alone
	doubts []facts.Doubt
	spans  []trajectory.Span
	bounds roadnet.Bounds // of the ticks
	empty  bool           // it has no ticks
	sketch render.Sketch
}

// NewFinding is a recovery that is held.
func NewFinding(r *trajectory.Recovery) *Finding {
	f := &Finding{id: r.Trajectory, made: unique.Make(r.Provenance), doubts: facts.Doubts(r), spans: r.Spans, empty: len(r.Ticks) == 0, sketch: sketchOfTicks(r.Ticks)}
	f.whole = r
	f.facts.AddRecovery(r)
	for i, k := range r.Ticks {
		f.bounds = widened(f.bounds, i == 0, k.Lon, k.Lat)
	}
	return f
}

// StoredFinding is a recovery that the workspace holds, where a shelf reads it.
func StoredFinding(r *trajectory.Recovery, shelf *Shelf) *Finding {
	f := NewFinding(r)
	f.whole, f.shelf = nil, shelf
	return f
}

// Recovery is the whole recovery. It may be called from any goroutine.
func (f *Finding) Recovery() *trajectory.Recovery { return f.get(f.read) }

// Provenance says how it was made.
func (f *Finding) Provenance() trajectory.Provenance { return f.made.Value() }

func (f *Finding) read(s *Shelf) *trajectory.Recovery { return s.recovery(f.id, f.made.Value()) }

// hold has a trip's records held of which only the workspace may have been the holder,
// before it holds others.
func (t *Trip) hold(f Facet) {
	if t == nil {
		return
	}
	if t.journey != nil && f&Presence != 0 {
		t.journey.keep(t.journey.read)
	}
	if t.finding != nil && f&(Presence|Recoveries) != 0 {
		t.finding.keep(t.finding.read)
	}
}

// LetGo holds what the workspace has got by now no longer: trajectories and recoveries of
// trips that are still these. A shelf reads them again where they are wanted.
func (m *Model) LetGo(shelf *Shelf, trajectories []*trajectory.Trajectory, recoveries []*trajectory.Recovery) {
	for _, x := range trajectories {
		if t := m.byID[x.ID]; t != nil && t.journey.letGo(x, shelf) {
			shelf.hold(x, bytesOf(x))
		}
	}
	for _, x := range recoveries {
		if t := m.byID[x.Trajectory]; t != nil && t.finding != nil && t.finding.letGo(x, shelf) {
			shelf.hold(x, bytesOfRecovery(x))
		}
	}
}

// Drawn is the trip as the map draws it, but for its pins: read when it is drawn where
// there are many.
func (t *Trip) Drawn(many bool) render.Trip {
	if !many || len(t.Pins)+len(t.Truth) > 0 {
		return render.Trip{Name: t.Title(), Trajectory: t.Trajectory(), Recovery: t.Shown(), Truth: t.Truth}
	}
	k := &render.Kept{ID: t.ID(), Journey: t.journey, Points: t.journey.sketch}
	if t.fits {
		k.Finding, k.Path = t.finding, t.finding.sketch
	}
	return render.Trip{Name: t.Title(), Kept: k}
}
