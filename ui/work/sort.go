package work

import (
	"context"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"

	"retrace/engine/trajectory/read"
	"retrace/internal/filehead"
	"retrace/internal/scratch"
	"retrace/osmimport"
)

// sorted is what a drop holds, told by the content of its files.
type sorted struct {
	extracts     []string
	trajectories []string
	kinds        map[string]read.Kind // of the trajectory files; an archive has none
	unknown      []string             // neither
	unread       []error              // could not be opened
	temp         *scratch.Folder      // of what was unpacked; nil: none
	names        map[string]string    // of what was unpacked, as people know it
}

// headSize is how much of a file is looked at to tell what it is.
const headSize = 64 << 10

// sortOut walks files, folders and zip files and tells what each file is.
func sortOut(ctx context.Context, paths []string) (*sorted, error) {
	s := &sorted{kinds: map[string]read.Kind{}, names: map[string]string{}}
	for _, p := range paths {
		if err := s.take(ctx, p); err != nil {
			s.clean()
			return nil, err
		}
	}
	sort.Strings(s.extracts)
	sort.Strings(s.trajectories)
	return s, nil
}

// clean removes what was unpacked.
func (s *sorted) clean() {
	if s.temp != nil {
		_ = s.temp.Remove()
	}
}

func (s *sorted) take(ctx context.Context, path string) error {
	return filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.unread = append(s.unread, err)
			return nil
		}
		hidden := strings.HasPrefix(e.Name(), ".") && p != path
		if e.IsDir() && hidden {
			return fs.SkipDir
		}
		if e.IsDir() || hidden || read.IsSidecar(p) {
			return nil
		}
		head, err := filehead.Read(p, headSize)
		switch {
		case err != nil:
			s.unread = append(s.unread, err)
		case strings.HasPrefix(string(head), "PK\x03\x04"):
			return s.archive(ctx, p)
		default:
			s.file(p, head)
		}
		return nil
	})
}

// file tells what a file is by its beginning.
func (s *sorted) file(path string, head []byte) {
	if osmimport.IsExtract(head) && osmimport.IsExtractFile(path) {
		s.extracts = append(s.extracts, path)
	} else if kind, ok := read.KindOfFile(path); ok {
		s.trajectories = append(s.trajectories, path)
		s.kinds[path] = kind
	} else if err := osmimport.Foreign(s.name(path), head); err != nil {
		s.unread = append(s.unread, err)
	} else {
		s.unknown = append(s.unknown, path)
	}
}

// name is how people know the file at path.
func (s *sorted) name(path string) string {
	if name, ok := s.names[path]; ok {
		return name
	}
	return path
}
