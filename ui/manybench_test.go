package ui

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"retrace/engine/trajectory"
	"retrace/ui/state"
)

// mostTrips is how many trips BenchmarkManyTrips recovers; RETRACE_TRIPS names
// another number.
const mostTrips = 224_000

// recoveredFor is how long it recovers before it cancels; RETRACE_SECONDS names
// another time.
const recoveredFor = 60 * time.Second

// distinct is how many different trips there are among them.
const distinct = 200

// BenchmarkManyTrips recovers more trips than a city has cars in the window, by map
// matching: what a key takes meanwhile, how soon a cancel is done, and what is held.
// The trips are those of Porto, every eighth point of them, over and over under
// other names and a day later each time; before it begins all have been recovered,
// the first by map matching and the others as the first. RETRACE_BARE=1 leaves that out.
//
//	go test -tags ci -run '^$' -bench ManyTrips -benchtime 1x -timeout 2h ./ui
func BenchmarkManyTrips(b *testing.B) {
	extract, trips := data(b, "osm/porto.osm.pbf"), data(b, "trajectories/porto_trips.csv.gz")
	n, long := mostTrips, recoveredFor
	if v, err := strconv.Atoi(os.Getenv("RETRACE_TRIPS")); err == nil {
		n = v
	}
	if v, err := strconv.Atoi(os.Getenv("RETRACE_SECONDS")); err == nil {
		long = time.Duration(v) * time.Second
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "many.csv")
	writeMany(b, trips, file, n)
	s := openStage(b, filepath.Join(dir, "w.retrace"), benchWidth, benchHeight, 1, extract, file)
	o := s.m.Options()
	o.Method = "hmm"
	s.m.SetOptions(o)
	s.long("the trips are read", func() bool { return len(s.m.Trips()) > 0 && len(s.tasks.Running()) == 0 })
	s.kept()
	b.ReportMetric(heap()/1e6, "read-MB")
	if os.Getenv("RETRACE_BARE") == "" {
		s.recoverMany(distinct)
		s.kept()
	}
	b.ReportMetric(heap()/1e6, "recovered-MB")
	s.m.SelectTrip(s.m.Trips()[0].ID())
	s.actions.Do("recoverall")

	var keys, rounds times
	stop := make(chan bool)
	go func() { // a key now and then, behind what is queued
		for {
			select {
			case <-stop:
				return
			case <-time.After(300 * time.Millisecond):
				pressed := time.Now()
				s.do(func() {
					keys.measure(func() { s.press('n') })
					keys.wall[len(keys.wall)-1] = time.Since(pressed)
				})
			}
		}
	}()
	for end := time.Now().Add(long); time.Now().Before(end) && len(s.tasks.Running()) > 0; {
		select {
		case f := <-s.queue:
			rounds.measure(f)
		case <-time.After(5 * time.Millisecond):
		}
	}
	close(stop)
	c := s.m.Count()
	asked := time.Now()
	s.tasks.CancelAll()
	s.long("the recovery has ended", func() bool { return len(s.tasks.Running()) == 0 })
	b.ReportMetric(time.Since(asked).Seconds()*1000, "cancel-ms")
	b.ReportMetric(percentile(keys.own, 95), "key-p95-own-ms")
	b.ReportMetric(percentile(keys.wall, 95), "key-p95-wall-ms")
	b.ReportMetric(percentile(keys.wall, 100), "key-max-wall-ms")
	b.ReportMetric(percentile(rounds.own, 95), "turn-p95-own-ms")
	b.ReportMetric(percentile(rounds.own, 100), "turn-max-own-ms")
	s.kept()
	b.ReportMetric(float64(c.Recovered), "recovered")
	b.ReportMetric(float64(c.All), "trips")
	b.ReportMetric(heap()/1e6, "heap-MB")
	b.ReportMetric(resident()/1e6, "resident-MB")
	b.ReportMetric(0, "ns/op")
	for _, notice := range s.m.Notices() {
		b.Log(notice.Text, notice.Detail)
	}
}

// recoverMany recovers the first trips and gives all others, which repeat them,
// copies of what came of it.
func (s *stage) recoverMany(first int) {
	trips := s.m.Trips()
	s.desk.Recover(trips[:min(first, len(trips))])
	s.long("the first are recovered", func() bool { return len(s.tasks.Running()) == 0 })
	step := s.m.DoLater(state.RecoverStep, len(trips), "")
	const atOnce = 5000
	for i := first; i < len(trips); i += atOnce {
		var results []state.Result
		for k := i; k < min(i+atOnce, len(trips)); k++ {
			if r := trips[k%first].Recovery(); r != nil {
				results = append(results, state.Result{ID: trips[k].ID(), Edition: trips[k].Edition(), Recovery: later(r, trips[k].ID(), int64(k/first)*86_400_000)})
			}
		}
		s.m.During(step, func() { s.m.SetResults(results) })
		s.kept()
	}
}

// kept waits until all that was done is in the workspace, and no more is held of it than
// is shown.
func (s *stage) kept() {
	if _, err := s.desk.StoredTrips(); err != nil {
		s.t.Fatal(err)
	}
	s.settleQueue()
}

// settleQueue does what is posted by now.
func (s *stage) settleQueue() {
	for len(s.queue) > 0 {
		(<-s.queue)()
	}
}

// later is a recovery of another trip that was driven so many milliseconds later.
func later(r *trajectory.Recovery, id string, by int64) *trajectory.Recovery {
	c := *r
	c.Trajectory = id
	c.Ticks, c.Spans = slices.Clone(r.Ticks), slices.Clone(r.Spans)
	for i := range c.Ticks {
		c.Ticks[i].Time += by
	}
	for i := range c.Spans {
		c.Spans[i].Enter, c.Spans[i].Exit = c.Spans[i].Enter+by, c.Spans[i].Exit+by
	}
	c.Parts, c.Matches, c.Alternatives = slices.Clone(r.Parts), slices.Clone(r.Matches), slices.Clone(r.Alternatives)
	for i, p := range c.Parts {
		c.Parts[i].Segments = slices.Clone(p.Segments)
	}
	for i, p := range c.Alternatives {
		c.Alternatives[i].Part.Segments = slices.Clone(p.Part.Segments)
	}
	for i, m := range c.Matches {
		c.Matches[i].Candidates = slices.Clone(m.Candidates)
	}
	return &c
}

// writeMany writes n trips of Porto, every eighth point and the last of each.
func writeMany(b *testing.B, from, to string, n int) {
	b.Helper()
	in, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		b.Fatal(err)
	}
	rows, err := csv.NewReader(unpacked).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	out, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "id,time,lon,lat")
	rows = rows[1 : distinct+1]
	for i := range n {
		row := rows[i%len(rows)]
		var line [][2]float64
		start, err := strconv.ParseInt(row[3], 10, 64)
		if err == nil {
			err = json.Unmarshal([]byte(row[5]), &line)
		}
		if err != nil {
			b.Fatal(err)
		}
		start += int64(i/len(rows)) * 86400
		for k := 0; k < len(line); k++ {
			if k%8 == 0 || k == len(line)-1 {
				fmt.Fprintf(w, "%s-%d,%d,%f,%f\n", row[0], i/len(rows), start+int64(k)*15, line[k][0], line[k][1])
			}
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
}
