// Package atomicfile writes files that are either complete or not there.
package atomicfile

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"retrace/internal/scratch"
)

// File is written beside its final name. Commit gives it that name, Abort
// removes it.
type File struct {
	*os.File
	final string // empty: written in place
	done  bool
}

// Create opens a file that will be called path. A symbolic link there stays, and
// the file comes where it leads. A device or a pipe that stands there already is
// written to at once. What killed programs left in the folder is removed.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder, not a file", path)
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{File: f}, err
	}
	final, err := Resolve(path)
	if err != nil {
		return nil, err
	}
	if byNumber(final) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		return &File{File: f}, err
	}
	scratch.ClearFiles(filepath.Dir(final), isPart)
	f, err := beside(final)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return &File{File: f, final: final}, nil
}

// beside makes a file of ours in the folder of another.
func beside(final string) (*os.File, error) {
	folder, base := filepath.Split(final)
	for {
		name := filepath.Join(folder, fmt.Sprintf(".%s%s%08x%s", base, partMark, rand.Uint32(), partEnd))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil || scratch.Own(f) {
			return f, err
		}
		_ = f.Close() // another program took it for left over before it was ours
	}
}

// The names of files that are not complete: .NAME.retrace-12345678.part
const (
	partMark = ".retrace-"
	partEnd  = ".part"
)

func isPart(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, partMark) && strings.HasSuffix(name, partEnd)
}

// byNumber reports whether a path names an open file by its number, as
// /dev/stdout does: whoever opened it would not see another put in its place.
func byNumber(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/fd/")
}

// maxLinks is how many symbolic links may lead from one to the next.
const maxLinks = 40

// Resolve is the path that a file at path would have behind symbolic links,
// whether it is there or not.
func Resolve(path string) (string, error) {
	at := path
	for range maxLinks {
		info, err := os.Lstat(at)
		if err != nil || info.Mode()&os.ModeSymlink == 0 || byNumber(at) {
			return at, nil
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			// Not cleaned: of a linked folder .. is the one that it leads to.
			to = filepath.Dir(at) + string(filepath.Separator) + to
		}
		at = to
	}
	return "", fmt.Errorf("%s: the symbolic links lead round in circles", path)
}

// Device reports whether the file is a device or a pipe, which is written in
// place.
func (f *File) Device() bool { return f.final == "" }

// Commit syncs the file and gives it its final name, in place of what is called
// so. Where that fails, nothing is left behind.
func (f *File) Commit() error {
	if f.done {
		return os.ErrClosed
	}
	if f.final == "" {
		f.done = true
		return f.Close()
	}
	err := f.Sync()
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = rename(f.Name(), f.final)
	}
	if err != nil {
		f.Abort()
		return fmt.Errorf("%s cannot be written: %w", f.final, err)
	}
	f.done = true
	syncFolder(filepath.Dir(f.final))
	return nil
}

// Abort leaves nothing behind. After Commit it does nothing.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	_ = f.Close()
	if f.final != "" {
		_ = os.Remove(f.Name())
	}
}

// syncFolder makes a new name last, where the system lets folders be synced.
func syncFolder(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Write writes a whole file.
func Write(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return f.Commit()
}
