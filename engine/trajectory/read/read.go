package read

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"retrace/engine/trajectory"
)

// Options says how to read; the zero value is ready for use.
type Options struct {
	Dialect  *Dialect       // of the CSV files; nil: guessed from the first rows of each
	Zone     *time.Location // of times that name none; nil: UTC
	Problem  func(Problem)  // called for everything that was left out or mended; may be nil
	Progress func(int64)    // called now and then with the bytes read of all files so far, as they lie on disk; may be nil
	Limits   Limits         // zero fields take the default
}

// Limits bounds what a file may ask for. Zero fields take the default.
type Limits struct {
	Row     int // bytes of one CSV row, one GeoJSON feature or one XML token; default 32 MiB
	Samples int // of one trajectory; default 10,000,000
	Held    int // samples held in memory while rows are grouped, beyond which they go to disk; default 2,000,000
}

// Problem is something that a reader left out or mended.
type Problem struct {
	File       string `json:"file"`
	Line       int    `json:"line,omitempty"` // from 1; 0: the whole file
	Trajectory string `json:"trajectory,omitempty"`
	Reason     string `json:"reason"`          // the same words for the same kind of problem
	Value      string `json:"value,omitempty"` // what stood there, shortened
	Kept       bool   `json:"kept,omitempty"`  // taken all the same, mended or in doubt
}

// String is the problem in one line: file, line, reason, value.
func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	s += ": " + p.Reason
	if p.Value != "" {
		s += fmt.Sprintf(": %q", p.Value)
	}
	if p.Trajectory != "" {
		s += fmt.Sprintf(" (trajectory %s)", p.Trajectory)
	}
	return s
}

// Files reads the trajectories of several files, one after another; "-" is
// stdin. Where a file cannot be read, or not to its end, an error that names it
// is yielded with a nil trajectory, and the next file follows. The sequence
// ends early when ctx does, with its error.
func Files(ctx context.Context, paths []string, stdin io.Reader, opt Options) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		s := session{ctx: ctx, opt: opt.withDefaults(), names: newNamer(), yield: yield}
		for _, path := range paths {
			err := s.file(path, stdin)
			if errors.Is(err, errStop) || err != nil && !yield(nil, err) || ctx.Err() != nil {
				return
			}
		}
	}
}

// Reader reads the trajectories of one stream that is called name, as [Files]
// does.
func Reader(ctx context.Context, name string, r io.Reader, opt Options) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		s := session{ctx: ctx, opt: opt.withDefaults(), names: newNamer(), yield: yield}
		if err := s.stream(name, &source{ctx: ctx, r: r, progress: opt.Progress}); err != nil && !errors.Is(err, errStop) {
			yield(nil, err)
		}
	}
}

// session is one call of Files or Reader.
type session struct {
	ctx   context.Context
	opt   Options
	names *namer
	yield func(*trajectory.Trajectory, error) bool
	done  int64 // bytes of the files before
}

// file reads the file at path, or stdin.
func (s *session) file(path string, stdin io.Reader) error {
	src := &source{ctx: s.ctx, r: stdin}
	if s.opt.Progress != nil {
		src.progress = func(n int64) { s.opt.Progress(s.done + n) }
	}
	defer func() { s.done += src.n }()
	if path == "-" {
		return s.stream("standard input", src)
	}
	f, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	src.r = f
	return s.stream(path, src)
}

// openFile opens a file that holds data; the error names it.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: this is a folder; name the files in it", path)
	}
	return os.Open(path)
}

// stream reads one file whose bytes come from src.
func (s *session) stream(name string, src *source) error {
	in, err := open(src, input{ctx: s.ctx, name: name, opt: s.opt, names: s.names, yield: s.yield})
	if err != nil {
		return err
	}
	return in.read()
}

// read reads the input in the format that its content tells.
func (in *input) read() error {
	if len(in.head) == 0 {
		return fmt.Errorf("%s: the file is empty", in.name)
	}
	if bytes.HasPrefix(in.head, []byte("PK\x03\x04")) {
		return fmt.Errorf("%s: this is a zip archive; unpack it first", in.name)
	}
	f, ok := formatOf(in.head)
	if !ok {
		return fmt.Errorf("%s: this is no trajectory file that can be read (CSV, GPX, GeoJSON)", in.name)
	}
	if err := f.read(in); err != nil {
		return in.failure(err)
	}
	if in.found > 0 {
		return nil
	}
	if in.first.Reason != "" {
		return fmt.Errorf("%s: no point in it can be read; the first problem: %s", in.name, in.first)
	}
	return fmt.Errorf("%s: there is no trajectory in this %s file", in.name, f.kind)
}

// withDefaults fills the limits that are zero.
func (o Options) withDefaults() Options {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&o.Limits.Row, 32<<20)
	def(&o.Limits.Samples, 10_000_000)
	def(&o.Limits.Held, 2_000_000)
	return o
}
