package render

// shown appends what of a stretch may show: what lies outside the frame is left
// out.
func (t *trackPart) shown(dst *lines, f *frame, from, to float64) {
	t.eachShown(f, from, to, func(from, to float64) { t.stretch(dst, f, from, to) })
}

// eachShown calls do with every unbroken piece of a stretch that may show.
func (t *trackPart) eachShown(f *frame, from, to float64, do func(from, to float64)) {
	n := len(t.places)
	if n < 2 || to <= from {
		return
	}
	start, on := from, false
	first := max(t.search(from)-1, 0) / run
	for c := first; c < len(t.boxes) && float64(t.along[c*run]) < to; c++ {
		shows := t.boxes[c].meets(f.view)
		if begin := max(from, float64(t.along[c*run])); shows && !on {
			start = begin
		} else if !shows && on {
			do(start, begin)
		}
		on = shows
	}
	if on {
		do(start, to)
	}
}

// heading is the place at some metres from the start, and the direction there,
// in image pixels.
func (t *trackPart) heading(f *frame, metres float64) (at, dir point) {
	i := min(max(t.search(metres), 1), len(t.along)-1)
	a, b := f.at(t.places[i-1]), f.at(t.places[i])
	return f.at(t.at(metres)), b.minus(a).unit()
}

// eachNear calls do with every vertex k of which the piece that leads there may
// meet a box.
func (t *trackPart) eachNear(box extent, do func(k int)) {
	for c, b := range t.boxes {
		if !b.meets(box) {
			continue
		}
		for k := c*run + 1; k <= min((c+1)*run, len(t.places)-1); k++ {
			do(k)
		}
	}
}
