package render

import (
	"math"
	"slices"
	"sort"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
)

// Tracks are trips made ready to be drawn at any zoom on one network. They are
// immutable: several painters may share them.
type Tracks struct {
	net    *roadnet.Network
	tracks []track
	far    []farTrack     // that are read when they are drawn
	byID   map[string]int // into tracks; those of far lie below 0, from -1 down
	reads  *readTracks
	speeds speedSpread
}

// track is one trip.
type track struct {
	Trip
	id      string
	box     extent
	parts   []trackPart
	samples []place
	ticks   []place
	sure    []facts.Place // of the ticks
	truth   []trackPart
	made    uint64 // tells this making of the trip from all others
}

// trackPart is one unbroken polyline with the metres from its start at each
// vertex.
type trackPart struct {
	places []place
	detail []uint8
	along  []float32
	boxes  []extent // around every run of vertices, the first of the next included
}

// run is how many vertices of a part share a box.
const run = 16

// NewTracks prepares trips. A recovery that does not fit the network, because
// it was made on another one, is drawn by its points alone.
func NewTracks(net *roadnet.Network, trips []Trip) *Tracks {
	return (&Tracks{}).Renew(net, trips, 0)
}

// Renew prepares other trips as [NewTracks] does; those that are the same as
// before are taken over. Edition is another one each time.
func (ts *Tracks) Renew(net *roadnet.Network, trips []Trip, edition int) *Tracks {
	next := &Tracks{net: net, byID: make(map[string]int, len(trips)), reads: &readTracks{byID: map[string]*track{}}}
	if ts.net == net && ts.reads != nil {
		next.reads = ts.reads
	}
	for i, trip := range trips {
		made := uint64(edition)<<32 | uint64(i)
		if trip.Kept != nil {
			next.addFar(ts, trip, made)
			continue
		}
		next.byID[trip.Trajectory.ID] = len(next.tracks)
		if old := ts.held(trip.Trajectory.ID); old != nil && ts.net == net && old.same(trip) {
			next.tracks = append(next.tracks, *old)
			continue
		}
		t := newTrack(net, trip)
		t.made = made
		next.tracks = append(next.tracks, t)
	}
	return next
}

// addFar adds a trip that is read when it is drawn; before are the tracks before.
func (ts *Tracks) addFar(before *Tracks, trip Trip, made uint64) {
	if i, ok := before.byID[trip.Kept.ID]; ok && i < 0 && before.net == ts.net && before.far[-i-1].same(trip) {
		made = before.far[-i-1].made
	}
	ts.far = append(ts.far, newFarTrack(trip, made))
	ts.byID[trip.Kept.ID] = -len(ts.far)
}

// same reports whether a trip is drawn as another one, whose parts do not change.
func (t Trip) same(o Trip) bool {
	truth := len(t.Truth) == len(o.Truth) && (len(t.Truth) == 0 || &t.Truth[0] == &o.Truth[0])
	return truth && t.Name == o.Name && t.Trajectory == o.Trajectory && t.Recovery == o.Recovery && slices.Equal(t.Pins, o.Pins)
}

// Behind tells what stands behind the front trip, whose id is given, from all
// that did before: it changes where one of the other trips does.
func (ts *Tracks) Behind(front string) uint64 {
	const prime = 1099511628211
	sum := uint64(14695981039346656037)
	for i := range ts.tracks {
		if t := &ts.tracks[i]; t.id != front {
			sum = (sum ^ t.made) * prime
		}
	}
	for i := range ts.far {
		if f := &ts.far[i]; f.ID != front {
			sum = (sum ^ f.made) * prime
		}
	}
	return sum
}

// find is the track of a trip, read where it is not held, or nil.
func (ts *Tracks) find(id string) *track {
	if t := ts.held(id); t != nil {
		return t
	}
	if ts != nil {
		if i, ok := ts.byID[id]; ok {
			return ts.read(&ts.far[-i-1])
		}
	}
	return nil
}

// held is the track of a trip that is held, or nil.
func (ts *Tracks) held(id string) *track {
	if ts == nil {
		return nil
	}
	if i, ok := ts.byID[id]; ok && i >= 0 {
		return &ts.tracks[i]
	}
	return nil
}

// only is the one trip there is.
func (ts *Tracks) only() *track {
	if len(ts.tracks) > 0 {
		return &ts.tracks[0]
	}
	return ts.read(&ts.far[0])
}

// Len is the number of trips.
func (ts *Tracks) Len() int {
	if ts == nil {
		return 0
	}
	return len(ts.tracks) + len(ts.far)
}

func newTrack(net *roadnet.Network, trip Trip) track {
	t := track{Trip: trip, id: trip.Trajectory.ID, box: nowhere, samples: make([]place, 0, len(trip.Trajectory.Samples))}
	for _, s := range trip.Trajectory.Samples {
		t.samples = append(t.samples, placeOf(roadnet.CoordOf(roadnet.Point{Lon: s.Lon, Lat: s.Lat})))
	}
	for _, pts := range trip.Truth {
		t.truth = append(t.truth, newTrackPart(pts))
	}
	if r := trip.Recovery; r != nil {
		t.ticks, t.parts = make([]place, 0, len(r.Ticks)), make([]trackPart, 0, len(r.Parts))
		for _, tick := range r.Ticks {
			t.ticks = append(t.ticks, placeOf(roadnet.CoordOf(roadnet.Point{Lon: tick.Lon, Lat: tick.Lat})))
		}
		for _, p := range r.Parts {
			t.parts = append(t.parts, partOf(net, p))
		}
		t.sure = facts.Places(r)
	}
	t.measure()
	return t
}

// measure sets the box around everything.
func (t *track) measure() {
	for _, ps := range [][]place{t.samples, t.ticks} {
		for _, p := range ps {
			t.box = t.box.with(p)
		}
	}
	for _, parts := range [][]trackPart{t.parts, t.truth} {
		for _, part := range parts {
			for _, p := range part.places {
				t.box = t.box.with(p)
			}
		}
	}
}

// fits reports whether a part is of this network, as far as can be told.
func fits(net *roadnet.Network, p trajectory.Part) bool {
	if net == nil || len(p.Segments) == 0 {
		return false
	}
	for _, s := range p.Segments {
		if int(s) >= net.NumSegments() {
			return false
		}
	}
	return true
}

// partOf is the geometry of a driven path; nothing where it does not fit.
func partOf(net *roadnet.Network, p trajectory.Part) trackPart {
	if !fits(net, p) {
		return trackPart{}
	}
	var out trackPart
	out.room(net, p)
	var buf []roadnet.Point
	var along float64
	for i, id := range p.Segments {
		from, to := roadnet.Driven(i, len(p.Segments), p.StartRatio, p.EndRatio)
		buf = net.Geometry(id, buf[:0])
		out.append(buf, net.Length(id), from, to, along)
		along += math.Max(to-from, 0) * net.Length(id)
	}
	out.finish()
	return out
}

// room makes room for the vertices of a driven path, and not for more.
func (t *trackPart) room(net *roadnet.Network, p trajectory.Part) {
	n := 1
	for _, id := range p.Segments {
		line, _ := net.LineOf(id)
		n += len(net.LineCoords(line)) - 1 // neighbours share a vertex
	}
	t.places, t.along = make([]place, 0, n), make([]float32, 0, n)
}

// append adds the stretch of a segment between two ratios along it; start is
// what has been driven before, in metres.
func (t *trackPart) append(pts []roadnet.Point, length, from, to, start float64) {
	total := pathLength(pts)
	if total == 0 || to < from {
		return
	}
	var at float64
	for i := 1; i < len(pts); i++ {
		a, b := pts[i-1], pts[i]
		step := metresBetween(a, b) / total
		lo, hi := math.Max(from, at), math.Min(to, at+step)
		if lo <= hi && step > 0 {
			t.vertex(between(a, b, (lo-at)/step), start+(lo-from)*length)
			t.vertex(between(a, b, (hi-at)/step), start+(hi-from)*length)
		}
		at += step
	}
}

// finish weighs the vertices and sets the boxes, once all vertices are there.
func (t *trackPart) finish() {
	t.detail = make([]uint8, len(t.places))
	t.boxes = make([]extent, 0, (len(t.places)+run-2)/run)
	weigh(t.places, t.detail, false)
	for i := 0; i+1 < len(t.places); i += run {
		b := nowhere
		for _, p := range t.places[i:min(i+run+1, len(t.places))] {
			b = b.with(p)
		}
		t.boxes = append(t.boxes, b)
	}
}

// vertex adds one vertex unless it stands there already.
func (t *trackPart) vertex(p roadnet.Point, along float64) {
	at := placeOf(roadnet.CoordOf(p))
	if n := len(t.places); n > 0 && t.places[n-1] == at {
		return
	}
	t.places = append(t.places, at)
	t.along = append(t.along, float32(along))
}

// newTrackPart is a polyline of points.
func newTrackPart(pts []roadnet.Point) trackPart {
	t := trackPart{places: make([]place, 0, len(pts)), along: make([]float32, 0, len(pts))}
	var along float64
	for i, p := range pts {
		if i > 0 {
			along += metresBetween(pts[i-1], p)
		}
		t.vertex(p, along)
	}
	t.finish()
	return t
}

func between(a, b roadnet.Point, t float64) roadnet.Point {
	return roadnet.Point{Lon: a.Lon + (b.Lon-a.Lon)*t, Lat: a.Lat + (b.Lat-a.Lat)*t}
}

// metresBetween is the distance of two near points.
func metresBetween(a, b roadnet.Point) float64 {
	const degree = earthCircle / 360
	dx := math.Remainder(b.Lon-a.Lon, 360) * math.Cos((a.Lat+b.Lat)/2*degreesToRadian)
	return degree * math.Hypot(dx, b.Lat-a.Lat)
}

func pathLength(pts []roadnet.Point) (sum float64) {
	for i := 1; i < len(pts); i++ {
		sum += metresBetween(pts[i-1], pts[i])
	}
	return sum
}

// at is the place at some metres from the start.
func (t *trackPart) at(metres float64) place {
	n := len(t.places)
	if n == 0 {
		return place{}
	}
	i := t.search(metres)
	if i == 0 || i == n {
		return t.places[min(i, n-1)]
	}
	f := (metres - float64(t.along[i-1])) / float64(t.along[i]-t.along[i-1])
	a, b := t.places[i-1], t.places[i]
	mix := func(x, y uint32) uint32 { return uint32(float64(x) + (float64(y)-float64(x))*f) }
	return place{mix(a.X, b.X), mix(a.Y, b.Y)}
}

// search is the first vertex that is at least some metres from the start.
func (t *trackPart) search(metres float64) int {
	return sort.Search(len(t.along), func(i int) bool { return float64(t.along[i]) >= metres })
}

// stretch appends the stretch between two lengths in metres, as it shows.
func (t *trackPart) stretch(dst *lines, f *frame, from, to float64) {
	if len(t.places) < 2 || to <= from {
		return
	}
	last := t.at(from)
	move := func(p place) {
		if acrossMeridian(last, p) { // it goes on at the other edge of the map
			dst.end()
		}
		dst.move(f.at(p))
		last = p
	}
	move(last)
	for i := t.search(from); i < len(t.along) && float64(t.along[i]) < to; i++ {
		if t.detail[i] >= f.keep && float64(t.along[i]) > from {
			move(t.places[i])
		}
	}
	move(t.at(to))
	dst.end()
}

// acrossMeridian reports whether two places in a row lie on the two sides of the
// 180th meridian.
func acrossMeridian(a, b place) bool {
	return max(a.X, b.X)-min(a.X, b.X) > placeUnits/2
}

// length is that of the whole part in metres.
func (t *trackPart) length() float64 {
	if n := len(t.along); n > 0 {
		return float64(t.along[n-1])
	}
	return 0
}

// Bounds is the box around a trip: its samples, its path and its truth.
func (t Trip) Bounds(net *roadnet.Network) (roadnet.Bounds, bool) {
	tr := newTrack(net, t)
	if tr.box == nowhere {
		return roadnet.Bounds{}, false
	}
	nw := Mercator{float64(tr.box.minX) / placeUnits, float64(tr.box.minY) / placeUnits}.Point()
	se := Mercator{float64(tr.box.maxX) / placeUnits, float64(tr.box.maxY) / placeUnits}.Point()
	return roadnet.Bounds{MinLon: nw.Lon, MinLat: se.Lat, MaxLon: se.Lon, MaxLat: nw.Lat}, true
}
