package ui

import (
	"path/filepath"
	"testing"
	"time"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/internal/cputime"
	"retrace/ui/state"
)

// BenchmarkPin pins an input point of a real trip in Porto to another road and
// measures, with 400 trips on the map: until the trip is recovered again
// (recovered-ms), until the map has what it draws it from (map-ms; cpu-ms is the
// processors' time by then, which other programs do not change), and until the
// software painter has drawn the whole window anew (drawn-ms, drawn-cpu-ms).
func BenchmarkPin(b *testing.B) {
	extract, trips := data(b, "osm/porto.osm.pbf"), data(b, "porto_sparse/x8/input.csv")
	s := openStage(b, filepath.Join(b.TempDir(), "w.retrace"), 1600, 1000, 1, extract, trips)
	s.until("the trips are read", func() bool { return len(s.m.Trips()) == 400 })
	s.idle()
	s.actions.Do("recoverall")
	s.idle()
	trip, pins := pinnable(s)
	s.m.SelectTrip(trip.ID())
	s.until("the map is drawn", s.drawn)
	var result, handed, drawn, used, painted time.Duration
	b.ResetTimer()
	for i := range b.N {
		before, start, work := trip.Recovery(), time.Now(), cputime.Used()
		s.desk.Pin(trip, pins[0].Sample, pins[i%2].Segment, false)
		s.soon(func() bool { return trip.Recovery() != before })
		result += time.Since(start)
		s.soon(func() bool { return !s.stale })
		handed += time.Since(start)
		used += cputime.Used() - work
		s.soon(s.drawn)
		drawn += time.Since(start)
		painted += cputime.Used() - work
		s.idle()
	}
	per := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N) }
	b.ReportMetric(per(result), "recovered-ms")
	b.ReportMetric(per(handed), "map-ms")
	b.ReportMetric(per(drawn), "drawn-ms")
	b.ReportMetric(per(used), "cpu-ms")
	b.ReportMetric(per(painted), "drawn-cpu-ms")
}

// pinnable is a trip with an input point in its middle, and two roads that the
// point may lie on.
func pinnable(s *stage) (*state.Trip, [2]engine.Pin) {
	for _, t := range s.m.Trips() {
		r := t.Shown()
		if r == nil || len(r.Parts) != 1 || len(r.Matches) < 6 {
			continue
		}
		sample := len(r.Matches) / 2
		if c := r.Matches[sample].Candidates; len(c) >= 2 {
			pin := func(id roadnet.SegmentID) engine.Pin { return engine.Pin{Sample: sample, Segment: id} }
			return t, [2]engine.Pin{pin(c[1].Segment), pin(c[0].Segment)}
		}
	}
	s.t.Fatal("no trip can be pinned")
	return nil, [2]engine.Pin{}
}

// soon runs what is posted until ok, at once.
func (s *stage) soon(ok func() bool) {
	for !ok() {
		select {
		case f := <-s.queue:
			f()
		case <-time.After(time.Millisecond):
		}
	}
}
