package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// shared is a file of the shared data, or a skip where it is absent.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	root := os.Getenv("RETRACE_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	file := filepath.Join(append([]string{root}, path...)...)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("shared data not here: %v", err)
	}
	return file
}

// TestAgreesWithTheScoringProgram gives one output to the scoring program that
// comes with the shared data and to this package: hidden points, great circle.
func TestAgreesWithTheScoringProgram(t *testing.T) {
	program, truthFile := shared(t, "bench", "dense_score.py"), shared(t, "data", "porto_sparse", "x8", "truth.csv")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	trips, sparse := readTruth(t, truthFile)
	output := filepath.Join(t.TempDir(), "out.csv")
	recoveries := disturb(t, trips, output)
	text, err := exec.Command(python, program, truthFile, output).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	net := roadnettest.Draw(t, 100, `A--B`, "AB") // great circles need no network
	scorer := NewScorer(net.Network)
	var total [6]float64
	for i, truth := range trips {
		score := scorer.Score(truth, sparse[i], recoveries[i])
		for k, v := range asProgram(where(score.Points, func(p Point) bool { return !p.Observed })) {
			total[k] += v / float64(len(trips))
		}
	}
	for k, name := range []string{"mae", "rmse", "hit25", "hit50", "hit100", "late"} {
		m := regexp.MustCompile(name + ` ([\d.]+)`).FindSubmatch(text)
		want, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 0.0006
		if k < 2 {
			tolerance = 0.06
		}
		if math.Abs(total[k]-want) > tolerance {
			t.Errorf("%s is %.4f, the program says %.4f", name, total[k], want)
		}
	}
}

// asProgram sums up the hidden points of a trip as the program does, which caps
// every error at 1,000 m.
func asProgram(points []Point) [6]float64 {
	limited := func(p Point) float64 { return math.Min(1000, p.Great) }
	within := func(reach float64) func(Point) float64 {
		return func(p Point) float64 { return share(limited(p) <= reach) }
	}
	return [6]float64{mean(points, limited), rms(points, limited), mean(points, within(25)), mean(points, within(50)),
		mean(points, within(100)), mean(points, func(p Point) float64 { return share(p.Missing) })}
}

// readTruth reads the truth: the raw points, and which were kept.
func readTruth(t *testing.T, file string) ([]*trajectory.Recovery, []*trajectory.Trajectory) {
	t.Helper()
	var trips []*trajectory.Recovery
	var sparse []*trajectory.Trajectory
	for _, r := range rowsOf(t, file) {
		if n := len(trips); n == 0 || trips[n-1].Trajectory != r[0] {
			trips = append(trips, &trajectory.Recovery{Trajectory: r[0]})
			sparse = append(sparse, &trajectory.Trajectory{ID: r[0]})
		}
		at := 1000 * unixSeconds(t, r[1])
		lon, _ := strconv.ParseFloat(r[2], 64)
		lat, _ := strconv.ParseFloat(r[3], 64)
		last := len(trips) - 1
		trips[last].Ticks = append(trips[last].Ticks, trajectory.Tick{Time: at, Lon: lon, Lat: lat})
		if r[4] == "1" {
			sparse[last].Samples = append(sparse[last].Samples, trajectory.Sample{Time: at, Lon: lon, Lat: lat})
		}
	}
	return trips, sparse
}

func unixSeconds(t *testing.T, text string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.Unix()
}

// disturb makes a poor recovery of each trip, writes it to a file and returns it.
func disturb(t *testing.T, trips []*trajectory.Recovery, file string) []*trajectory.Recovery {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintln(f, "trajectory,time,lon,lat")
	var out []*trajectory.Recovery
	for _, trip := range trips {
		rec := &trajectory.Recovery{Trajectory: trip.Trajectory}
		for _, tick := range trip.Ticks {
			if rng.Float64() < 0.03 {
				continue
			}
			reach := []float64{1e-5, 1e-4, 1e-3, 1e-2}[rng.IntN(4)]
			tick.Lon += reach * rng.NormFloat64()
			tick.Lat += reach * rng.NormFloat64()
			tick.Time += 1000 * (rng.Int64N(3) - 1)
			rec.Ticks = append(rec.Ticks, tick)
			fmt.Fprintf(f, "%s,%s,%.9f,%.9f\n", rec.Trajectory, time.UnixMilli(tick.Time).UTC().Format(time.RFC3339), tick.Lon, tick.Lat)
		}
		out = append(out, rec)
	}
	return out
}
