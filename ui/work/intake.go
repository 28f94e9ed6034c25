package work

import (
	"context"

	"retrace/engine/trajectory/read"
)

// groupUp puts the trajectory files of a drop that are written alike together,
// each group to be read as its shape was before. Of each table the beginning is
// read.
func groupUp(ctx context.Context, s *sorted, m memory) (*Intake, error) {
	in := &Intake{Cleaning: m.Cleaning, names: s.names}
	byShape := map[string]*Group{}
	for _, path := range s.trajectories {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kind := s.kinds[path]
		shape := ""
		if kind == read.CSV {
			shape = shapeOf(ctx, path)
		}
		key := string(kind) + " " + shape
		if kind == read.CSV && shape == "" {
			key = path // it cannot be told: shown by itself
		}
		g := byShape[key]
		if g == nil {
			g = &Group{Kind: kind, shape: key}
			if kind == read.CSV {
				g.Choice, g.Remembered = m.Shapes[key]
			}
			byShape[key] = g
			in.Groups = append(in.Groups, g)
		}
		g.Paths = append(g.Paths, path)
	}
	return in, nil
}

// shapeSamples is how many points are looked at to tell a table's shape.
const shapeSamples = 200

// shapeOf names how a table is written; empty where it cannot be told.
func shapeOf(ctx context.Context, path string) string {
	i, err := read.Inspect(ctx, path, nil, read.Options{Head: shapeSamples})
	if err != nil || i.Dialect == nil {
		return ""
	}
	return i.Dialect.Shape()
}
