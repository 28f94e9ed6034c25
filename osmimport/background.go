package osmimport

import (
	"context"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

func (imp *importer) buildBasemap(ctx context.Context) error {
	imp.basemap = &basemap.Map{}
	return ctx.Err()
}

// missingMembers is the ways that polygons need and the draft does not hold.
func (d *draft) missingMembers() []int64 { return nil }

var _ roadnet.Coord
