package storage

import (
	"math"

	"retrace/engine/trajectory"
)

// sampleMin is the least that a sample takes in a record: a byte for its time
// and one for each coordinate.
const sampleMin = 3

// encodeTrajectory writes a trajectory so that it comes back exactly.
func encodeTrajectory(t *trajectory.Trajectory) ([]byte, error) {
	e := &encoder{b: make([]byte, 0, 64+12*len(t.Samples))}
	e.text(t.ID)
	e.text(t.Vehicle)
	e.text(t.Source)
	s, n := t.Samples, len(t.Samples)
	e.uint(uint64(n))
	e.times(n, func(i int) int64 { return s[i].Time })
	e.exact("longitude", n, func(i int) float64 { return s[i].Lon })
	e.exact("latitude", n, func(i int) float64 { return s[i].Lat })
	if t.Whole != "" { // came later than the rest: most records end before it
		e.text(t.Whole)
	}
	return e.b, e.err
}

func decodeTrajectory(b []byte) (*trajectory.Trajectory, error) {
	d := &decoder{b: b}
	t := &trajectory.Trajectory{ID: d.text(), Vehicle: d.text(), Source: d.shared()}
	n := d.count(sampleMin)
	s := make([]trajectory.Sample, n)
	d.times(n, func(i int, v int64) { s[i].Time = v })
	d.exact(n, func(i int, v float64) { s[i].Lon = v })
	d.exact(n, func(i int, v float64) { s[i].Lat = v })
	t.Samples = s
	if d.at < len(d.b) {
		if t.Whole = d.text(); t.Whole == "" {
			d.fail()
		}
	}
	return t, d.end()
}

func encodeTrajectorySummary(s TrajectorySummary) ([]byte, error) {
	e := &encoder{}
	e.text(s.ID)
	e.text(s.Vehicle)
	e.text(s.Source)
	e.int(s.Start)
	e.int(s.End - s.Start)
	e.uint(uint64(s.Points))
	e.int(e.steps("length", s.Length, metreSteps))
	return e.b, e.err
}

func decodeTrajectorySummary(b []byte) (TrajectorySummary, error) {
	d := &decoder{b: b}
	s := TrajectorySummary{ID: d.text(), Vehicle: d.text(), Source: d.text()}
	s.Start = d.int()
	s.End = s.Start + d.int()
	s.Points = int(d.uint())
	s.Length = float64(d.int()) / metreSteps
	return s, d.end()
}

// summarizeTrajectory is what a list shows of a trajectory.
func summarizeTrajectory(t *trajectory.Trajectory) TrajectorySummary {
	s := TrajectorySummary{ID: t.ID, Vehicle: t.Vehicle, Source: t.Source, Points: len(t.Samples)}
	if len(t.Samples) == 0 {
		return s
	}
	s.Start, s.End = t.Samples[0].Time, t.Samples[len(t.Samples)-1].Time
	for i := range t.Samples[1:] {
		s.Length += distance(t.Samples[i], t.Samples[i+1])
	}
	return s
}

// distance is the way between two samples in metres on a sphere.
func distance(a, b trajectory.Sample) float64 {
	const radius, rad = 6371008.8, math.Pi / 180
	half := func(x float64) float64 { s := math.Sin(x / 2); return s * s }
	h := half((b.Lat-a.Lat)*rad) + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*half((b.Lon-a.Lon)*rad)
	return 2 * radius * math.Asin(min(1, math.Sqrt(h)))
}
