package read

import (
	"bytes"
	"errors"
	"io"
)

// errTooLarge is the error of a bounded reader.
var errTooLarge = errors.New("one element is larger than the limit")

// bounded lets a decoder that holds a whole element in memory read no more
// than a limit for each.
type bounded struct {
	r           io.Reader
	limit, left int
}

func newBounded(r io.Reader, limit int) *bounded { return &bounded{r: r, limit: limit, left: limit} }

// next allows another element.
func (b *bounded) next() { b.left = b.limit }

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// lineCounter knows on which line of a stream an offset lies.
type lineCounter struct {
	r      io.Reader
	offset int64
	ends   []int64 // offsets behind the newlines that are not in passed
	passed int     // newlines before the last offset asked for
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for at := 0; ; at++ {
		i := bytes.IndexByte(p[at:n], '\n')
		if i < 0 {
			break
		}
		at += i
		c.ends = append(c.ends, c.offset+int64(at)+1)
	}
	c.offset += int64(n)
	return n, err
}

// line is the line, from 1, on which an offset lies. Offsets are asked for in
// rising order.
func (c *lineCounter) line(offset int64) int {
	n := 0
	for n < len(c.ends) && c.ends[n] <= offset {
		n++
	}
	c.passed += n
	c.ends = c.ends[:copy(c.ends, c.ends[n:])]
	return c.passed + 1
}
