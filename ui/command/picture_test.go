package command

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/engine/enginetest"
)

func TestRender(t *testing.T) {
	b := newBench(t)
	b.run(OK, "recover", b.trips(), "--network", b.extract(), "-o", b.file("r.gpkg"))
	b.run(OK, "render", "--network", b.extract(), "-o", b.file("plain.png"), "--size", "400x300")
	b.run(OK, "render", "--network", b.extract(), "--recovery", b.file("r.gpkg"), "-o", b.file("trips.png"), "--size", "400x300")
	b.run(OK, "render", "--network", b.extract(), "-o", b.file("dark.svg"), "--size", "400x300", "--theme", "dark", "--view", "-5.0,45.5,14")
	out, _ := b.run(OK, "--json", "render", "--network", b.extract(), "-o", b.file("box.pdf"), "--size", "400x300", "--view", "-5.02,45.49,-5.0,45.5")
	if !json.Valid([]byte(out)) {
		t.Errorf("printed %q", out)
	}
	b.only("box.pdf", "dark.svg", "plain.png", "r.gpkg", "trips.png")
	if plain, trips := b.blue("plain.png"), b.blue("trips.png"); trips < plain+200 {
		t.Errorf("%d pixels have the colour of paths with recoveries, %d without", trips, plain)
	}
	svg, err := os.ReadFile(b.file("dark.svg"))
	if err != nil || !strings.Contains(string(svg[:200]), "<svg") {
		t.Errorf("%v: %.200s", err, svg)
	}
	for _, args := range [][]string{
		{"-o", b.file("a.bmp")}, {"-o", b.file("a.png"), "--size", "10"}, {"-o", b.file("a.png"), "--size", "99999x10"},
		{"-o", b.file("a.png"), "--view", "1,2"}, {"-o", b.file("a.png"), "--view", "1,2,x"}, {"-o", b.file("a.png"), "--view", "5,5,4,4"},
		{"-o", b.file("a.png"), "--theme", "pink"},
	} {
		b.run(WrongUsage, append([]string{"render", "--network", b.extract()}, args...)...)
	}
	b.run(NothingRead, "render", "--network", b.extract(), "--recovery", b.file("missing.gpkg"), "-o", b.file("a.png"))
}

// blue counts the pixels of a picture that have the colour of recovered paths.
func (b *bench) blue(name string) int {
	b.Helper()
	f, err := os.Open(b.file(name))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		b.Fatal(err)
	}
	if img.Bounds().Dx() != 400 || img.Bounds().Dy() != 300 {
		b.Errorf("%s is %v", name, img.Bounds())
	}
	n := 0
	for y := range 300 {
		for x := range 400 {
			red, green, blue, _ := img.At(x, y).RGBA()
			if red>>8 < 0x30 && green>>8 > 0x50 && green>>8 < 0x90 && blue>>8 > 0x90 {
				n++
			}
		}
	}
	return n
}

func TestEvaluate(t *testing.T) {
	b := newBench(t)
	dense := filepath.Join(b.sample, "truth.csv")
	ids := b.put("ids.txt", "sim-1-000000\nsim-1-000001\nsim-1-000002\nsim-1-000003\n\nsim-1-000004\nnot there\n")
	out, _ := b.run(OK, "--json", "evaluate", dense, "--network", b.extract(), "--keep", "1/8,60s", "--trips", ids, "--draws", "50")
	var report struct {
		Cases   int
		Results []struct {
			Keep  string
			Trips int
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Cases < 2 || report.Cases > 5 || len(report.Results) != 2 || report.Results[1].Keep != "1m0s" {
		t.Errorf("%v: %+v", err, report)
	}
	out, _ = b.run(OK, "evaluate", dense, "--network", b.extract(), "--trips", ids, "--draws", "50", "--keep", "1/8")
	says(t, out, "As the paper defines it", "As the authors' code computes it", "accuracy")
	_, errs := b.run(WrongUsage, "evaluate", dense, "--network", b.extract(), "--keep", "much")
	says(t, errs, "--keep")
	b.run(NothingRead, "evaluate", dense, "--network", b.extract(), "--trips", b.put("none.txt", "nobody\n"))
	b.run(NothingRead, "evaluate", "missing.csv", "--network", b.extract())
	out, _ = b.run(OK, "evaluate", "--simulate", "5", "--against", "hmm", "--network", b.extract(), "--draws", "50", "--keep", "1/8")
	says(t, out, "5 trips", "deck right where the margin is 0.2 or more", "MAE")
	out, _ = b.run(OK, "evaluate", "--simulate", "5", "--against", "truth", "--network", b.extract(), "--draws", "50", "--keep", "1/8", "--format", "markdown")
	says(t, out, "| truth, 1/8 | hmm, 1/8 | hmm less truth, 1/8 |", "| SR%80 | 0.")
	b.run(WrongUsage, "evaluate", "--network", b.extract())
	_, errs = b.run(WrongUsage, "evaluate", dense, "--network", b.extract(), "--gather-from", dense)
	says(t, errs, "--gather-from goes with --gather")
	b.run(WrongUsage, "evaluate", dense, "--simulate", "5", "--network", b.extract())
}

// What make run does where there is no display.
func TestSampleRecovered(t *testing.T) {
	b := newBench(t)
	out, _ := b.run(OK, "sample", b.file("out"), "--recover")
	says(t, out, "60 trips", "recovered by map matching", "on the right road", "recovery.gpkg")
	if lines := strings.Count(out, "\n"); lines > 20 {
		t.Errorf("%d lines are more than anyone reads:\n%s", lines, out)
	}
	for _, name := range []string{"sample.osm.gz", "trips.csv", "truth.csv", "recovery.csv", "recovery.gpkg", "recovery.png"} {
		if info, err := os.Stat(filepath.Join(b.dir, "out", name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	b.models = &enginetest.Models{}
	byModel, _ := b.run(OK, "sample", b.file("model"), "--recover")
	says(t, byModel, "recovered by the model (rntrajrec) on WebGPU", "the model   map matching")
	b.models = nil
	again, _ := b.run(OK, "sample", b.file("again"), "--recover")
	if strings.ReplaceAll(again, b.file("again"), b.file("out")) != out {
		t.Errorf("the same seed gives other figures:\n%s\n%s", out, again)
	}
	for _, name := range []string{"sample.osm.gz", "trips.csv", "truth.csv", "recovery.csv"} {
		one, err1 := os.ReadFile(filepath.Join(b.dir, "out", name))
		two, err2 := os.ReadFile(filepath.Join(b.dir, "again", name))
		if err1 != nil || err2 != nil || string(one) != string(two) {
			t.Errorf("the same seed gives another %s", name)
		}
	}
}
