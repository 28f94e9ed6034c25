package strip

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"retrace/engine/trajectory"
	"retrace/ui/look"
	"retrace/ui/state"
)

// graphOf is the graph of a trip with n samples, 15 s apart.
func graphOf(t *testing.T, n int) image.Image {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(look.NewTheme(look.Light, 1))
	m := state.New()
	trip := &trajectory.Trajectory{ID: "t"}
	for i := range n {
		trip.Samples = append(trip.Samples, trajectory.Sample{Time: int64(i) * 15000, Lon: float64(i) * 1e-4})
	}
	m.AddTrips([]*state.Trip{state.NewTrip(trip, nil, nil)})
	m.SelectTrip("t")
	g := newGraph(m)
	g.Resize(fyne.NewSize(800, graphHeight))
	return g.draw(800, graphHeight)
}

// inked is the share of the graph, without the band of decks, that is painted.
func inked(img image.Image) float64 {
	n, all := 0, 0
	for y := range graphHeight - bandBottom - 1 {
		for x := range 800 {
			all++
			if _, _, _, a := img.At(x, y).RGBA(); a > 0 {
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// With thousands of points the input instants leave the curve to be seen.
func TestManyInputsLeaveTheCurveLegible(t *testing.T) {
	if few := inked(graphOf(t, 12)); few < 0.005 {
		t.Errorf("12 inputs paint %.3f of the graph: they are not to be seen", few)
	}
	img := graphOf(t, 5000)
	if all := inked(img); all > 0.25 {
		t.Errorf("5,000 inputs paint %.2f of the graph", all)
	}
	for y := barsTop; y < graphHeight-bandBottom-1; y++ {
		for x := range 800 {
			if _, _, _, a := img.At(x, y).RGBA(); a > 0 {
				t.Fatalf("an input is painted over the curve at %d, %d", x, y)
			}
		}
	}
}

func TestNarrowStepsAreTheirMean(t *testing.T) {
	var steps []step
	for i := range 5000 {
		steps = append(steps, step{float64(i) * 0.16, float64(i+1) * 0.16, float64(i % 2 * 20)})
	}
	got := merged(steps)
	if len(got) > 600 {
		t.Errorf("%d steps on 800 pixels", len(got))
	}
	for _, s := range got[:len(got)-1] {
		if s.value < 8 || s.value > 12 {
			t.Fatalf("the mean of 0 and 20 is %.1f", s.value)
		}
	}
	wide := []step{{0, 10, 3}, {10, 20, 5}, {30, 31, 7}}
	if got := merged(wide); len(got) != 3 {
		t.Errorf("wide steps are merged to %v", got)
	}
}
