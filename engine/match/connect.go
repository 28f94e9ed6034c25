package match

import "context"

// connect links the layers: each to the next and, where such a link looks as
// if one of its samples were an outlier, past that sample.
func (m *Matcher) connect(ctx context.Context, t *lattice) error {
	t.into = make([][]*link, len(t.layers))
	c := connector{m: m, lat: t, done: make(map[[2]int]bool)}
	for i := 0; i+1 < len(t.layers); i++ {
		good, err := c.link(ctx, i, i+1)
		if err != nil {
			return err
		}
		if good {
			continue
		}
		if err := c.around(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

type connector struct {
	m    *Matcher
	lat  *lattice
	done map[[2]int]bool // whether the link made is good
}

// link makes the link between two layers, unless there is one or there cannot
// be one, and reports whether it is good.
func (c *connector) link(ctx context.Context, from, to int) (bool, error) {
	if good, ok := c.done[[2]int{from, to}]; ok {
		return good, nil
	}
	l, err := c.m.link(ctx, c.lat, from, to)
	if err != nil {
		return false, err
	}
	a, b := &c.lat.layers[from], &c.lat.layers[to]
	if (a.pinned || b.pinned) && !l.tooFast && !l.anyKnown() { // a break costs nothing there
		if err := c.m.resolve(ctx, l, a, b, 0, 0); err != nil {
			return false, err
		}
	}
	c.lat.into[to] = append(c.lat.into[to], l)
	good := l.good(c.m.set.Skip)
	c.done[[2]int{from, to}] = good
	return good, nil
}

// around links past the later and past the earlier sample of a bad link, as
// far as is needed to find a good link.
func (c *connector) around(ctx context.Context, i int) error {
	for skip := 1; skip <= mostSkipped; skip++ {
		if i+1+skip >= len(c.lat.layers) || c.lat.layers[i+skip].pinned {
			break
		}
		if good, err := c.link(ctx, i, i+1+skip); good || err != nil {
			break
		}
	}
	for skip := 1; skip <= mostSkipped; skip++ {
		if i-skip < 0 || c.lat.layers[i-skip+1].pinned {
			break
		}
		if good, err := c.link(ctx, i-skip, i+1); good || err != nil {
			break
		}
	}
	return ctx.Err()
}
