package read

import (
	"fmt"

	"retrace/engine/trajectory"
)

// grouper gathers the rows of a table into trajectories, in whatever order the
// rows come. Samples are held in memory up to a limit; beyond it they go to
// runs on disk, which are merged in the end.
type grouper struct {
	in     *input
	index  map[string]int // of the key of a trajectory
	groups []group
	key    []byte // scratch
	held   int    // samples in memory
	spill  *spill // nil: nothing is on disk
}

// group is one trajectory while it is gathered.
type group struct {
	id, vehicle string
	line        int // of its first row
	count       int
	samples     []trajectory.Sample // those in memory
}

func newGrouper(in *input) *grouper { return &grouper{in: in, index: map[string]int{}} }

// add adds the sample of a row. Trajectories are told apart by id and vehicle.
func (g *grouper) add(id, vehicle []byte, s trajectory.Sample, line int) error {
	g.key = append(append(append(g.key[:0], id...), 0), vehicle...)
	i, known := g.index[string(g.key)]
	if !known {
		i = len(g.groups)
		g.index[string(g.key)] = i
		g.groups = append(g.groups, group{id: text(id), vehicle: text(vehicle), line: line})
	}
	p := &g.groups[i]
	if p.count >= g.in.opt.Limits.Samples {
		if p.count == g.in.opt.Limits.Samples {
			p.count++
			g.in.problem(Problem{Line: line, Trajectory: p.id, Reason: tooMany})
		}
		return nil
	}
	p.count++
	p.samples = append(p.samples, s)
	if g.held++; g.held >= g.in.opt.Limits.Held {
		if err := g.flush(); err != nil {
			return err
		}
	}
	return g.in.spend()
}

// flush moves the samples in memory to a run on disk.
func (g *grouper) flush() error {
	if g.spill == nil {
		spill, err := newSpill()
		if err != nil {
			return fmt.Errorf("no room on disk for rows beyond memory: %w", err)
		}
		g.spill = spill
	}
	if err := g.spill.write(g.groups); err != nil {
		return fmt.Errorf("rows beyond memory could not be kept on disk: %w", err)
	}
	for i := range g.groups {
		g.groups[i].samples = nil
	}
	g.held = 0
	return nil
}

// emit hands on every trajectory, in the order in which they first appeared.
func (g *grouper) emit() error {
	for i := range g.groups {
		p := &g.groups[i]
		samples := p.samples
		if g.spill != nil {
			stored, err := g.spill.read(i, nil)
			if err != nil {
				return fmt.Errorf("rows that were kept on disk could not be read: %w", err)
			}
			samples = append(stored, samples...)
		}
		p.samples = nil
		t := &trajectory.Trajectory{ID: p.id, Vehicle: p.vehicle, Samples: samples}
		if err := g.in.emit(t, p.line); err != nil {
			return err
		}
	}
	return nil
}

// close removes what is on disk.
func (g *grouper) close() {
	if g.spill != nil {
		g.spill.close()
	}
}
