// Package pages reads the pages of a bbolt file without trusting any of them.
// It finds out whether a file is whole before bbolt, which trusts what it
// reads, gets it into its hands, and takes what is whole out of a broken one.
//
// It knows files with one level of buckets, as workspaces are.
package pages

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
)

const (
	headerSize  = 16 // of a page: id 8, flags 2, count 2, overflow 4
	elementSize = 16 // of an entry in a page's table
	metaSize    = 64 // of the meta behind a page header
	tableRead   = 4096

	flagBranch   = 0x01
	flagLeaf     = 0x02
	flagMeta     = 0x04
	flagFreelist = 0x10

	bucketEntry = 1 // flag of a leaf element whose value is a bucket

	magic         = 0xED0CDAED
	formatVersion = 2
	noFreelist    = ^uint64(0)

	minPageSize = 1 << 10
	maxPageSize = 1 << 24
)

// Problem is one thing found wrong with a file.
type Problem struct {
	Page   uint64 // number of the page
	Bucket string // empty: outside of any bucket
	Reason string
}

// String is the problem in words.
func (p Problem) String() string {
	if p.Bucket == "" {
		return fmt.Sprintf("page %d: %s", p.Page, p.Reason)
	}
	return fmt.Sprintf("page %d (%s): %s", p.Page, p.Bucket, p.Reason)
}

// meta is one of the two heads of a file.
type meta struct {
	pageSize int64
	root     uint64 // page of the root bucket
	freelist uint64 // page
	high     uint64 // pages from here on were never used
	txid     uint64
}

// File is a bbolt file as bytes.
type File struct {
	r        io.ReaderAt
	size     int64
	meta     meta
	hasMeta  bool   // else there is no root, and only the scan finds something
	pages    uint64 // number of pages that are used and, at least in part, there
	problems []Problem
	budget   int64 // bytes of values that may yet be read, lest a file of many names for one value takes for ever
}

// Open reads the two heads of a file. Where both are lost it takes pageSize for
// granted. What is wrong with the heads and the size is among the problems that
// Check returns.
func Open(r io.ReaderAt, size int64, pageSize int64) *File {
	f := &File{r: r, size: size, budget: 4 * size}
	first, firstOK := readMeta(r, 0)
	second, secondOK := f.secondMeta(first, firstOK, pageSize)
	switch {
	case firstOK && secondOK:
		f.meta, f.hasMeta = first, true
		if second.txid > first.txid {
			f.meta = second
		}
	case firstOK:
		f.meta, f.hasMeta = first, true
		f.problem(1, "", "the second head of the file is not whole")
	case secondOK:
		f.meta, f.hasMeta = second, true
		f.problem(0, "", "the first head of the file is not whole")
	default:
		f.meta = meta{pageSize: pageSize, high: uint64(size / pageSize), freelist: noFreelist}
		f.problem(0, "", "both heads of the file are lost")
	}
	f.checkSize()
	return f
}

// secondMeta looks for the second head, whose place depends on the page size.
func (f *File) secondMeta(first meta, firstOK bool, pageSize int64) (meta, bool) {
	if firstOK {
		m, ok := readMeta(f.r, first.pageSize)
		return m, ok && m.pageSize == first.pageSize
	}
	if m, ok := readMeta(f.r, pageSize); ok && m.pageSize == pageSize {
		return m, true
	}
	for size := int64(minPageSize); size <= maxPageSize; size *= 2 {
		if m, ok := readMeta(f.r, size); ok && m.pageSize == size {
			return m, true
		}
	}
	return meta{}, false
}

// checkSize notes a file that ends before its last page.
func (f *File) checkSize() {
	have := uint64(f.size / f.meta.pageSize)
	f.pages = min(f.meta.high, have)
	if f.meta.high > have {
		f.problem(have, "", fmt.Sprintf("the file is cut off: %d pages of %d are there", have, f.meta.high))
		if f.size%f.meta.pageSize > 0 {
			f.pages++
		}
	}
}

func (f *File) problem(page uint64, bucket, reason string) {
	f.problems = append(f.problems, Problem{page, bucket, reason})
}

// readMeta reads the head at an offset and reports whether it is whole.
func readMeta(r io.ReaderAt, at int64) (meta, bool) {
	var buf [headerSize + metaSize]byte
	if n, _ := r.ReadAt(buf[:], at); n < len(buf) {
		return meta{}, false
	}
	b := buf[headerSize:]
	h := fnv.New64a()
	h.Write(b[:56])
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	m := meta{pageSize: int64(u32(b[8:])), root: u64(b[16:]), freelist: u64(b[32:]), high: u64(b[40:]), txid: u64(b[48:])}
	ok := u32(b) == magic && u32(b[4:]) == formatVersion && u64(b[56:]) == h.Sum64() &&
		m.pageSize >= minPageSize && m.pageSize <= maxPageSize && m.pageSize&(m.pageSize-1) == 0
	return m, ok
}

// Bolt reports whether a file begins as a bbolt file does, whole or not.
func Bolt(r io.ReaderAt) bool {
	var b [headerSize + 4]byte
	n, _ := r.ReadAt(b[:], 0)
	return n == len(b) && binary.LittleEndian.Uint32(b[headerSize:]) == magic
}

// Plausible reports whether the heads of a file are whole, so that bbolt may
// look at it.
func Plausible(r io.ReaderAt, size int64) bool {
	first, ok := readMeta(r, 0)
	if !ok || size < 2*first.pageSize {
		return false
	}
	second, ok := readMeta(r, first.pageSize)
	return ok && second.pageSize == first.pageSize
}
