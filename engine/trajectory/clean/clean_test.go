package clean

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrace/engine/trajectory"
)

// at makes samples of seconds and metres east, a second each unless told.
func at(pairs ...[2]float64) []trajectory.Sample {
	var all []trajectory.Sample
	for _, p := range pairs {
		all = append(all, trajectory.Sample{Time: 1_700_000_000_000 + int64(p[0]*1000), Lon: p[1] / 111195, Lat: 0})
	}
	return all
}

// text writes pieces as seconds:metres, cuts as |.
func text(pieces [][]trajectory.Sample) string {
	var parts []string
	for _, p := range pieces {
		var words []string
		for _, s := range p {
			words = append(words, fmt.Sprintf("%d:%.0f", (s.Time-1_700_000_000_000)/1000, s.Lon*111195))
		}
		parts = append(parts, strings.Join(words, " "))
	}
	return strings.Join(parts, " | ")
}

func TestEachRuleDoesOneThingAndTellsOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		rules   Rules
		samples []trajectory.Sample
		want    string
		changes string
	}{
		"nothing to do":     {Default(), at([2]float64{0, 0}, [2]float64{60, 500}), "0:0 60:500", ""},
		"order":             {Rules{}, at([2]float64{60, 500}, [2]float64{0, 0}), "0:0 60:500", "backwards kept"},
		"backwards":         {Rules{DropBackwards: true}, at([2]float64{0, 0}, [2]float64{60, 500}, [2]float64{30, 9}, [2]float64{60, 600}), "0:0 60:500 60:600", "backwards"},
		"duplicates":        {Rules{Duplicates: true}, at([2]float64{0, 0}, [2]float64{0, 9}, [2]float64{60, 500}), "0:0 60:500", "duplicates"},
		"outside":           {Rules{Inside: func(lon, _ float64) bool { return lon < 0.01 }}, at([2]float64{0, 0}, [2]float64{60, 9000}), "0:0", "outside"},
		"a spike":           {Rules{MaxSpeed: 50}, at([2]float64{0, 0}, [2]float64{10, 90000}, [2]float64{20, 200}), "0:0 20:200", "jumps"},
		"a jump for good":   {Rules{MaxSpeed: 50}, at([2]float64{0, 0}, [2]float64{10, 90000}, [2]float64{20, 90100}, [2]float64{30, 90200}, [2]float64{40, 90300}), "0:0 | 10:90000 20:90100 30:90200 40:90300", "jumps kept"},
		"a gap":             {Rules{Gap: time.Minute}, at([2]float64{0, 0}, [2]float64{60, 9}, [2]float64{121, 20}), "0:0 60:9 | 121:20", "gaps kept"},
		"an unusual gap":    {Default(), at([2]float64{0, 0}, [2]float64{60, 9}, [2]float64{1900, 20}), "0:0 60:9 | 1900:20", "gaps kept"},
		"a gap as any":      {Default(), at([2]float64{0, 0}, [2]float64{3600, 9}, [2]float64{7200, 20}), "0:0 3600:9 7200:20", ""},
		"a stop":            {Rules{Stop: time.Minute}, at([2]float64{0, 0}, [2]float64{60, 500}, [2]float64{90, 510}, [2]float64{130, 520}, [2]float64{140, 900}), "0:0 60:500 | 130:520 140:900", "stops,stops kept"},
		"a short stop":      {Rules{Stop: time.Minute}, at([2]float64{0, 0}, [2]float64{60, 500}, [2]float64{90, 510}, [2]float64{140, 900}), "0:0 60:500 90:510 140:900", ""},
		"standing":          {Rules{Standing: 20}, at([2]float64{0, 0}, [2]float64{10, 5}, [2]float64{20, 5}, [2]float64{30, 6}, [2]float64{40, 300}), "0:0 30:6 40:300", "standing,standing"},
		"nothing is left":   {Rules{Inside: func(_, _ float64) bool { return false }}, at([2]float64{0, 0}), "", "outside"},
		"all that is there": {Rules{}, nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var told []string
			got := c.rules.Apply(c.samples, func(c Change) {
				word := string(c.Rule)
				if c.Kept {
					word += " kept"
				}
				told = append(told, word)
			})
			if text(got) != c.want {
				t.Errorf("got %s, want %s", text(got), c.want)
			}
			if strings.Join(told, ",") != c.changes {
				t.Errorf("told of %s, want %s", told, c.changes)
			}
		})
	}
}

// Whatever the rules: every sample that went in comes out or is told of, and
// what comes out is in order.
func TestNothingIsLostSilently(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var samples []trajectory.Sample
		for range rapid.IntRange(0, 40).Draw(rt, "samples") {
			samples = append(samples, at([2]float64{float64(rapid.IntRange(0, 600).Draw(rt, "second")), float64(rapid.IntRange(0, 20000).Draw(rt, "metre"))})...)
		}
		rules := Rules{
			DropBackwards: rapid.Bool().Draw(rt, "backwards"), Duplicates: rapid.Bool().Draw(rt, "duplicates"),
			MaxSpeed: rapid.SampledFrom([]float64{0, 30, 300}).Draw(rt, "speed"), Standing: rapid.SampledFrom([]float64{0, 500}).Draw(rt, "standing"),
			Gap:  rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(rt, "gap"),
			Stop: rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(rt, "stop"), StopRadius: 2000,
		}
		told, left := 0, 0
		for _, piece := range rules.Apply(slices.Clone(samples), func(c Change) {
			if !c.Kept {
				told++
			}
		}) {
			if len(piece) == 0 {
				rt.Fatal("an empty piece")
			}
			if !slices.IsSortedFunc(piece, func(a, b trajectory.Sample) int { return int(a.Time - b.Time) }) {
				rt.Fatal("not in order")
			}
			left += len(piece)
		}
		if left+told != len(samples) {
			rt.Fatalf("%d samples went in, %d came out and %d were told of", len(samples), left, told)
		}
	})
}
