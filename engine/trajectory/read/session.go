package read

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"retrace/engine/trajectory"
)

// Files reads the trajectories of several files, folders and archives, one file
// after another; "-" is stdin. A file is read as a whole or not at all: where it
// cannot be read to its end, an error that names it is yielded with a nil
// trajectory, and the next file follows. The sequence ends early when ctx does,
// with its error.
func Files(ctx context.Context, paths []string, stdin io.Reader, opt Options) iter.Seq2[*trajectory.Trajectory, error] {
	return func(yield func(*trajectory.Trajectory, error) bool) {
		s := newSession(ctx, opt, yield)
		for _, path := range paths {
			err := s.path(path, stdin)
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
		s := newSession(ctx, opt, yield)
		err := s.stream(item{name: name, src: &source{ctx: ctx, r: r, progress: opt.Progress}})
		if err != nil && !errors.Is(err, errStop) {
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

func newSession(ctx context.Context, opt Options, yield func(*trajectory.Trajectory, error) bool) *session {
	s := &session{ctx: ctx, opt: opt.withDefaults(), names: newNamer(), yield: yield}
	if s.opt.Known == nil {
		s.opt.Known = NewKnown()
	}
	return s
}

// item is one file to be read: on disk, in an archive, or a stream.
type item struct {
	name   string
	path   string // where its bytes lie as they are; empty: nowhere
	src    *source
	packed *packing // what bounds the bytes that come out of archives; nil: none yet
	depth  int      // archives that it lies in
}

// path reads a file, all files of a folder, or stdin.
func (s *session) path(path string, stdin io.Reader) error {
	if path == "-" {
		return s.stream(item{name: "standard input", src: s.counted(stdin)})
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return s.folder(path)
	}
	return s.file(path, info)
}

// SameFile is the reason that is told of a file that was read before; the value
// is the path under which it was.
const SameFile = "the same file was read already"

// file reads the file at path, unless it was read before.
func (s *session) file(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() && info.Mode()&(fs.ModeNamedPipe|fs.ModeCharDevice) == 0 {
		return fmt.Errorf("%s: this is no file", path)
	}
	defer func() { s.done += info.Size() }()
	before, err := s.opt.Known.seen(s.ctx, path, info)
	if err != nil {
		return err
	}
	if before != "" {
		s.leftOut(path, SameFile, before)
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	it := item{name: path, src: s.counted(f)}
	if info.Mode().IsRegular() {
		it.path = path
	}
	if err := s.stream(it); err != nil {
		return err
	}
	s.opt.Known.add(path, info)
	return nil
}

// counted is a stream whose bytes are told as progress.
func (s *session) counted(r io.Reader) *source {
	src := &source{ctx: s.ctx, r: r}
	if s.opt.Progress != nil {
		src.progress = func(n int64) { s.opt.Progress(s.done + n) }
	}
	return src
}

// leftOut tells of a file that is not read.
func (s *session) leftOut(name, reason, value string) {
	if s.opt.Problem != nil {
		s.opt.Problem(Problem{File: name, Reason: reason, Value: value})
	}
}

// folder reads all files below a folder, by name. What is no trajectory file is
// told and left; hidden files and the parts of shapefiles are passed over.
func (s *session) folder(root string) error {
	taken := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err != nil {
			s.leftOut(path, "cannot be opened", err.Error())
			return nil
		}
		hidden := strings.HasPrefix(e.Name(), ".") && path != root
		if e.IsDir() && hidden {
			return fs.SkipDir
		}
		if e.IsDir() || hidden || IsSidecar(path) {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			s.leftOut(path, "cannot be opened", err.Error())
			return nil
		}
		err = s.file(path, info)
		switch {
		case err == nil:
			taken++
		case errors.Is(err, errStop), s.ctx.Err() != nil:
			return err
		case errors.Is(err, errUnknown):
			s.leftOut(path, "no trajectory file that can be read", "")
		case !s.yield(nil, err):
			return errStop
		}
		return nil
	})
	if err == nil && taken == 0 {
		return fmt.Errorf("%s: there is no trajectory file in this folder that can be read", root)
	}
	return err
}

// IsSidecar reports whether a file goes with another one of another ending and
// is no file of trajectories by itself.
func IsSidecar(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".dbf", ".shx", ".prj", ".cpg", ".qpj", ".sbn", ".sbx", ".qix":
		return true
	}
	return strings.HasSuffix(path, "-metadata.json") || filepath.Base(path) == "about.txt" || filepath.Base(path) == "full-texts.csv" // which Retrace writes
}

// stream reads one file. Its trajectories are handed on when it was read to its
// end.
func (s *session) stream(it item) error {
	in, err := open(it.src, input{ctx: s.ctx, name: it.name, path: it.path, packed: it.packed, opt: s.opt, names: s.names})
	if err != nil {
		return err
	}
	defer in.close()
	if isArchive(in.head) {
		return s.archive(in, it.depth)
	}
	h := &hold{limit: s.opt.Limits.Held}
	defer h.close()
	in.yield = h.take
	s.names.begin()
	err = in.read()
	if errors.Is(err, errStop) && h.err != nil {
		err = h.err
	}
	if err != nil && (s.ctx.Err() != nil || !s.opt.Partial) {
		s.names.undo()
		return err
	}
	if done := h.each(func(t *trajectory.Trajectory) bool { return s.yield(t, nil) && s.ctx.Err() == nil }); done != nil {
		return done
	}
	return errors.Join(err, s.ctx.Err())
}

// errUnknown says that no reader takes a file.
var errUnknown = errors.New("this is no trajectory file that can be read")

// read reads the input in the format that its content tells.
func (in *input) read() error {
	if len(in.head) == 0 {
		return fmt.Errorf("%s: the file is empty", in.name)
	}
	f, ok := in.format()
	if !ok {
		return fmt.Errorf("%s: %w (%s)", in.name, errUnknown, kindNames())
	}
	if err := in.guarded(f.read); err != nil {
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

// guarded reads with a reader whose library may panic over what is broken.
func (in *input) guarded(read func(*input) error) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("the file is damaged: %v", broken)
		}
	}()
	return read(in)
}
