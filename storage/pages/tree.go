package pages

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

const maxDepth = 64

// maxProblems bounds the list of problems of a file that is mostly lost.
const maxProblems = 100

// walker goes through the trees of a file, each page once.
type walker struct {
	f        *File
	seen     bitmap
	problems []Problem
	whole    bool // read the keys of leaves too
	bucket   string
	leaf     func(*page) // which must not keep it
	room     page        // of the leaf
}

func newWalker(f *File) *walker {
	return &walker{f: f, seen: newBitmap(f.pages), problems: f.problems[:len(f.problems):len(f.problems)]}
}

func (w *walker) problem(id uint64, format string, args ...any) {
	if len(w.problems) < maxProblems {
		w.problems = append(w.problems, Problem{id, w.bucket, fmt.Sprintf(format, args...)})
	}
}

// tree visits the pages below id and calls leaf for each leaf that makes some
// sense, in order. Keys are to lie from low (if any) up to high (if any).
func (w *walker) tree(id uint64, depth int, low, high []byte) {
	if depth > maxDepth {
		w.problem(id, "the tree is too deep")
		return
	}
	if w.seen.has(id) {
		w.problem(id, "it is referred to twice")
		return
	}
	p, err := w.f.page(id, w.whole, &w.room)
	if err != nil {
		w.problem(id, "%v", err)
	}
	if p == nil {
		return
	}
	if !w.mark(p) {
		w.problem(id, "another page lies within it")
		return
	}
	if p.leaf {
		if w.whole {
			w.keys(p, low, high)
		}
		w.leaf(p)
		return
	}
	keys := w.keys(p, low, high)
	for i, e := range p.elements {
		low, high := low, high
		if i < len(keys) {
			low = keys[i]
		}
		if i+1 < len(keys) {
			high = keys[i+1]
		}
		w.tree(e.child, depth+1, low, high)
	}
}

// mark notes that a page and those that belong to it are in use, unless one of
// them is already. So no byte of a file is looked at more than a few times.
func (w *walker) mark(p *page) bool {
	end := min(p.id+p.overflow, w.f.pages-1)
	for id := p.id; id <= end; id++ {
		if w.seen.has(id) {
			return false
		}
	}
	for id := p.id; id <= end; id++ {
		w.seen.add(id)
	}
	return true
}

// keys returns the keys of a page, after checking that they rise and lie
// within bounds. It ends before the first that does not.
func (w *walker) keys(p *page, low, high []byte) [][]byte {
	keys := make([][]byte, 0, len(p.elements))
	for i, e := range p.elements {
		key, err := w.f.key(p, e)
		if err != nil {
			w.problem(p.id, "entry %d: %v", i, err)
			break
		}
		order := bytes.Compare(key, low)
		if order < 0 || i > 0 && order == 0 || high != nil && bytes.Compare(key, high) >= 0 {
			w.problem(p.id, "the key of entry %d is out of order", i)
			break
		}
		keys = append(keys, key)
		low = key
	}
	return keys
}

// bucket is one bucket as the root knows it.
type bucket struct {
	name   string
	root   uint64 // 0: inline
	inline *page
}

// buckets lists the buckets in the root. The root's pages count as seen.
func (w *walker) buckets() []bucket {
	if !w.f.hasMeta {
		return nil
	}
	var list []bucket
	w.bucket, w.whole = "", true
	w.leaf = func(p *page) {
		for i, e := range p.elements {
			b, err := w.f.bucketOf(p, e)
			if err != nil {
				w.problem(p.id, "entry %d: %v", i, err)
				continue
			}
			list = append(list, b)
		}
	}
	w.tree(w.f.meta.root, 0, nil, nil)
	return list
}

// bucketOf reads a bucket's name and root, or its page where it is inline.
func (f *File) bucketOf(p *page, e element) (bucket, error) {
	key, err := f.key(p, e)
	if err != nil {
		return bucket{}, err
	}
	if e.flags != bucketEntry || e.vsize < 16 || e.vsize > f.meta.pageSize {
		return bucket{}, fmt.Errorf("it is no bucket")
	}
	value, err := f.bytes(p, e.at+e.ksize, e.vsize)
	if err != nil {
		return bucket{}, err
	}
	b := bucket{name: string(key), root: binary.LittleEndian.Uint64(value)}
	if b.root == 0 {
		b.inline, err = inlinePage(bytes.Clone(value[16:]))
	}
	return b, err
}

// inlinePage parses the page of a small bucket, kept as its value.
func inlinePage(raw []byte) (*page, error) {
	if len(raw) < headerSize || binary.LittleEndian.Uint16(raw[8:]) != flagLeaf {
		return nil, fmt.Errorf("its page makes no sense")
	}
	p := &page{leaf: true, raw: raw}
	count := int(binary.LittleEndian.Uint16(raw[10:]))
	p.elements = parseTable(nil, raw, true, count, int64(len(raw)))
	if len(p.elements) < count {
		return p, errCutOff
	}
	return p, p.checkTable(int64(len(raw)))
}

// bitmap is a set of page numbers.
type bitmap []uint64

// newBitmap makes a set for numbers below n.
func newBitmap(n uint64) bitmap { return make(bitmap, n/64+1) }

// has reports whether i is in the set; no number beyond its size is.
func (b bitmap) has(i uint64) bool { return i/64 < uint64(len(b)) && b[i/64]&(1<<(i%64)) != 0 }

// add takes i, below the set's size, into the set.
func (b bitmap) add(i uint64) { b[i/64] |= 1 << (i % 64) }
