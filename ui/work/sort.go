package work

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"retrace/engine/trajectory/read"
	"retrace/internal/filehead"
	"retrace/osmimport"
)

// sorted is what a drop holds, told by the content of its files.
type sorted struct {
	extracts     []string
	trajectories []string
	unknown      []string // neither
	unread       []error  // could not be opened
	temp         string   // folder of what was unpacked; empty: none
}

// headSize is how much of a file is looked at to tell what it is.
const headSize = 64 << 10

// maxUnpacked bounds what is unpacked from the zip files of one drop.
const maxUnpacked = 8 << 30

// sortOut walks files, folders and zip files and tells what each file is.
func sortOut(ctx context.Context, paths []string) (*sorted, error) {
	s := &sorted{}
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
	if s.temp != "" {
		os.RemoveAll(s.temp)
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
		if e.IsDir() || hidden {
			return nil
		}
		return s.file(ctx, p)
	})
}

func (s *sorted) file(ctx context.Context, path string) error {
	head, err := filehead.Read(path, headSize)
	if err != nil {
		s.unread = append(s.unread, err)
		return nil
	}
	if strings.HasPrefix(string(head), "PK\x03\x04") {
		return s.unpack(ctx, path)
	}
	if osmimport.IsExtract(head) {
		s.extracts = append(s.extracts, path)
	} else if _, ok := read.KindOf(head); ok {
		s.trajectories = append(s.trajectories, path)
	} else {
		s.unknown = append(s.unknown, path)
	}
	return nil
}

// unpack sorts out the files of a zip file, unpacked into a folder of our own.
func (s *sorted) unpack(ctx context.Context, path string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		s.unread = append(s.unread, fmt.Errorf("%s: the zip file cannot be read: %w", path, err))
		return nil
	}
	defer z.Close()
	if s.temp == "" && holdsExtract(z) {
		if s.temp, err = os.MkdirTemp("", "retrace-*"); err != nil {
			return err
		}
	}
	if !holdsExtract(z) { // then it is read as it is
		s.trajectories = append(s.trajectories, path)
		return nil
	}
	left := int64(maxUnpacked)
	for i, f := range z.File {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if f.FileInfo().IsDir() || strings.HasPrefix(filepath.Base(f.Name), ".") {
			continue
		}
		name := filepath.Join(s.temp, fmt.Sprintf("%d-%s", i, filepath.Base(f.Name)))
		n, err := unpackFile(f, name, left)
		if err != nil {
			s.unread = append(s.unread, fmt.Errorf("%s: %s: %w", path, f.Name, err))
			continue
		}
		left -= n
		if err := s.unpacked(name); err != nil {
			return err
		}
	}
	return nil
}

// holdsExtract reports whether an archive holds an OpenStreetMap extract.
func holdsExtract(z *zip.ReadCloser) bool {
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			continue
		}
		head, _ := io.ReadAll(io.LimitReader(r, 512))
		_ = r.Close()
		if osmimport.IsExtract(head) {
			return true
		}
	}
	return false
}

// unpacked tells what an unpacked file is; a zip file in a zip file is left.
func (s *sorted) unpacked(path string) error {
	head, err := filehead.Read(path, headSize)
	switch {
	case err != nil:
		s.unread = append(s.unread, err)
	case osmimport.IsExtract(head):
		s.extracts = append(s.extracts, path)
	default:
		if _, ok := read.KindOf(head); ok {
			s.trajectories = append(s.trajectories, path)
		} else {
			s.unknown = append(s.unknown, path)
		}
	}
	return nil
}

func unpackFile(f *zip.File, name string, left int64) (int64, error) {
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(in, left+1))
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil && n > left {
		err = fmt.Errorf("more than %d bytes unpacked: unpack it yourself and open the files that you need", int64(maxUnpacked))
	}
	if err != nil {
		os.Remove(name)
	}
	return n, err
}
