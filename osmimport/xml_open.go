package osmimport

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// xmlStream is the uncompressed content of an XML file.
type xmlStream struct {
	io.Reader
	file *os.File
	in   *countingReader
}

func (s *xmlStream) close() error { return s.file.Close() }

// openXML opens an XML file, unpacking it if its format says so.
func openXML(ctx context.Context, path string, f format, limits Limits) (*xmlStream, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := &countingReader{ctx: ctx, r: file}
	s := &xmlStream{Reader: in, file: file, in: in}
	switch f {
	case formatGzip:
		zr, err := gzip.NewReader(bufio.NewReaderSize(in, 64<<10))
		if err != nil {
			file.Close()
			return nil, &FormatError{Path: path, Problem: "a damaged gzip header", Advice: adviceDamaged, Err: err}
		}
		s.Reader = &limitedReader{path: path, r: zr, in: in, limits: limits}
	case formatBzip2:
		s.Reader = &limitedReader{path: path, r: bzip2.NewReader(bufio.NewReaderSize(in, 64<<10)), in: in, limits: limits}
	}
	return s, nil
}

// countingReader counts what is read from a file, and stops when ctx ends.
type countingReader struct {
	ctx context.Context
	r   io.Reader
	n   int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// limitedReader unpacks no more than the limits allow.
type limitedReader struct {
	path   string
	r      io.Reader
	in     *countingReader
	limits Limits
	n      int64
}

// slack is what a file may unpack to whatever its ratio.
const slack = 4 << 20

func (l *limitedReader) Read(p []byte) (int, error) {
	if err := l.in.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := l.r.Read(p[:min(len(p), 64<<10)])
	l.n += int64(n)
	switch {
	case l.n > l.limits.Ratio*l.in.n+slack:
		return n, l.fail(fmt.Sprintf("%d packed bytes that unpack to more than %d", l.in.n, l.n), adviceLimit, nil)
	case l.n > l.limits.Total:
		return n, l.fail(fmt.Sprintf("more than %d bytes unpacked", l.limits.Total), adviceLimit, nil)
	case err == nil || err == io.EOF || l.in.ctx.Err() != nil:
		return n, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return n, l.fail("the packed data ends too early", adviceDamaged, nil)
	}
	return n, l.fail("the packed data is damaged", adviceDamaged, err)
}

func (l *limitedReader) fail(problem, advice string, err error) error {
	return &FormatError{Path: l.path, Offset: l.in.n, Problem: problem, Advice: advice, Err: err}
}
