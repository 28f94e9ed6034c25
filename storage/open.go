package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"retrace/internal/atomicfile"
	"retrace/internal/scratch"
	"retrace/storage/pages"
)

// pageSize is the page size of new workspaces. Fewer, larger pages than the
// system's make it quick to check the structure when opening.
const pageSize = 16 << 10

// Open opens the workspace in the file at path.
//
// A file held by another program gives a [*LockedError], one written by a newer
// version a [*NewerError], one that is no workspace a [*NotWorkspaceError]. A
// file that is not whole opens read-only, see Damage. The folder of a new
// workspace must be there.
func Open(path string, opt Options) (*Workspace, error) {
	opt = opt.withDefaults()
	if !opt.ReadOnly {
		at, err := atomicfile.Resolve(path)
		if err == nil {
			err = create(at, opt)
		}
		if err != nil {
			return nil, fmt.Errorf("making workspace %s: %w", path, err)
		}
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("opening workspace %s: %w", path, err)
	}
	if info, err := os.Stat(real); err == nil && !info.Mode().IsRegular() {
		return nil, &NotWorkspaceError{path} // reading it might wait for ever
	}
	w := newWorkspace(path, opt)
	w.real = real
	if err := w.open(); err != nil {
		w.stop()
		return nil, err
	}
	return w, nil
}

// newWorkspace is a workspace without a file yet.
func newWorkspace(path string, opt Options) *Workspace {
	w := &Workspace{path: path, real: path, opt: opt, readOnly: opt.ReadOnly,
		writing: make(chan struct{}, 1), compacting: make(chan struct{}, 1)}
	w.background, w.stop = context.WithCancel(context.Background())
	return w
}

// open checks the file, and opens it or its repaired copy.
func (w *Workspace) open() error {
	f, problems, err := openChecked(w.real, w.opt)
	if err != nil {
		return err
	}
	if len(problems) > 0 {
		return w.openDamaged(problems)
	}
	schema, err := readSchema(f.db)
	if err == nil {
		err = checkSchema(w.path, schema, w.opt)
	} else {
		err = &NotWorkspaceError{w.path}
	}
	if err != nil {
		return errors.Join(err, f.close())
	}
	if w.opt.ReadOnly {
		w.file, w.sidecar = f, writeSidecar(w.real, w.opt.Program, false)
		return nil
	}
	if err := f.close(); err != nil {
		return err
	}
	return w.openForWriting()
}

// openForWriting opens a file that was found whole.
func (w *Workspace) openForWriting() error {
	f, err := openBolt(w.real, w.opt, false)
	if err != nil {
		return err
	}
	schema, err := readSchema(f.db)
	if err == nil {
		err = migrate(f.db, w.path, schema, w.opt.migrations)
	}
	if err != nil {
		return errors.Join(err, f.close())
	}
	w.file, w.sidecar = f, writeSidecar(w.real, w.opt.Program, true)
	if !w.opt.Shared {
		keepPrivate(f.file)
	}
	removeLeftovers(w.real)
	if err := w.removeOrphans(); err != nil {
		return errors.Join(err, w.Close())
	}
	return nil
}

// checkSchema says why a workspace of this layout cannot be opened.
func checkSchema(path string, schema int, opt Options) error {
	switch newest := len(opt.migrations) + 1; {
	case schema > newest:
		return &NewerError{path, schema, newest}
	case schema < newest && opt.ReadOnly:
		return fmt.Errorf("workspace %s has the older layout %d: open it once for writing, to bring it to layout %d", path, schema, newest)
	}
	return nil
}

// openChecked opens the file for reading, so that no one writes to it, and
// checks its structure. Where that is broken there are problems and no file.
func openChecked(path string, opt Options) (*openFile, []pages.Problem, error) {
	raw, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer raw.Close()
	info, err := raw.Stat()
	if err != nil {
		return nil, nil, err
	}
	var f *openFile
	if pages.Plausible(raw, info.Size()) {
		if f, err = openBolt(path, opt, true); err != nil {
			return nil, nil, err
		}
	}
	problems, err := checkFile(raw)
	if err != nil || len(problems) > 0 {
		if f != nil {
			err = errors.Join(err, f.close())
		}
		return nil, problems, err
	}
	return f, nil, nil
}

func checkFile(raw *os.File) ([]pages.Problem, error) {
	info, err := raw.Stat()
	if err != nil {
		return nil, err
	}
	return pages.Open(raw, info.Size(), pageSize).Check(func(bucket string) bool {
		return bucket != bucketChunks && bucket != bucketTrajectories && bucket != bucketRecoveries && bucket != bucketRoads && bucket != bucketHeldRecords
	}), nil
}

// openBolt opens a file and holds it. It makes sure that the file it got is
// still the one at the path: a compaction may just have put another there.
func openBolt(path string, opt Options, readOnly bool) (*openFile, error) {
	for range 3 {
		f := &openFile{}
		options := &bbolt.Options{
			ReadOnly: readOnly, Timeout: opt.Timeout, PageSize: pageSize, MaxSize: opt.maxSize,
			FreelistType: bbolt.FreelistMapType,
			OpenFile: func(name string, flag int, perm os.FileMode) (file *os.File, err error) {
				f.file, err = os.OpenFile(name, flag, perm)
				return f.file, err
			},
		}
		broken, err := guard(func() (err error) {
			f.db, err = bbolt.Open(path, opt.mode(), options)
			return err
		})
		switch {
		case broken != "":
			return nil, errors.Join(&DamagedError{path, Damage{Kind: KindFile, Reason: broken}}, f.file.Close())
		case errors.Is(err, berrors.ErrTimeout):
			return nil, &LockedError{path, readSidecar(path)}
		case err != nil:
			return nil, fmt.Errorf("workspace %s: %w", path, err)
		case sameFile(path, f.file):
			f.db.AllocSize = 4 << 20
			return f, nil
		}
		if err := f.close(); err != nil {
			return nil, err
		}
	}
	return nil, &LockedError{path, readSidecar(path)}
}

func sameFile(path string, file *os.File) bool {
	at, err := os.Stat(path)
	if err != nil {
		return false
	}
	have, err := file.Stat()
	return err == nil && os.SameFile(at, have)
}

// create makes an empty workspace unless there is a file already. It comes
// into being at once and whole.
func create(path string, opt Options) error {
	switch info, err := os.Stat(path); {
	case err == nil && (info.Size() > 0 || !info.Mode().IsRegular()):
		return nil
	case err == nil: // an empty file holds nothing: take its place
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temp, err := makeBeside(path)
	if err != nil {
		return err
	}
	defer temp.Remove()
	made := temp.Join("new")
	if err := createAt(made, opt); err != nil {
		return err
	}
	return putInPlace(made, path)
}

// makeBeside makes a folder beside a path, for a file that will be moved there.
func makeBeside(path string) (*scratch.Folder, error) {
	return scratch.In(filepath.Dir(path), besideOf(path)+"*")
}

func besideOf(path string) string { return filepath.Base(path) + ".new-" }

// removeLeftovers removes what killed programs left beside a workspace that is
// held now.
func removeLeftovers(path string) {
	os.Remove(compactPath(path))
	scratch.ClearFolders(filepath.Dir(path), func(name string) bool { return strings.HasPrefix(name, besideOf(path)) })
}

// keepPrivate lets no one but its owner read a file. It does nothing for a file
// of somebody else.
func keepPrivate(f *os.File) {
	if info, err := f.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 {
		_ = f.Chmod(info.Mode().Perm() &^ 0o077)
	}
}

// createAt makes an empty workspace file.
func createAt(path string, opt Options) error {
	f, err := openBolt(path, opt, false)
	if err != nil {
		return err
	}
	return errors.Join(initialize(f.db, len(opt.migrations)+1), f.close())
}

// putInPlace moves a new workspace to its path, where another program may have
// made one meanwhile: then that one stays.
func putInPlace(made, path string) error {
	if info, err := os.Stat(path); err == nil && info.Size() == 0 {
		return errors.Join(os.Rename(made, path), syncDir(path))
	}
	switch err := os.Link(made, path); {
	case err == nil:
		return syncDir(path)
	case errors.Is(err, fs.ErrExist):
		return nil
	}
	return errors.Join(os.Rename(made, path), syncDir(path)) // no links on this disk
}

// syncDir makes a new name in a folder last. Some systems cannot, and then need
// not.
func syncDir(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	defer dir.Close()
	_ = dir.Sync()
	return nil
}

// IsWorkspace reports whether a file that begins so may be a workspace.
func IsWorkspace(head []byte) bool {
	const at, magic = 16, 0xED0CDAED // of bbolt, in its first page
	return len(head) >= at+4 && binary.LittleEndian.Uint32(head[at:]) == magic
}
