package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// made says how many trips a data set holds and how many were looked at for it.
func made(t *testing.T, out string) (trips, seen int) {
	t.Helper()
	var said struct {
		Trips   int            `json:"trips"`
		Dropped map[string]int `json:"dropped"`
	}
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatal(err)
	}
	seen = said.Trips
	for _, n := range said.Dropped {
		seen += n
	}
	return said.Trips, seen
}

func TestDatasetTakesTheTripsOfAnArea(t *testing.T) {
	b := newBench(t)
	b.run(OK, "simulate", "--network", b.extract(), "--trips", "30", "-o", b.file("sparse.csv"), "--dense", b.file("dense.csv"))
	const line = -5.0
	west := map[string]bool{}
	for _, r := range b.rows(b.file("dense.csv")) {
		lon, err := strconv.ParseFloat(r["lon"], 64)
		if err != nil {
			t.Fatal(err)
		}
		before, known := west[r["trajectory"]]
		west[r["trajectory"]] = lon < line && (before || !known)
	}
	want := 0
	for _, inside := range west {
		if inside {
			want++
		}
	}
	if want == 0 || want == len(west) {
		t.Fatalf("%d of %d trips are west of %v: the test needs some on both sides", want, len(west), line)
	}
	out, _ := b.run(OK, "--json", "dataset", b.file("dense.csv"), "--network", b.extract(), "--split", "all", "--keep", "60s",
		fmt.Sprintf("--area=-180,-90,%v,90", line), "-o", b.file("west"))
	if trips, seen := made(t, out); seen != want || trips == 0 {
		t.Errorf("%d trips of %d seen, want %d seen", trips, seen, want)
	}
}

func TestDatasetRefusesAnAreaThatIsNone(t *testing.T) {
	b := newBench(t)
	for _, area := range []string{"1,2,3", "2,0,1,1", "0,2,1,1", "0,0,1,1,1"} {
		b.run(WrongUsage, "dataset", b.trips(), "--network", b.extract(), "--area", area, "-o", b.file("out"))
	}
	b.only()
}

// TestDatasetRefusesToTrainWhereModelsAreMeasured gives it one of the worldwide
// places, by where its file lies.
func TestDatasetRefusesToTrainWhereModelsAreMeasured(t *testing.T) {
	b := newBench(t)
	extract, err := os.ReadFile(b.extract())
	if err != nil {
		t.Fatal(err)
	}
	held := filepath.Join(t.TempDir(), "worldwide", "000", filepath.Base(b.extract()))
	if err := os.MkdirAll(filepath.Dir(held), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(held, extract, 0o644); err != nil {
		t.Fatal(err)
	}
	_, complaint := b.run(WrongUsage, "dataset", "--network", held, "--simulate", "2", "-o", b.file("out"))
	if !strings.Contains(complaint, "worldwide") {
		t.Errorf("it says %q", complaint)
	}
	b.run(OK, "dataset", "--network", held, "--simulate", "2", "--split", "test", "-o", b.file("out"))
}
