package pages

import (
	"encoding/binary"
	"fmt"
)

// Check goes through the structure of a file and returns what is wrong. It
// reads the tables of all pages, of the buckets for which deep is true their
// keys too, and no values.
func (f *File) Check(deep func(bucket string) bool) []Problem {
	w := newWalker(f)
	for _, b := range w.buckets() {
		w.bucket, w.whole = b.name, deep(b.name)
		w.leaf = w.checkLeaf
		if b.inline != nil {
			w.keys(b.inline, nil, nil)
			w.checkLeaf(b.inline)
			continue
		}
		w.tree(b.root, 0, nil, nil)
	}
	w.bucket = ""
	w.checkFree()
	return w.problems
}

// checkLeaf notes buckets within buckets, which workspaces do not have.
func (w *walker) checkLeaf(p *page) {
	for i, e := range p.elements {
		if e.flags != 0 {
			w.problem(p.id, "its entry %d is a bucket", i)
			return
		}
	}
}

// checkFree checks that each page is either in use or free.
func (w *walker) checkFree() {
	f := w.f
	if !f.hasMeta {
		return
	}
	free, err := f.free()
	if err != nil {
		w.problem(f.meta.freelist, "the list of free pages: %v", err)
		return
	}
	for i := f.meta.freelist; i <= f.meta.freelist+free.overflow && i < f.pages; i++ {
		if w.seen.has(i) {
			w.problem(i, "the list of free pages is in use as something else")
		}
		w.seen.add(i)
	}
	for i := uint64(2); i < f.pages; i++ {
		switch used, unused := w.seen.has(i), free.pages.has(i); {
		case used && unused:
			w.problem(i, "it is in use and in the list of free pages")
			return
		case !used && !unused:
			w.problem(i, "it is neither in use nor in the list of free pages")
			return
		}
	}
}

// freelist is the list of pages that may be written.
type freelist struct {
	pages    bitmap
	count    uint64
	overflow uint64 // further pages that hold the list
}

// free reads the list of free pages.
func (f *File) free() (*freelist, error) {
	id := f.meta.freelist
	if id < 2 || id >= f.pages {
		return nil, fmt.Errorf("there is no page %d", id)
	}
	at := int64(id) * f.meta.pageSize
	head := f.read(at, headerSize+8)
	if len(head) < headerSize+8 {
		return nil, errCutOff
	}
	u16, u64 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint64
	if u64(head) != id || u16(head[8:]) != flagFreelist {
		return nil, fmt.Errorf("it is something else")
	}
	l := &freelist{pages: newBitmap(f.pages), overflow: uint64(binary.LittleEndian.Uint32(head[12:]))}
	l.count = uint64(u16(head[10:]))
	at += headerSize
	if l.count == 0xFFFF {
		l.count = u64(head[headerSize:])
		at += 8
	}
	if l.count >= f.meta.high || id+l.overflow >= f.meta.high {
		return nil, fmt.Errorf("it lists %d pages of %d", l.count, f.meta.high)
	}
	return l, l.fill(f, f.read(at, int64(l.count)*8))
}

// fill takes in the page numbers, which rise.
func (l *freelist) fill(f *File, ids []byte) error {
	if uint64(len(ids)) < l.count*8 {
		return errCutOff
	}
	last := uint64(1)
	for i := uint64(0); i < l.count; i++ {
		id := binary.LittleEndian.Uint64(ids[i*8:])
		if id <= last || id >= f.meta.high {
			return fmt.Errorf("its entry %d makes no sense", i)
		}
		if id < f.pages {
			l.pages.add(id)
		}
		last = id
	}
	return nil
}

// FreeBytes is how much of the file is free: pages without content, and what
// lies behind the last page.
func (f *File) FreeBytes() int64 {
	free := f.size - int64(f.meta.high)*f.meta.pageSize
	if l, err := f.free(); err == nil {
		free += int64(l.count) * f.meta.pageSize
	}
	return max(free, 0)
}
