package read

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
)

// arrowMemory is how many bytes the record batches of a file may take at a time.
const arrowMemory = 1 << 30

// errArrowMemory refuses a batch that takes more.
var errArrowMemory = fmt.Errorf("a record batch takes more than %d MiB of memory: write the file in smaller batches", arrowMemory>>20)

// boundedMemory gives no more than a limit, which grows with the bytes of the file
// that were read: a column that is compressed says itself how much it unpacks to.
type boundedMemory struct{ limit, used int }

// grow allows for so many bytes more of the file.
func (m *boundedMemory) grow(bytes int) { m.limit = min(m.limit+packedRatio*bytes, arrowMemory) }

func (m *boundedMemory) Allocate(size int) []byte {
	m.take(size)
	return make([]byte, size)
}

func (m *boundedMemory) Reallocate(size int, b []byte) []byte {
	m.take(size - len(b))
	if size <= cap(b) {
		return b[:size]
	}
	return append(b, make([]byte, size-len(b))...)
}

func (m *boundedMemory) Free(b []byte) { m.used -= len(b) }

// take counts bytes. The interface that it is for knows no errors; whoever
// reads turns the panic into one.
func (m *boundedMemory) take(size int) {
	if size > m.limit-m.used {
		if m.limit < arrowMemory {
			panic(errPacked)
		}
		panic(errArrowMemory)
	}
	m.used += size
}

var errArrowMessage = errors.New("its description contradicts itself")

// message reads the next message of a stream: a marker, the length of its
// description, the description, the body.
func (m *arrowMessages) message() (*ipc.Message, error) {
	var word [4]byte
	if _, err := io.ReadFull(m.r, word[:]); err != nil {
		return nil, err // io.EOF between two messages is an end
	}
	if binary.LittleEndian.Uint32(word[:]) == 0xffffffff { // older writers have no marker
		if _, err := io.ReadFull(m.r, word[:]); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
	}
	size := int(binary.LittleEndian.Uint32(word[:]))
	if size == 0 {
		m.marked = true
		return nil, io.EOF
	}
	m.n++
	if size < 16 || size > m.meta {
		return nil, fmt.Errorf("its description has %d bytes, the limit is %d", size, m.meta)
	}
	meta, err := readBytes(m.r, size)
	if err != nil {
		return nil, err
	}
	length, err := checkArrow(meta)
	if err != nil {
		return nil, err
	}
	if length < 0 || length > int64(m.limit) {
		return nil, errArrowMemory
	}
	body, err := readBytes(m.r, int(length))
	if err != nil {
		return nil, err
	}
	m.memory.grow(len(body))
	return ipc.NewMessage(memory.NewBufferBytes(meta), memory.NewBufferBytes(body)), nil
}

// readBytes reads so many bytes, and takes memory as they come.
func readBytes(r io.Reader, n int) ([]byte, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b.Bytes(), nil
}

// checkArrow looks over the description of a message before the library trusts
// it: no list in it is longer than the bytes that it has, no type lies in itself.
// It gives the length of the body. What else is wrong makes the library panic,
// which is caught.
func checkArrow(meta []byte) (body int64, err error) {
	defer func() {
		if recover() != nil {
			err = errArrowMessage
		}
	}()
	root := &flatbuffers.Table{Bytes: meta, Pos: flatbuffers.GetUOffsetT(meta)}
	header, ok := child(root, 8)
	if !ok {
		return 0, errArrowMessage
	}
	kind := byte(0)
	if o := root.Offset(6); o != 0 {
		kind = root.GetByte(flatbuffers.UOffsetT(o) + root.Pos)
	}
	if o := root.Offset(10); o != 0 {
		body = root.GetInt64(flatbuffers.UOffsetT(o) + root.Pos)
	}
	left := len(meta) / 4 // no more fields than that have room
	switch kind {
	case 1: // schema
		return body, checkFields(header, 6, 0, &left)
	case 2: // dictionary batch
		if header, ok = child(header, 6); !ok {
			return 0, errArrowMessage
		}
		fallthrough
	case 3: // record batch
		for _, slot := range []flatbuffers.VOffsetT{6, 8, 12} {
			if _, n := list(header, slot); n > len(meta)/8 {
				return 0, errArrowMessage
			}
		}
	}
	return body, nil
}

// child is the table in a slot of another.
func child(t *flatbuffers.Table, slot flatbuffers.VOffsetT) (*flatbuffers.Table, bool) {
	o := t.Offset(slot)
	if o == 0 {
		return nil, false
	}
	at := t.Indirect(flatbuffers.UOffsetT(o) + t.Pos)
	return &flatbuffers.Table{Bytes: t.Bytes, Pos: at}, int(at) < len(t.Bytes)
}

// list is where the list in a slot begins and how long it is.
func list(t *flatbuffers.Table, slot flatbuffers.VOffsetT) (flatbuffers.UOffsetT, int) {
	o := t.Offset(slot)
	if o == 0 {
		return 0, 0
	}
	return t.Vector(flatbuffers.UOffsetT(o)), t.VectorLen(flatbuffers.UOffsetT(o))
}

// checkFields looks over a list of fields and those in them.
func checkFields(t *flatbuffers.Table, slot flatbuffers.VOffsetT, depth int, left *int) error {
	at, n := list(t, slot)
	if *left -= n; depth > maxDepth || n < 0 || *left < 0 {
		return errArrowMessage
	}
	for i := range n {
		field := &flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(at + flatbuffers.UOffsetT(i)*flatbuffers.SizeUOffsetT)}
		if err := checkFields(field, 14, depth+1, left); err != nil { // its children
			return err
		}
		if _, pairs := list(field, 16); pairs > len(t.Bytes)/4 { // its metadata
			return errArrowMessage
		}
	}
	return nil
}
