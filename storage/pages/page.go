package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// page is one page of a tree and the table of its elements.
type page struct {
	id       uint64
	at       int64 // offset in the file
	leaf     bool
	overflow uint64 // further pages that belong to it
	elements []element
	raw      []byte // what was read of it, from its beginning
}

// element is one entry of a page: a key and a value, or a key and a child.
type element struct {
	flags  uint32
	at     int64 // of the key, from the beginning of the page
	ksize  int64
	vsize  int64
	child  uint64
	inPage bool
}

var errCutOff = errors.New("it is cut off")

// page reads a page of a tree. Of a leaf it reads all of its first page with
// whole, else only the table, and returns it in room, whose buffers it uses
// again. The page is returned as far as it makes sense, and with an error if
// not all of it does.
func (f *File) page(id uint64, whole bool, room *page) (*page, error) {
	if id < 2 || id >= f.pages {
		return nil, fmt.Errorf("there is no page %d", id)
	}
	first := int64(tableRead)
	if whole || first > f.meta.pageSize {
		first = f.meta.pageSize
	}
	at := int64(id) * f.meta.pageSize
	*room = page{id: id, at: at, raw: f.readInto(room.raw, at, first), elements: room.elements[:0]}
	if len(room.raw) < headerSize {
		return nil, errCutOff
	}
	err := f.parse(room)
	if room.leaf {
		return room, err
	}
	p := *room
	p.raw, p.elements = f.read(at, f.meta.pageSize), slices.Clone(room.elements)
	return &p, err
}

// parse makes sense of a page's header and table. It reads on where the table
// is longer than what was read.
func (f *File) parse(p *page) error {
	u16, u32, u64 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	id, flags, count := u64(p.raw), u16(p.raw[8:]), int64(u16(p.raw[10:]))
	p.overflow = uint64(u32(p.raw[12:]))
	if flags != flagBranch && flags != flagLeaf {
		return fmt.Errorf("it is no page of a tree (%#x)", flags)
	}
	p.leaf = flags == flagLeaf
	if table := headerSize + count*elementSize; table > int64(len(p.raw)) {
		p.raw = f.readInto(p.raw, p.at, table)
	}
	p.elements = parseTable(p.elements, p.raw, p.leaf, int(count), int64(p.overflow+1)*f.meta.pageSize)
	switch {
	case id != p.id:
		return fmt.Errorf("it calls itself page %d", id)
	case len(p.elements) < int(count), p.at+int64(p.overflow+1)*f.meta.pageSize > f.size:
		return errCutOff
	}
	return p.checkTable(f.meta.pageSize)
}

// parseTable reads the elements of a page that takes size bytes in all.
func parseTable(elements []element, raw []byte, leaf bool, count int, size int64) []element {
	if have := (len(raw) - headerSize) / elementSize; count > have {
		count = have
	}
	u32 := binary.LittleEndian.Uint32
	elements = slices.Grow(elements[:0], count)[:count]
	for i := range elements {
		at := int64(headerSize + i*elementSize)
		b := raw[at:]
		e := &elements[i]
		if leaf {
			*e = element{flags: u32(b), at: at + int64(u32(b[4:])), ksize: int64(u32(b[8:])), vsize: int64(u32(b[12:]))}
		} else {
			*e = element{at: at + int64(u32(b)), ksize: int64(u32(b[4:])), child: binary.LittleEndian.Uint64(b[8:])}
		}
		e.inPage = e.ksize > 0 && e.at+e.ksize+e.vsize <= size
	}
	return elements
}

// checkTable checks that keys and values lie one behind the other and fill the
// page and those that belong to it, as bbolt writes them.
func (p *page) checkTable(pageSize int64) error {
	end := int64(headerSize + len(p.elements)*elementSize)
	for i, e := range p.elements {
		if !e.inPage || e.at != end || e.flags > bucketEntry {
			return fmt.Errorf("its entry %d makes no sense", i)
		}
		end = e.at + e.ksize + e.vsize
	}
	if need, says := uint64((end+pageSize-1)/pageSize), p.overflow+1; need != says {
		p.overflow = need - 1
		return fmt.Errorf("it takes %d pages and says %d", need, says)
	}
	if !p.leaf && len(p.elements) == 0 {
		return errors.New("it is a branch without children")
	}
	return nil
}

// read returns up to n bytes at an offset, fewer at the end of the file.
func (f *File) read(at, n int64) []byte { return f.readInto(nil, at, n) }

// readInto is read into a buffer that may be written over.
func (f *File) readInto(buf []byte, at, n int64) []byte {
	if at >= f.size {
		return nil
	}
	n = min(n, f.size-at)
	buf = slices.Grow(buf[:0], int(n))[:n]
	got, _ := f.r.ReadAt(buf, at)
	return buf[:got]
}

// bytes returns n bytes of a page from offset at within it.
func (f *File) bytes(p *page, at, n int64) ([]byte, error) {
	if at+n <= int64(len(p.raw)) {
		return p.raw[at : at+n], nil
	}
	if b := f.read(p.at+at, n); int64(len(b)) == n {
		return b, nil
	}
	return nil, errCutOff
}

func (f *File) key(p *page, e element) ([]byte, error) {
	if !e.inPage || e.ksize > maxKey {
		return nil, errors.New("a key makes no sense")
	}
	return f.bytes(p, e.at, e.ksize)
}

// maxKey is the longest key that bbolt takes.
const maxKey = 32768
