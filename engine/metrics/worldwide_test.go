package metrics

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"retrace/engine/roadnet/roadnettest"
	"retrace/engine/trajectory"
)

// TestAgreesWithTheWorldwideScoringProgram gives poor recoveries of three drives
// to the scoring program that comes with the shared data and to this package:
// the errors at all instants. What it says of paths it counts by length of edges
// between nodes, which this package does not.
func TestAgreesWithTheWorldwideScoringProgram(t *testing.T) {
	program, data := shared(t, "bench", "worldwide_score.py"), shared(t, "data", "worldwide")
	for _, needed := range []string{"python3", "osmium"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("no %s here", needed)
		}
	}
	const gap = 120
	places, results := t.TempDir(), t.TempDir()
	want := map[string][3]float64{}
	for i, place := range []string{"000", "024", "060"} {
		if err := os.Symlink(filepath.Join(absolute(t, data), place), filepath.Join(places, place)); err != nil {
			t.Skip(err)
		}
		want[place] = poorDrive(t, filepath.Join(data, place), filepath.Join(results, place), gap, uint64(i))
	}
	text, err := exec.Command("python3", program, places, results, "--gap", strconv.Itoa(gap)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	compared := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		ours, ok := want[strings.Join(fields[:min(1, len(fields))], "")]
		if !ok {
			continue
		}
		compared++
		for k, name := range []string{"mae", "rmse", "hit25"} {
			theirs, err := strconv.ParseFloat(fields[4+k], 64)
			if err != nil || math.Abs(theirs-ours[k]) > 0.0006+theirs*1e-4 {
				t.Errorf("%s: %s is %.4f, the program says %s", fields[0], name, ours[k], fields[4+k])
			}
		}
	}
	if compared != len(want) {
		t.Errorf("the program told of %d places:\n%s", compared, text)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// poorDrive makes a poor recovery of the drive of a place in a folder, for the
// program, and returns MAE, RMSE and the share within 25 m as this package has them.
func poorDrive(t *testing.T, place, folder string, gap int, seed uint64) [3]float64 {
	t.Helper()
	first, last := inputTimes(t, filepath.Join(place, fmt.Sprintf("input_%03d.csv", gap)))
	rng := rand.New(rand.NewPCG(seed, 3))
	truth, got := &trajectory.Recovery{}, &trajectory.Recovery{}
	points := "t,lon,lat\n"
	for _, row := range rowsOf(t, filepath.Join(place, "truth.csv.gz")) {
		at, _ := strconv.ParseInt(row[0], 10, 64)
		if at < first || at > last {
			continue
		}
		lon, _ := strconv.ParseFloat(row[1], 64)
		lat, _ := strconv.ParseFloat(row[2], 64)
		tick := trajectory.Tick{Time: at * 1000, Lon: lon, Lat: lat}
		truth.Ticks = append(truth.Ticks, tick)
		reach := []float64{1e-5, 1e-4, 1e-3}[rng.IntN(3)]
		tick.Lon, tick.Lat = lon+reach*rng.NormFloat64(), lat+reach*rng.NormFloat64()
		got.Ticks = append(got.Ticks, tick)
		points += fmt.Sprintf("%d,%.9f,%.9f\n", at, tick.Lon, tick.Lat)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"points.csv": points, "path.csv": "part,lon,lat\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	net := roadnettest.Draw(t, 100, `A--B`, "AB") // great circles need no network
	score := NewScorer(net.Network).Score(truth, &trajectory.Trajectory{}, got)
	within := func(p Point) float64 { return share(p.Great <= 25) }
	return [3]float64{mean(score.Points, greatCircle), rms(score.Points, greatCircle), mean(score.Points, within)}
}

// inputTimes are the times of the first and the last sample, in Unix seconds.
func inputTimes(t *testing.T, file string) (first, last int64) {
	t.Helper()
	for i, row := range rowsOf(t, file) {
		at := unixSeconds(t, row[1])
		if i == 0 {
			first = at
		}
		last = at
	}
	return first, last
}

// rowsOf are the lines of a CSV file, packed or not, without its head.
func rowsOf(t *testing.T, file string) [][]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := csv.NewReader(f)
	if strings.HasSuffix(file, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		in = csv.NewReader(z)
	}
	rows, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}
