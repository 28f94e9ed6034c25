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
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
	"retrace/internal/scratch"
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
	path       string // where the bytes of raw lie on disk; empty: nowhere
	packed     *packing
	raw        *source
	text       *bufio.Reader // decompressed, UTF-8, without byte order mark
	head       []byte        // the first bytes of text
	compressed bool
	opt        Options
	names      *namer
	yield      func(*trajectory.Trajectory, error) bool
	projection projection    // of the file, as it says itself or as was asked for
	encoding   string        // of a text file, by its name on the web
	spooled    *scratch.File // what was unpacked to be read anywhere; nil: nothing
	guessed    func(*guess)  // told how a table is taken; may be nil
	quota      int           // samples after which enough was seen; 0: none
	first      Problem       // the first that was left out
	found      int           // trajectories
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
	var err error
	if in.projection = in.opt.raw; in.projection == nil {
		if in.projection, err = projectionOf(in.opt.CRS); err != nil {
			return nil, err
		}
	}
	if in.packed == nil {
		in.packed = &packing{first: int64(in.opt.Limits.Packed), read: func() int64 { return raw.n }}
	}
	r := bufio.NewReaderSize(raw, headSize)
	for depth := 0; isGzip(r); depth++ {
		if depth == maxNested {
			return nil, fmt.Errorf("%s: compressed more than %d times over; unpack it first", in.name, maxNested)
		}
		in.compressed = true
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("%s: the gzip header is damaged: %w", in.name, err)
		}
		r = bufio.NewReaderSize(in.packed.reader(z), headSize)
	}
	if err := in.decode(r); err != nil {
		return nil, err
	}
	head, err := in.peekHead()
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errBudget) && len(head) == 0 {
		return nil, in.failure(err)
	}
	in.head = slices.Clone(head)
	return &in, nil
}

// maxNested is how many archives or compressions may lie in one another.
const maxNested = 3

func isGzip(r *bufio.Reader) bool {
	magic, _ := r.Peek(2)
	return bytes.Equal(magic, []byte{0x1f, 0x8b})
}

// place is a position of the file in degrees on WGS 84.
func (in *input) place(x, y float64) (lon, lat float64) {
	if in.opt.Swap {
		x, y = y, x
	}
	return in.projection.apply(x, y)
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

// emit tidies a finished trajectory and hands on what it is cut into, in order
// of time and each under a name of its own. Line is where it begins.
func (in *input) emit(t *trajectory.Trajectory, line int) error {
	id := t.ID
	pieces := in.opt.Clean.Apply(t.Samples, func(c clean.Change) {
		p := Problem{Line: line, Trajectory: id, Reason: c.Reason, Rule: string(c.Rule), Kept: c.Kept}
		if c.At != nil {
			p.Value = describeSample(*c.At)
			p.At = &roadnet.Point{Lon: c.At.Lon, Lat: c.At.Lat}
		}
		in.problem(p)
	})
	for i, samples := range pieces {
		one := &trajectory.Trajectory{ID: id, Vehicle: t.Vehicle, Source: in.name, Samples: samples}
		if len(pieces) > 1 {
			one.ID, one.Whole = fmt.Sprintf("%s/%d", id, i+1), id
		}
		one.ID = in.names.unique(one.ID)
		in.found++
		if !in.yield(one, nil) {
			return errStop
		}
	}
	return in.ctx.Err()
}

// describeSample is a sample for people.
func describeSample(s trajectory.Sample) string {
	return fmt.Sprintf("%s %.6f %.6f", time.UnixMilli(s.Time).UTC().Format("2006-01-02T15:04:05.999Z"), s.Lon, s.Lat)
}

// spend counts a sample against the quota.
func (in *input) spend() error {
	if in.quota > 0 {
		if in.quota--; in.quota == 0 {
			return errBudget
		}
	}
	return nil
}

// stem is the file's name without folder and extensions.
func (in *input) stem() string {
	base := filepath.Base(in.name)
	if i := strings.LastIndexByte(base, '!'); i >= 0 { // in an archive
		base = filepath.Base(base[i+1:])
	}
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
