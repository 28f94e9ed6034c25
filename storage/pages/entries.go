package pages

import "errors"

// Entry is one key with its value, as found in a file.
type Entry struct {
	Key []byte
	f   *File
	p   *page
	e   element
}

// Size is the length of the value in bytes.
func (e Entry) Size() int64 { return e.e.vsize }

// Value reads the first n bytes of the value.
func (e Entry) Value(n int64) ([]byte, error) {
	if n > e.e.vsize {
		return nil, errors.New("the value is too short")
	}
	if e.f.budget -= n; e.f.budget < 0 {
		return nil, errors.New("the file says the same again and again")
	}
	return e.f.bytes(e.p, e.e.at+e.e.ksize, n)
}

// Entries visits all entries that can be found: first those in their trees, in
// order, then those in pages that no whole page refers to any more. Nothing
// says that they are right, or that each comes once. What is wrong with the
// file is returned; an error is the visitor's, and ends it.
func (f *File) Entries(visit func(Entry) error) ([]Problem, error) {
	w := newWalker(f)
	var failed error
	take := func(p *page) {
		for _, e := range p.elements {
			if failed == nil {
				failed = f.visit(p, e, visit)
			}
		}
	}
	buckets := w.buckets()
	w.whole, w.leaf = false, take
	for _, b := range buckets {
		w.bucket = b.name
		if b.inline != nil {
			take(b.inline)
			continue
		}
		w.tree(b.root, 0, nil, nil)
	}
	w.bucket = ""
	w.orphans(take)
	return w.problems, failed
}

func (f *File) visit(p *page, e element, visit func(Entry) error) error {
	if e.flags == bucketEntry {
		return f.visitInline(p, e, visit)
	}
	key, err := f.key(p, e)
	if err != nil {
		return nil // a damage that the walk has noted
	}
	return visit(Entry{key, f, p, e})
}

// visitInline visits the entries of a small bucket in a root page that was
// found without its tree.
func (f *File) visitInline(p *page, e element, visit func(Entry) error) error {
	b, err := f.bucketOf(p, e)
	if err != nil || b.inline == nil {
		return nil
	}
	for _, e := range b.inline.elements {
		if key, err := f.key(b.inline, e); err == nil && e.flags == 0 {
			if err := visit(Entry{key, f, b.inline, e}); err != nil {
				return err
			}
		}
	}
	return nil
}

// orphans takes the leaves that are neither free nor seen in a tree. Where the
// list of free pages is lost they include some that were removed before.
func (w *walker) orphans(take func(*page)) {
	f := w.f
	free, err := f.free()
	if err != nil {
		free = &freelist{pages: newBitmap(f.pages)}
		w.problem(f.meta.freelist, "the list of free pages is lost: some of what was removed may be back")
	}
	for id := uint64(2); id < f.pages; id++ {
		if w.seen.has(id) || free.pages.has(id) {
			continue
		}
		p, err := f.page(id, false, &w.room)
		if err != nil && !errors.Is(err, errCutOff) || p == nil || !p.leaf {
			continue
		}
		if w.mark(p) {
			take(p)
		}
	}
}
