package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
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
// whole, else only the table. The page is returned as far as it makes sense, and with an
// error if not all of it does.
func (f *File) page(id uint64, whole bool) (*page, error) {
	if id < 2 || id >= f.pages {
		return nil, fmt.Errorf("there is no page %d", id)
	}
	first := int64(tableRead)
	if whole || first > f.meta.pageSize {
		first = f.meta.pageSize
	}
	p := &page{id: id, at: int64(id) * f.meta.pageSize}
	p.raw = f.read(p.at, first)
	if len(p.raw) < headerSize {
		return nil, errCutOff
	}
	err := f.parse(p)
	if !p.leaf && int64(len(p.raw)) < f.meta.pageSize {
		p.raw = f.read(p.at, f.meta.pageSize)
	}
	return p, err
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
		p.raw = f.read(p.at, table)
	}
	p.elements = parseTable(p.raw, p.leaf, int(count), int64(p.overflow+1)*f.meta.pageSize)
	switch {
	case id != p.id:
		return fmt.Errorf("it calls itself page %d", id)
	case len(p.elements) < int(count), p.at+int64(p.overflow+1)*f.meta.pageSize > f.size:
		return errCutOff
	}
	return p.checkTable(f.meta.pageSize)
}

// parseTable reads the elements of a page that takes size bytes in all.
func parseTable(raw []byte, leaf bool, count int, size int64) []element {
	if have := (len(raw) - headerSize) / elementSize; count > have {
		count = have
	}
	u32 := binary.LittleEndian.Uint32
	elements := make([]element, count)
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
	if need := uint64((end + pageSize - 1) / pageSize); need != p.overflow+1 {
		return fmt.Errorf("it takes %d pages and says %d", need, p.overflow+1)
	}
	if !p.leaf && len(p.elements) == 0 {
		return errors.New("it is a branch without children")
	}
	return nil
}

// read returns up to n bytes at an offset, fewer at the end of the file.
func (f *File) read(at, n int64) []byte {
	if at >= f.size {
		return nil
	}
	buf := make([]byte, min(n, f.size-at))
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
