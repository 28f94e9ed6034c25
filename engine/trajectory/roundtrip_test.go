package trajectory_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/write"
)

// What goes into a file of one format, is read, goes into a file of another and
// is read again comes out as it went in, for every pair of formats. The vehicle
// is not asked for where a format has no place for it.
func TestEveryPairOfFormatsCarriesTrajectories(t *testing.T) {
	want := []*trajectory.Trajectory{
		{ID: `Mühle & "车" <1>, 2; 'x' #3`, Vehicle: "taxi 7", Samples: []trajectory.Sample{
			{Time: 1_704_182_400_000, Lon: -8.5980567, Lat: 41.1491007}, {Time: 1_704_182_400_001, Lon: 179.9999999, Lat: -89.9999999},
			{Time: 1_704_268_800_500, Lon: 0.0000001, Lat: 0}}},
		{ID: "b", Vehicle: "taxi 8", Samples: []trajectory.Sample{{Time: 1_000_000_000_000, Lon: 13.5, Lat: 52.5}}},
	}
	dir := t.TempDir()
	for _, a := range write.Formats() {
		for _, b := range write.Formats() {
			t.Run(a.Name+" and "+b.Name, func(t *testing.T) { throughBoth(t, dir, a, b, want) })
		}
	}
}

// The same for whatever trajectories, and a pair drawn with them.
func TestAnyTrajectoriesAreCarried(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom(write.Formats())
		throughBoth(rt, dir, format.Draw(rt, "first"), format.Draw(rt, "second"), drawTrajectories(rt))
	})
}

// failer is what tests and properties have in common.
type failer interface {
	Fatal(...any)
	Errorf(string, ...any)
}

func throughBoth(t failer, dir string, a, b write.Format, want []*trajectory.Trajectory) {
	between := through(t, filepath.Join(dir, "a"+a.Extension), want)
	got := through(t, filepath.Join(dir, "b"+b.Extension), between)
	vehicles := a.Extension != ".gpx" && b.Extension != ".gpx"
	if diff := differ(got, want, vehicles); diff != "" {
		t.Fatal(diff)
	}
}

// through writes trajectories to a file and reads them again.
func through(t failer, path string, all []*trajectory.Trajectory) []*trajectory.Trajectory {
	w, err := write.CreateSamples(path, write.About{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, tr := range all {
		if err := w.Write(tr); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var got []*trajectory.Trajectory
	opt := read.Options{Problem: func(p read.Problem) { t.Errorf("%s", p) }}
	for tr, err := range read.Files(context.Background(), []string{path}, nil, opt) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, tr)
	}
	return got
}

// drawTrajectories draws some, with positions of seven digits.
func drawTrajectories(t *rapid.T) []*trajectory.Trajectory {
	ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Za-zäöü车轨][-A-Za-z0-9äöü车轨 &<>"',;#/.]{0,20}[a-z0-9]`), 1, 4, rapid.ID[string]).Draw(t, "ids")
	var all []*trajectory.Trajectory
	for i, id := range ids {
		tr := &trajectory.Trajectory{ID: id, Vehicle: fmt.Sprintf("taxi %d", i)}
		at := rapid.Int64Range(1_000_000_000_000, 1_900_000_000_000).Draw(t, "begin")
		for range rapid.IntRange(1, 5).Draw(t, "samples") {
			at += rapid.Int64Range(1, 300_000).Draw(t, "gap")
			tr.Samples = append(tr.Samples, trajectory.Sample{Time: at, Lon: float64(rapid.IntRange(-1_799_999_999, 1_799_999_999).Draw(t, "lon")) / 1e7,
				Lat: float64(rapid.IntRange(1, 899_999_999).Draw(t, "lat")) / 1e7})
		}
		all = append(all, tr)
	}
	return all
}

// differ says how trajectories differ; empty: not at all.
func differ(got, want []*trajectory.Trajectory, vehicles bool) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d trajectories, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.ID != w.ID || vehicles && g.Vehicle != w.Vehicle || !slices.Equal(g.Samples, w.Samples) {
			return fmt.Sprintf("trajectory %d is %+v, want %+v", i, *g, *w)
		}
	}
	return ""
}
