package render

import (
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/roadnet"
)

// What is left out of a path lies outside the frame, and what is near a place is
// found: as going through all vertices does.
func TestRunsOfVerticesLeaveNothingOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 120).Draw(t, "vertices")
		pts := make([]roadnet.Point, n)
		for i := range pts {
			pts[i] = at(rapid.Float64Range(-100, 100).Draw(t, "x"), rapid.Float64Range(-100, 100).Draw(t, "y"))
		}
		part := newTrackPart(pts)
		v := Viewport{Center: at(0, 0), Zoom: rapid.Float64Range(13, 17).Draw(t, "zoom"), Width: 300, Height: 200, Scale: 1}.ground(Options{})
		v.keep = 0
		from := rapid.Float64Range(0, part.length()).Draw(t, "from")
		to := rapid.Float64Range(from, part.length()).Draw(t, "to")
		var whole, shown lines
		part.stretch(&whole, &v.frame, from, to)
		part.shown(&shown, &v.frame, from, to)
		if a, b := inView(&whole, v), inView(&shown, v); b < a*0.9999-0.01 || b > a*1.0001+0.01 {
			t.Fatalf("%.2f pixels of the path are in view, want %.2f", b, a)
		}
		place := part.places[rapid.IntRange(0, len(part.places)-1).Draw(t, "near")]
		box := extent{place.X, place.Y, place.X, place.Y}.grown(1000)
		near := map[int]bool{}
		part.eachNear(box, func(k int) { near[k] = true })
		for k := 1; k < len(part.places); k++ {
			if (extent{}).pieceMeets(part.places[k-1], part.places[k], box) && !near[k] {
				t.Fatalf("the piece to vertex %d is left out", k)
			}
		}
	})
}

// pieceMeets reports whether the box around a piece meets another.
func (extent) pieceMeets(a, b place, box extent) bool { return nowhere.with(a).with(b).meets(box) }

// inView is the length of lines within a view, by steps of a pixel.
func inView(l *lines, v groundView) float64 {
	sum := 0.0
	for i := range l.len() {
		pts := l.at(i)
		for k := 1; k < len(pts); k++ {
			const steps = 64
			size := float64(distance(pts[k-1], pts[k]))
			for s := range steps {
				p := pts[k-1].toward(pts[k], (float32(s)+0.5)/steps)
				if p.X >= 0 && p.Y >= 0 && p.X < 300 && p.Y < 200 {
					sum += size / steps
				}
			}
		}
	}
	return sum
}
