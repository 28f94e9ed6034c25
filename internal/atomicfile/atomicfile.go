// Package atomicfile writes files that are either complete or not there.
package atomicfile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// File is written beside its final name. Commit gives it that name, Abort
// removes it.
type File struct {
	*os.File
	final string // empty: written in place
	done  bool
}

// Create opens a file that will be called path. A device or a pipe that stands
// there already is written to at once.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder, not a file", path)
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{File: f}, err
	}
	folder, base := filepath.Split(path)
	name := filepath.Join(folder, fmt.Sprintf(".%s.%08x.part", base, rand.Uint32()))
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return &File{File: f, final: path}, nil
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
		err = os.Rename(f.Name(), f.final)
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
