package osmimport

import (
	"cmp"
	"slices"
)

// Oddities that concern files rather than single rules.
const (
	oddMissing     = "nodes that roads refer to and no file holds"
	oddMissingArea = "nodes that the background refers to and no file holds"
	oddCut         = "roads cut where nodes are missing"
	oddUnsorted    = "objects out of order"
	oddNegative    = "objects with negative ids"
	oddBox         = "a header box that does not fit the data"
	oddDuplicate   = "objects that come more than once in a file; the first kept"
	oddOverlap     = "objects that several files hold; the first file's kept"
	oddOutside     = "nodes outside the world"
	oddLayer       = "bridges without a layer; 1 assumed"
	oddPolygon     = "multipolygons that do not close"
	oddMember      = "multipolygons of which ways are missing"
	dropLarge      = "ways and relations with more members than any map needs"
	oddRefused     = "roads that the network could not take"
)

// notes counts what is kept, dropped and odd, and names some of the objects.
type notes struct {
	kept, dropped, odd tally
}

// tally counts by what was met.
type tally struct{ items map[string]*Item }

func (t *tally) item(what string) *Item {
	if t.items == nil {
		t.items = map[string]*Item{}
	}
	it := t.items[what]
	if it == nil {
		it = &Item{What: what}
		t.items[what] = it
	}
	return it
}

// add counts one object.
func (t *tally) add(what string, k objectKey) { t.addMany(what, 1, []objectKey{k}) }

// addText counts one thing that is no single object.
func (t *tally) addText(what, text string) {
	it := t.item(what)
	if it.Count++; len(it.Objects) < maxObjects {
		it.Objects = append(it.Objects, text)
	}
}

// addMany counts objects of which only some are named.
func (t *tally) addMany(what string, n int64, some []objectKey) {
	if n == 0 {
		return
	}
	it := t.item(what)
	it.Count += n
	for _, k := range some {
		if len(it.Objects) < maxObjects {
			it.Objects = append(it.Objects, k.String())
		}
	}
}

// list is the items, the most frequent first.
func (t *tally) list() []Item {
	out := make([]Item, 0, len(t.items))
	for _, it := range t.items {
		out = append(out, *it)
	}
	slices.SortFunc(out, func(a, b Item) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.What, b.What))
	})
	return out
}

func (n *notes) drop(reason string, k objectKey) { n.dropped.add(reason, k) }

// duplicate notes an object that was met before, in the same file or another.
func (n *notes) duplicate(k objectKey, sameFile bool) {
	if sameFile {
		n.odd.add(oddDuplicate, k)
	} else {
		n.odd.add(oddOverlap, k)
	}
}
