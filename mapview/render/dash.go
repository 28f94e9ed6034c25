package render

// dashes adds to dst the dashes of a line: pattern gives the lengths of dash,
// gap, dash, gap and so on.
func dashes(dst *lines, pts []point, pattern []float32) {
	var period float32
	for _, d := range pattern {
		period += d
	}
	if period <= 0 || len(pts) < 2 {
		return
	}
	i, left, on := 0, pattern[0], true
	dst.move(pts[0])
	for n := 1; n < len(pts); n++ {
		a, b := pts[n-1], pts[n]
		size := distance(a, b)
		var done float32
		for size-done > left {
			done += left
			p := a.toward(b, done/size)
			if on {
				dst.move(p)
				dst.end()
			} else {
				dst.move(p)
			}
			on = !on
			i = (i + 1) % len(pattern)
			left = pattern[i]
		}
		left -= size - done
		if on {
			dst.move(b)
		}
	}
	dst.end()
}
