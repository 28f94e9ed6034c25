package osmimport

import "context"

// xmlMembers gathers the ways that only polygons need.
type xmlMembers struct {
	need *idSet
	take func(memberWay)
	way  memberWay
	open bool // inside a needed way
}

// members hands the needed ways to take, in the order of the file.
func (f *xmlFile) members(ctx context.Context, need *idSet, take func(memberWay)) error {
	return f.each(ctx, func(int64) {}, &xmlMembers{need: need, take: take})
}

func (m *xmlMembers) start(x *xmlReader, t *xmlTag) (err error) {
	switch {
	case t.depth == 2 && t.name == "way":
		m.way.refs = m.way.refs[:0]
		m.way.id, err = x.id()
		m.open = err == nil && !x.deleted() && m.need.has(m.way.id)
	case t.depth == 3 && m.open && t.name == "nd" && len(m.way.refs) < x.limits.Refs:
		var id int64
		id, err = x.ref()
		m.way.refs = append(m.way.refs, id)
	}
	return err
}

func (m *xmlMembers) end(depth int) error {
	if depth == 2 && m.open {
		m.take(m.way)
		m.open = false
	}
	return nil
}
