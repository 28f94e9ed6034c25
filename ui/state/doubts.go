package state

import (
	"cmp"
	"slices"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
)

// Doubt is a place where a recovery may be wrong: an elevated span of which deck
// or ground is in doubt, or a gap whose way may be another, which the recovered
// point in its middle stands for.
type Doubt struct {
	facts.Doubt
	Item    render.Item // a SpanItem or a TickItem
	Checked bool        // a person has looked at it
}

// Mark says that a person has looked at a place and found it right. It holds
// for as long as the same is recovered there.
type Mark struct {
	Span    bool              // else a recovered point
	At      int64             // Unix milliseconds, when it was passed
	Road    string            // of a span
	Deck    trajectory.Deck   // of a span
	Segment roadnet.SegmentID // of a point
}

// doubts is the list of all places in doubt, as of a revision of the trips.
type doubts struct {
	list    []Doubt
	left    int
	built   int
	visited render.Item // that NextDoubt led to last
}

// Doubts lists the places in doubt of all trips, those of the highest risk first.
func (m *Model) Doubts() []Doubt {
	d := &m.doubts
	if d.built == m.revision {
		return d.list
	}
	d.list, d.left, d.built = nil, 0, m.revision
	for _, t := range m.trips {
		if t.fits {
			d.list = t.appendDoubts(d.list)
		}
	}
	slices.SortStableFunc(d.list, func(a, b Doubt) int { return cmp.Compare(b.Risk, a.Risk) })
	for _, x := range d.list {
		if !x.Checked {
			d.left++
		}
	}
	return d.list
}

// DoubtsLeft counts the places in doubt that are not checked yet, and all.
func (m *Model) DoubtsLeft() (left, all int) {
	list := m.Doubts()
	return m.doubts.left, len(list)
}

func (t *Trip) appendDoubts(list []Doubt) []Doubt {
	for _, d := range t.finding.doubts {
		item := render.Item{Kind: render.TickItem, Trip: t.ID(), Index: d.Tick}
		if d.Span {
			item.Kind, item.Index = render.SpanItem, d.Index
		}
		list = append(list, Doubt{Doubt: d, Item: item, Checked: t.checked(item)})
	}
	return list
}

// NextDoubt is the place in doubt that follows the one selected and is not
// checked (step 1), from the top again after the last, or the one before it
// (step -1); false where there is none.
func (m *Model) NextDoubt(step int) (render.Item, bool) {
	list := m.Doubts()
	at := m.doubtOf(m.selected)
	if at < 0 {
		at = m.doubtOf(m.doubts.visited)
	}
	for n := range list {
		i := at + step*(n+1)
		if step < 0 && i < 0 {
			break
		}
		i = (i + len(list)) % len(list)
		if step < 0 || !list[i].Checked {
			m.doubts.visited = list[i].Item
			return list[i].Item, true
		}
	}
	return render.Item{}, false
}

// doubtOf is where in the list an item is, -1 where it is not.
func (m *Model) doubtOf(item render.Item) int {
	return slices.IndexFunc(m.Doubts(), func(d Doubt) bool { return d.Item == item })
}

// Checked reports whether a person has looked at a span or a recovered point.
func (m *Model) Checked(item render.Item) bool {
	t := m.byID[item.Trip]
	return t != nil && t.checked(item)
}

func (t *Trip) checked(item render.Item) bool {
	if len(t.Checked) == 0 {
		return false
	}
	mark, ok := t.MarkOf(item)
	return ok && slices.Contains(t.Checked, mark)
}

// MarkOf is the mark that a span or a recovered point gets; false for what
// cannot be marked.
func (t *Trip) MarkOf(item render.Item) (Mark, bool) {
	r := t.Shown()
	switch {
	case r == nil || item.Index < 0:
	case item.Kind == render.SpanItem && item.Index < len(r.Spans):
		s := r.Spans[item.Index]
		return Mark{Span: true, At: s.Enter, Road: s.Road, Deck: s.Kind}, true
	case item.Kind == render.TickItem && item.Index < len(r.Ticks):
		k := r.Ticks[item.Index]
		return Mark{At: k.Time, Segment: k.At.Segment}, true
	}
	return Mark{}, false
}
