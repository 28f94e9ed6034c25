package work

import (
	"context"
	"path/filepath"
	"strings"

	"retrace/engine/trajectory/read"
)

// groupUp puts the trajectory files of a drop that are written alike together,
// each group to be read as its shape was before. Of each table the beginning is
// read.
func groupUp(ctx context.Context, s *sorted, m memory) (*Intake, error) {
	in := &Intake{Cleaning: m.Cleaning, names: s.names}
	byShape := map[string]*Group{}
	var taken []string
	for _, path := range s.trajectories {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		kind := s.kinds[path]
		shape := ""
		if kind == read.CSV {
			var table bool
			if shape, table = shapeOf(ctx, path); !table {
				s.unknown = append(s.unknown, path)
				continue
			}
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
		taken = append(taken, path)
	}
	s.trajectories = taken
	return in, nil
}

// shapeSamples is how many points are looked at to tell a table's shape.
const shapeSamples = 200

// shapeOf names how a table is written; empty where it cannot be told. A text
// that only might be one, for it has commas, and that holds neither places nor
// times, is none.
func shapeOf(ctx context.Context, path string) (shape string, table bool) {
	ending := strings.ToLower(filepath.Ext(strings.TrimSuffix(path, ".gz")))
	table = ending == ".csv" || ending == ".tsv"
	i, err := read.Inspect(ctx, path, nil, read.Options{Head: shapeSamples})
	if err != nil || i.Dialect == nil {
		return "", table
	}
	for _, c := range i.Dialect.Columns {
		switch c.Role {
		case read.Lon, read.Lat, read.Time, read.Date, read.Geometry:
			table = true
		}
	}
	return i.Dialect.Shape(), table
}
