package storage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"retrace/internal/scratch"
)

// Options say how to open a workspace. The zero value opens it for writing and
// makes it if it is not there.
type Options struct {
	ReadOnly bool          // share it with other readers; the file must be there
	Program  string        // told to others who find it held; default: the executable's name
	Timeout  time.Duration // how long to wait for a holder to let go; default 1 s
	Shared   bool          // others than its owner may read it, as the umask says; else nobody

	migrations   []migration // default: those of this version
	maxSize      int         // bytes that the file may take; 0: no limit
	compactAbove int64       // free bytes from which on removing compacts; default 64 MiB
	batchBytes   int         // about how much goes into one transaction; default 16 MiB
}

func (o Options) withDefaults() Options {
	if o.Program == "" {
		o.Program = "another program"
		if exe, err := os.Executable(); err == nil {
			o.Program = filepath.Base(exe)
		}
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Second
	}
	if o.migrations == nil {
		o.migrations = migrations()
	}
	if o.compactAbove <= 0 {
		o.compactAbove = 64 << 20
	}
	if o.batchBytes <= 0 {
		o.batchBytes = 16 << 20
	}
	return o
}

// mode is who may read and write a new file.
func (o Options) mode() os.FileMode {
	if o.Shared {
		return 0o666
	}
	return 0o600
}

// ErrClosed is what the methods of a closed workspace return.
var ErrClosed = errors.New("the workspace is closed")

// Workspace is one open workspace file.
type Workspace struct {
	path     string // as given
	real     string // behind symbolic links
	opt      Options
	readOnly bool
	repaired *scratch.Folder // of the repaired copy that stands for a damaged file; nil: none
	sidecar  *sidecar

	writing chan struct{} // holds a token while one writes

	// mu guards file: transactions hold it for reading, who puts another file
	// in place holds it for writing.
	mu   sync.RWMutex
	file *openFile // nil: closed

	damageMu sync.Mutex
	damage   []Damage

	background context.Context // ends with Close
	stop       context.CancelFunc
	tasks      sync.WaitGroup
	compacting chan struct{} // holds a token while a compaction runs or waits
}

// openFile is the file of a workspace as bbolt has it open.
type openFile struct {
	db     *bbolt.DB
	file   *os.File
	broken bool // a write broke off in the middle: bbolt may hold its locks for ever
}

// close lets go of the file.
func (f *openFile) close() error {
	if f.broken {
		return f.file.Close()
	}
	return f.db.Close()
}

// Close lets go of the file, after running methods have returned. It breaks
// off a compaction.
func (w *Workspace) Close() error {
	w.stop()
	w.tasks.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	w.sidecar.remove()
	err := w.file.close()
	w.file = nil
	if w.repaired != nil {
		err = errors.Join(err, w.repaired.Remove())
	}
	return err
}

// Path is the path that the workspace was opened with.
func (w *Workspace) Path() string { return w.path }

// ReadOnly reports whether the workspace takes no changes.
func (w *Workspace) ReadOnly() bool { return w.readOnly || len(w.Damage()) > 0 }

// Damage lists what is known to be lost; empty for a whole file. Opening finds
// a broken structure, reading and Verify a broken content.
func (w *Workspace) Damage() []Damage {
	w.damageMu.Lock()
	defer w.damageMu.Unlock()
	return append([]Damage(nil), w.damage...)
}

// noteDamage keeps a damage in mind and returns it as an error.
func (w *Workspace) noteDamage(d Damage) error {
	w.damageMu.Lock()
	defer w.damageMu.Unlock()
	for _, known := range w.damage {
		if known == d {
			return &DamagedError{w.path, d}
		}
	}
	if len(w.damage) < maxDamage {
		w.damage = append(w.damage, d)
	}
	return &DamagedError{w.path, d}
}

// maxDamage bounds the list of what is lost.
const maxDamage = 10000
