// Package scratch makes folders for what a program needs on its way, and tells
// whether a file or folder still has an owner: a program that runs and uses it.
// What a killed program left has none, and the next one removes it.
package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

const (
	prefix = "retrace-"
	// marker is the file in a folder of ours that its owner keeps open. Folders
	// without it are never removed, whatever they are called.
	marker = ".retrace-owner"
	tries  = 5
)

// Folder is a folder of this program.
type Folder struct {
	Path  string
	owner *os.File
}

// New makes a folder retrace-KIND-* among the system's temporary files.
func New(kind string) (*Folder, error) { return In(os.TempDir(), prefix+kind+"-*") }

// In makes a folder in another one; the pattern of its name is that of
// [os.MkdirTemp].
func In(dir, pattern string) (*Folder, error) {
	for range tries {
		path, err := os.MkdirTemp(dir, pattern)
		if err != nil {
			return nil, err
		}
		owner, err := os.OpenFile(filepath.Join(path, marker), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil && Own(owner) {
			return &Folder{path, owner}, nil
		}
		// Another program took it for left over before it was ours: once more.
		if err == nil {
			_ = owner.Close()
		} else if !errors.Is(err, os.ErrNotExist) {
			return nil, errors.Join(err, removeAll(path))
		}
		_ = removeAll(path)
	}
	return nil, errors.New("a folder for temporary files cannot be kept: something removes them at once")
}

// Join is the path of a file in the folder.
func (f *Folder) Join(name string) string { return filepath.Join(f.Path, name) }

// Remove removes the folder with all that is in it. Files in it must be closed.
func (f *Folder) Remove() error {
	_ = f.owner.Close()
	return removeAll(f.Path)
}

// removeAll removes a folder with all that is in it. Where [os.RemoveAll] cannot,
// it goes one by one: on Windows that asks for less, which wine lacks.
func removeAll(folder string) error {
	err := os.RemoveAll(folder)
	if err == nil {
		return nil
	}
	for _, e := range entries(folder) {
		path := filepath.Join(folder, e.Name())
		if e.IsDir() {
			_ = removeAll(path)
		} else {
			_ = os.Remove(path)
		}
	}
	if os.Remove(folder) == nil {
		return nil
	}
	return err
}

// Own makes this program the owner of a file that it has just made, until the
// file is closed. It reports false where another program has just taken it for
// left over.
func Own(f *os.File) bool {
	if !lock(f) {
		return false
	}
	_, err := os.Lstat(f.Name())
	return err == nil
}

// Clear removes the folders that killed programs left among the system's
// temporary files.
func Clear() {
	ClearFolders(os.TempDir(), func(name string) bool { return strings.HasPrefix(name, prefix) })
}

// ClearFolders removes the folders of ours in dir that have no owner and a name
// that fits.
func ClearFolders(dir string, fits func(name string) bool) {
	for _, e := range entries(dir) {
		if path := filepath.Join(dir, e.Name()); e.IsDir() && fits(e.Name()) && removeOwnerless(filepath.Join(path, marker)) {
			_ = removeAll(path)
		}
	}
}

// ClearFiles removes the files in dir that have no owner and a name that fits.
// All files of such names must have been given to [Own].
func ClearFiles(dir string, fits func(name string) bool) {
	for _, e := range entries(dir) {
		if e.Type().IsRegular() && fits(e.Name()) {
			removeOwnerless(filepath.Join(dir, e.Name()))
		}
	}
}

// entries lists a folder as far as it can be read.
func entries(dir string) []os.DirEntry {
	list, _ := os.ReadDir(dir)
	return list
}

// File is a file in a folder of its own.
type File struct {
	*os.File
	folder *Folder
}

// NewFile makes a file in a new folder retrace-KIND-* among the system's temporary
// files.
func NewFile(kind string) (*File, error) {
	folder, err := New(kind)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(folder.Join(kind), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, errors.Join(err, folder.Remove())
	}
	return &File{f, folder}, nil
}

// Remove closes the file and removes it with its folder.
func (f *File) Remove() {
	_ = f.Close()
	_ = f.folder.Remove()
}
