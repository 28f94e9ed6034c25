package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"retrace/engine/trajectory"
)

// headSize is how much of a file is looked at to tell what it is.
const headSize = 64 << 10

// errStop ends reading because the caller wants no more; errBudget because
// enough was seen.
var (
	errStop   = errors.New("stopped")
	errBudget = errors.New("read as far as was asked")
)

// input is one file while it is read.
type input struct {
	ctx        context.Context
	name       string
	raw        *source
	text       *bufio.Reader // decompressed, UTF-8, without byte order mark
	head       []byte        // the first bytes of text
	compressed bool
	opt        Options
	names      *namer
	yield      func(*trajectory.Trajectory, error) bool
	first      Problem // the first that was left out
	found      int     // trajectories
}

// source counts the bytes of a file as they are read and ends when ctx does.
type source struct {
	ctx      context.Context
	r        io.Reader
	n        int64
	budget   int64 // bytes after which errBudget is returned; 0: none
	progress func(int64)
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if s.budget > 0 {
		if s.n >= s.budget {
			return 0, errBudget
		}
		p = p[:min(int64(len(p)), s.budget-s.n)]
	}
	n, err := s.r.Read(p)
	s.n += int64(n)
	if s.progress != nil {
		s.progress(s.n)
	}
	return n, err
}

// open puts decompression and decoding before a stream.
func open(raw *source, in input) (*input, error) {
	in.raw = raw
	r := bufio.NewReaderSize(raw, headSize)
	magic, _ := r.Peek(2)
	if in.compressed = bytes.Equal(magic, []byte{0x1f, 0x8b}); in.compressed {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("%s: the gzip header is damaged: %w", in.name, err)
		}
		r = bufio.NewReaderSize(z, headSize)
	}
	in.text = bufio.NewReaderSize(decoded(r), headSize)
	head, err := in.text.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errBudget) && len(head) == 0 {
		return nil, in.failure(err)
	}
	in.head = slices.Clone(head)
	return &in, nil
}

// decoded turns UTF-16 into UTF-8 and drops a byte order mark.
func decoded(r *bufio.Reader) io.Reader {
	mark, _ := r.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte{0xef, 0xbb, 0xbf}):
		_, _ = r.Discard(3)
	case bytes.HasPrefix(mark, []byte{0xff, 0xfe}):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(r)
	case bytes.HasPrefix(mark, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM).NewDecoder().Reader(r)
	}
	return r
}

// failure says of which file an error is, in words where the library has none.
func (in *input) failure(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, errStop), errors.Is(err, errBudget):
		return err
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("%s: the compressed data is damaged: %w", in.name, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the file ends in the middle: it is cut off", in.name)
	}
	return fmt.Errorf("%s: %w", in.name, err)
}

// problem reports what was left out or mended.
func (in *input) problem(p Problem) {
	p.File = in.name
	p.Value = shorten(p.Value)
	if !p.Kept && in.first.Reason == "" {
		in.first = p
	}
	if in.opt.Problem != nil {
		in.opt.Problem(p)
	}
}

// emit hands a finished trajectory on, in order of time and under a name of its
// own. Line is where it begins.
func (in *input) emit(t *trajectory.Trajectory, line int) error {
	t.ID = in.names.unique(t.ID)
	t.Source = in.name
	byTime := func(a, b trajectory.Sample) int {
		switch {
		case a.Time < b.Time:
			return -1
		case a.Time > b.Time:
			return 1
		}
		return 0
	}
	if !slices.IsSortedFunc(t.Samples, byTime) {
		slices.SortStableFunc(t.Samples, byTime)
		in.problem(Problem{Line: line, Trajectory: t.ID, Reason: "not in order of time, sorted", Kept: true})
	}
	in.found++
	if !in.yield(t, nil) {
		return errStop
	}
	return in.ctx.Err()
}

// stem is the file's name without folder and extensions.
func (in *input) stem() string {
	base := filepath.Base(in.name)
	base = strings.TrimSuffix(base, ".gz")
	if s := strings.TrimSuffix(base, filepath.Ext(base)); s != "" {
		return s
	}
	return base
}

// text decodes what a file says, which is UTF-8 or else taken as Windows-1252.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	s, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "�")
	}
	return string(s)
}

// shorten cuts a value that is shown to a person.
func shorten(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}
