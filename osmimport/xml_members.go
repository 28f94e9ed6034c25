package osmimport

import "context"

// members hands the needed ways to take, in the order of the file.
func (f *xmlFile) members(ctx context.Context, need *idSet, take func(memberWay)) error {
	var way memberWay
	open := false
	start := func(x *xmlReader, t *xmlTag) (err error) {
		switch {
		case t.depth == 2 && t.name == "way":
			way = memberWay{refs: way.refs[:0]}
			way.id, err = x.id()
			open = err == nil && !x.deleted() && need.has(way.id)
		case t.depth == 3 && open && t.name == "nd" && len(way.refs) < x.limits.Refs:
			var id int64
			id, err = x.ref()
			way.refs = append(way.refs, id)
		}
		return err
	}
	end := func(depth int) error {
		if depth == 2 && open {
			take(way)
			open = false
		}
		return nil
	}
	return f.each(ctx, func(int64) {}, start, end)
}
