package strip

// step is a value from one place of the graph to another, in pixels.
type step struct{ from, to, value float64 }

// narrowest is how wide a step is at the least, in pixels: closer ones cannot be told
// apart.
const narrowest = 1.5

// merged joins steps that are too narrow with those behind them, to their mean
// weighted by width. They are in order of their places.
func merged(steps []step) []step {
	var out []step
	for _, s := range steps {
		n := len(out)
		if n > 0 && s.from-out[n-1].to < narrowest && out[n-1].to-out[n-1].from < narrowest {
			last := &out[n-1]
			a, b := last.to-last.from, s.to-s.from
			if a+b > 0 {
				last.value = (last.value*a + s.value*b) / (a + b)
			}
			last.to = s.to
			continue
		}
		out = append(out, s)
	}
	return out
}

// highest is the largest value, at the least a little above 0.
func highest(steps []step) float64 {
	top := 1e-9
	for _, s := range steps {
		top = max(top, s.value)
	}
	return top
}
