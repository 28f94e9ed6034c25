package work

import (
	"context"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
)

// Glance is what the beginning of a file holds where it is read in a way.
type Glance struct {
	*read.Inspection
	Trips  []*trajectory.Trajectory
	Advice []Advice
}

// glanceSamples is how many points a glance looks at.
const glanceSamples = 20_000

// Look reads the beginning of a file as was chosen. It may run on any
// goroutine; net may be nil.
func Look(ctx context.Context, path string, c Choice, cleaning Cleaning, net *roadnet.Network) (*Glance, error) {
	g, err := look(ctx, path, c, cleaning, net, glanceSamples)
	if err != nil {
		return nil, err
	}
	g.Advice = advise(ctx, path, c, g, net)
	return g, ctx.Err()
}

func look(ctx context.Context, path string, c Choice, cleaning Cleaning, net *roadnet.Network, samples int) (*Glance, error) {
	opt, err := c.options(cleaning, net)
	if err != nil {
		return nil, err
	}
	g := &Glance{}
	opt.Head = samples
	opt.Look = func(t *trajectory.Trajectory) { g.Trips = append(g.Trips, t) }
	g.Inspection, err = read.Inspect(ctx, path, nil, opt)
	return g, err
}
