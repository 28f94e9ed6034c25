package work

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"retrace/engine/trajectory/read"
	"retrace/internal/filehead"
	"retrace/internal/scratch"
	"retrace/osmimport"
)

// maxUnpacked bounds what is unpacked from one zip file.
const maxUnpacked = 8 << 30

// archive sorts out a zip file: where it holds extracts or tables, which are
// shown before they are read, it is unpacked into a folder of our own, else it
// is read as it is.
func (s *sorted) archive(ctx context.Context, path string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		s.unread = append(s.unread, fmt.Errorf("%s: the zip file cannot be read: %w", path, err))
		return nil
	}
	defer z.Close()
	if !needsUnpacking(z) {
		s.trajectories = append(s.trajectories, path)
		return nil
	}
	if s.temp == nil {
		if s.temp, err = scratch.New("opened"); err != nil {
			return err
		}
	}
	return s.unpack(ctx, path, z)
}

// unpack unpacks a zip file, so that files that belong together stay so.
func (s *sorted) unpack(ctx context.Context, archive string, z *zip.ReadCloser) error {
	folder := s.temp.Join(strconv.Itoa(len(s.names)))
	left := int64(maxUnpacked)
	var files []string
	for _, f := range z.File {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if leftOut(f) {
			continue
		}
		name := filepath.Join(folder, filepath.FromSlash(f.Name))
		n, err := unpackFile(ctx, f, name, left)
		if err != nil {
			s.unread = append(s.unread, fmt.Errorf("%s: %s: %w", archive, f.Name, err))
			continue
		}
		left -= n
		s.names[name] = archive + "!" + f.Name
		files = append(files, name)
	}
	for _, name := range files {
		s.unpacked(name)
	}
	return nil
}

// leftOut reports whether a file of an archive is none to be opened.
func leftOut(f *zip.File) bool {
	return f.FileInfo().IsDir() || strings.HasPrefix(path.Base(f.Name), ".") || strings.HasPrefix(f.Name, "__MACOSX/") || !filepath.IsLocal(f.Name)
}

// unpacked tells what an unpacked file is; an archive in an archive is read as
// it is.
func (s *sorted) unpacked(path string) {
	head, err := filehead.Read(path, headSize)
	switch {
	case read.IsSidecar(path):
	case err != nil:
		s.unread = append(s.unread, err)
	case strings.HasPrefix(string(head), "PK\x03\x04"):
		s.trajectories = append(s.trajectories, path)
	default:
		s.file(path, head)
	}
}

// needsUnpacking reports whether an archive holds an OpenStreetMap extract or a
// table.
func needsUnpacking(z *zip.ReadCloser) bool {
	for _, f := range z.File {
		if leftOut(f) || read.IsSidecar(f.Name) {
			continue
		}
		r, err := f.Open()
		if err != nil {
			continue
		}
		head, _ := io.ReadAll(io.LimitReader(r, headSize))
		_ = r.Close()
		if kind, ok := read.KindOf(head); osmimport.IsExtract(head) || ok && (kind == read.CSV || kind == read.Porto) {
			return true
		}
	}
	return false
}

func unpackFile(ctx context.Context, f *zip.File, name string, left int64) (int64, error) {
	in, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return 0, err
	}
	out, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(untilDone{ctx, in}, left+1))
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

// untilDone reads until ctx ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}
