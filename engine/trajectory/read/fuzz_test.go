package read

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"retrace/engine/trajectory"
)

// Whatever a file holds, a reader comes to an end, and what it hands on is
// sound.

func FuzzCSV(f *testing.F)     { fuzz(f, readCSV) }
func FuzzPorto(f *testing.F)   { fuzz(f, readPorto) }
func FuzzGPX(f *testing.F)     { fuzz(f, readGPX) }
func FuzzGeoJSON(f *testing.F) { fuzz(f, readGeoJSON) }

func fuzz(f *testing.F, read func(*input) error) {
	f.Fuzz(func(t *testing.T, content []byte) {
		ids := map[string]bool{}
		problems := 0
		in := input{ctx: context.Background(), name: "fuzz", names: newNamer()}
		in.opt = Options{Limits: Limits{Row: 4096, Samples: 50, Held: 20}, Problem: func(p Problem) {
			if p.Reason == "" || p.File == "" || p.Line < 0 {
				t.Errorf("problem without words: %+v", p)
			}
			problems++
		}}
		in.yield = func(tr *trajectory.Trajectory, err error) bool {
			if err != nil {
				t.Errorf("a reader yields no errors itself: %v", err)
				return false
			}
			if ids[tr.ID] {
				t.Errorf("two trajectories are called %q", tr.ID)
			}
			ids[tr.ID] = true
			checkSound(t, tr)
			return true
		}
		opened, err := open(&source{ctx: in.ctx, r: bytes.NewReader(content)}, in)
		if err != nil {
			return
		}
		if err := read(opened); errors.Is(err, errStop) {
			t.Error("stopped without being asked")
		}
	})
}

func checkSound(t *testing.T, tr *trajectory.Trajectory) {
	if len(tr.Samples) == 0 || len(tr.Samples) > 50 {
		t.Errorf("%q has %d samples", tr.ID, len(tr.Samples))
	}
	last := int64(0)
	for _, s := range tr.Samples {
		if !(math.Abs(s.Lon) <= 180 && math.Abs(s.Lat) <= 90) || s.Time < last || s.Time >= maxTime {
			t.Errorf("%q has a sample that cannot be: %+v", tr.ID, s)
		}
		last = s.Time
	}
}
