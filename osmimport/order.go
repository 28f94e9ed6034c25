package osmimport

import "strconv"

// objectType is the type of an OSM object; files hold them in this order.
type objectType uint8

const (
	objectNode objectType = iota
	objectWay
	objectRelation
)

// objectKey names an object.
type objectKey struct {
	typ objectType
	id  int64
}

// String is e.g. "way 12".
func (k objectKey) String() string {
	return [...]string{"node ", "way ", "relation "}[k.typ] + strconv.FormatInt(k.id, 10)
}

// before tells whether k comes before o in a sorted file: negative ids first,
// by absolute value.
func (k objectKey) before(o objectKey) bool {
	if k.typ != o.typ {
		return k.typ < o.typ
	}
	if (k.id < 0) != (o.id < 0) {
		return k.id < 0
	}
	if k.id < 0 {
		return k.id > o.id
	}
	return k.id < o.id
}

// orderRun watches whether the objects of a stretch of a file are sorted.
type orderRun struct {
	any         bool
	first, last objectKey
	breaks      int64
	at          []objectKey // the first objects out of order
}

// see takes the next object.
func (r *orderRun) see(typ objectType, id int64) {
	k := objectKey{typ, id}
	if !r.any {
		r.any, r.first = true, k
	} else if k.before(r.last) {
		r.note(k)
	}
	r.last = k
}

func (r *orderRun) note(k objectKey) {
	if r.breaks++; len(r.at) < maxObjects {
		r.at = append(r.at, k)
	}
}

// follow takes the stretch that comes next in the file.
func (r *orderRun) follow(next orderRun) {
	if !next.any {
		return
	}
	if !r.any {
		*r = next
		return
	}
	if next.first.before(r.last) {
		r.note(next.first)
	}
	r.breaks += next.breaks
	for _, k := range next.at {
		if len(r.at) < maxObjects {
			r.at = append(r.at, k)
		}
	}
	r.last = next.last
}

// objectRun is what is noted of the objects of a stretch of a file.
type objectRun struct {
	read     Counts
	order    orderRun
	negative someObjects // with negative ids
	large    someObjects // left out: with more references than the limit
}

// see takes the next object.
func (r *objectRun) see(typ objectType, id int64) {
	r.order.see(typ, id)
	r.negative.seeNegative(typ, id)
}

// follow takes the stretch that comes next in the file.
func (r *objectRun) follow(next objectRun) {
	r.read.Ways += next.read.Ways
	r.read.Relations += next.read.Relations
	r.order.follow(next.order)
	r.negative.follow(next.negative)
	r.large.follow(next.large)
}

// someObjects counts objects of which some are named.
type someObjects struct {
	count int64
	at    []objectKey
}

func (n *someObjects) add(typ objectType, id int64) {
	if n.count++; len(n.at) < maxObjects {
		n.at = append(n.at, objectKey{typ, id})
	}
}

// seeNegative takes the next object, and counts it where its id is negative.
func (n *someObjects) seeNegative(typ objectType, id int64) {
	if id < 0 {
		n.add(typ, id)
	}
}

func (n *someObjects) follow(next someObjects) {
	n.count += next.count
	for _, k := range next.at {
		if len(n.at) < maxObjects {
			n.at = append(n.at, k)
		}
	}
}
