package read

import (
	"encoding/binary"
	"errors"
)

// errThrift refuses a description in which a count is larger than what follows.
var errThrift = errors.New("it names more than it has room for")

// Types of Thrift's compact protocol.
const (
	thriftTrue, thriftFalse, thriftByte                  = 1, 2, 3
	thriftI64, thriftDouble, thriftBinary                = 6, 7, 8
	thriftList, thriftSet, thriftMap, thriftStruct, uuid = 9, 10, 11, 12, 13
)

// mostListed bounds the structs that the lists of a description hold: the library
// takes some hundred bytes for each, which a few bytes of the file can name.
const mostListed = 1 << 20

// checkThrift looks over the struct at the beginning of some bytes: no string and
// no list in it is longer than what follows can fill. What is behind the struct
// is not looked at.
func checkThrift(b []byte) error {
	c := thriftCheck{left: b, listed: min(mostListed, len(b)/4)}
	return c.fields(0)
}

type thriftCheck struct {
	left   []byte
	listed int // structs that lists may still hold
}

func (c *thriftCheck) skip(n uint64) error {
	if n > uint64(len(c.left)) {
		return errThrift
	}
	c.left = c.left[n:]
	return nil
}

func (c *thriftCheck) byte() (byte, error) {
	if len(c.left) == 0 {
		return 0, errThrift
	}
	b := c.left[0]
	c.left = c.left[1:]
	return b, nil
}

func (c *thriftCheck) varint() (uint64, error) {
	v, n := binary.Uvarint(c.left)
	if n <= 0 {
		return 0, errThrift
	}
	c.left = c.left[n:]
	return v, nil
}

// fields goes over the fields of a struct.
func (c *thriftCheck) fields(depth int) error {
	if depth > maxDepth {
		return errThrift
	}
	for {
		head, err := c.byte()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 { // the number of the field follows
			if _, err := c.varint(); err != nil {
				return err
			}
		}
		if kind := head & 15; kind != thriftTrue && kind != thriftFalse { // which stand in the head
			if err := c.value(kind, depth); err != nil {
				return err
			}
		}
	}
}

// value goes over a value.
func (c *thriftCheck) value(kind byte, depth int) error {
	switch {
	case kind == thriftTrue || kind == thriftFalse || kind == thriftByte:
		return c.skip(1)
	case kind > thriftByte && kind <= thriftI64:
		_, err := c.varint()
		return err
	case kind == thriftDouble:
		return c.skip(8)
	case kind == thriftBinary:
		n, err := c.varint()
		if err != nil {
			return err
		}
		return c.skip(n)
	case kind == thriftList || kind == thriftSet:
		return c.list(depth)
	case kind == thriftMap:
		return c.pairs(depth)
	case kind == thriftStruct:
		return c.fields(depth + 1)
	case kind == uuid:
		return c.skip(16)
	}
	return errThrift
}

// list goes over a list or set, each element of which takes a byte or more.
func (c *thriftCheck) list(depth int) error {
	head, err := c.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = c.varint(); err != nil {
			return err
		}
	}
	kind := head & 15
	if n > uint64(len(c.left)) {
		return errThrift
	}
	if kind >= thriftBinary {
		if c.listed -= int(n); c.listed < 0 {
			return errThrift
		}
	}
	return c.times(int(n), depth, kind)
}

// pairs goes over a map.
func (c *thriftCheck) pairs(depth int) error {
	n, err := c.varint()
	if err != nil || n == 0 {
		return err
	}
	kinds, err := c.byte()
	if err != nil || n > uint64(len(c.left)) {
		return errThrift
	}
	if c.listed -= int(n); c.listed < 0 {
		return errThrift
	}
	return c.times(int(n), depth, kinds>>4, kinds&15)
}

// times goes over so many values of some types in turn.
func (c *thriftCheck) times(n, depth int, kinds ...byte) error {
	if depth++; depth > maxDepth {
		return errThrift
	}
	for range n {
		for _, kind := range kinds {
			if err := c.value(kind, depth); err != nil {
				return err
			}
		}
	}
	return nil
}
