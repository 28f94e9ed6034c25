package simulate

import (
	"fmt"
	"math/rand/v2"
	"time"

	"retrace/engine/trajectory"
)

// maker makes one trip after another.
type maker struct {
	w      *world
	search *search
	drive  drive
}

func newMaker(w *world) *maker { return &maker{w: w, search: newSearch(w), drive: drive{w: w}} }

// trip makes the trip of a number.
func (m *maker) trip(number int) (Trip, error) {
	o := &m.w.options
	rng := rand.New(rand.NewPCG(o.Seed, uint64(number)))
	who := m.w.newDriver(rng)
	m.search.driver = who
	start := m.w.start(rng)
	r, ok := m.w.plan(rng, m.search)
	if !ok {
		return Trip{}, fmt.Errorf("network %q: no drivable way found for trip %d", m.w.net.Info().Name, number)
	}
	m.drive.run(rng, r, who, start)
	id := fmt.Sprintf("sim-%d-%06d", o.Seed, number)
	truth := m.truth(id, r, start)
	dense := m.listen(rng, id, truth)
	return Trip{Trajectory: m.thin(rng, dense, truth), Dense: dense, Truth: truth}, nil
}

// start draws when a trip starts, by the demand of the hours.
func (w *world) start(rng *rand.Rand) time.Time {
	day := w.options.First.AddDate(0, 0, rng.IntN(w.options.Days))
	hour := pick(rng, w.profile.Demand[:])
	second := rng.IntN(3600)
	return time.Date(day.Year(), day.Month(), day.Day(), hour, second/60, second%60, 0, w.zone)
}

// truth is where the vehicle is at every tick.
func (m *maker) truth(id string, r route, start time.Time) *trajectory.Recovery {
	net, every := m.w.net, m.w.options.Tick
	rec := &trajectory.Recovery{
		Trajectory: id,
		Parts:      []trajectory.Part{{Segments: r.path, StartRatio: r.from, EndRatio: r.to}},
		Provenance: trajectory.Provenance{Method: "simulated", Network: net.Info().Name, Fingerprint: net.Info().Fingerprint},
	}
	n := int(m.drive.duration()/every.Seconds()) + 1
	rec.Ticks = make([]trajectory.Tick, 0, n)
	for i := range n {
		along := m.drive.at(float64(i) * every.Seconds())
		_, at := m.drive.position(r, along)
		p := net.At(at)
		rec.Ticks = append(rec.Ticks, trajectory.Tick{
			Time: start.UnixMilli() + int64(i)*every.Milliseconds(),
			Lon:  p.Lon, Lat: p.Lat, At: at, Along: along,
			Probability: 1, Layer: net.Layer(at.Segment), Deck: deck(net, at), Margin: 1,
		})
	}
	return rec
}

// listen is what the receiver reports at the ticks. The first and the last are
// always heard, so that the trip is whole.
func (m *maker) listen(rng *rand.Rand, id string, truth *trajectory.Recovery) *trajectory.Trajectory {
	r := newReceiver(m.w, rng)
	t := &trajectory.Trajectory{ID: id, Source: "simulated"}
	first := truth.Ticks[0].Time
	for i := range truth.Ticks {
		tick := &truth.Ticks[i]
		p, heard := r.report(float64(tick.Time-first)/1000, tick)
		if heard || i == 0 || i == len(truth.Ticks)-1 {
			t.Samples = append(t.Samples, trajectory.Sample{Time: tick.Time, Lon: p.Lon, Lat: p.Lat})
		}
	}
	return t
}

// thin keeps the first and the last report and some between them, a gap apart
// that is drawn anew each time; it marks in the truth which were kept.
func (m *maker) thin(rng *rand.Rand, dense *trajectory.Trajectory, truth *trajectory.Recovery) *trajectory.Trajectory {
	o := &m.w.options
	sparse := &trajectory.Trajectory{ID: dense.ID, Source: dense.Source}
	next, tick := dense.Samples[0].Time, 0
	for i, s := range dense.Samples {
		if last := i == len(dense.Samples)-1; s.Time < next && !last {
			continue
		}
		for truth.Ticks[tick].Time != s.Time {
			tick++
		}
		truth.Ticks[tick].Observed, truth.Ticks[tick].Sample = true, uint32(len(sparse.Samples))
		sparse.Samples = append(sparse.Samples, s)
		gap := o.MinGap + time.Duration(rng.Int64N(int64(o.MaxGap-o.MinGap)+1))
		next = s.Time + gap.Milliseconds()
	}
	return sparse
}
