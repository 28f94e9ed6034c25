package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"retrace/internal/atomicfile"
	"retrace/internal/scratch"
	"retrace/storage/pages"
)

// openDamaged puts a repaired copy, for reading only, in place of a file that
// is not whole. The file itself is left as it is.
func (w *Workspace) openDamaged(problems []pages.Problem) error {
	dir, err := scratch.New("repaired")
	if err != nil {
		return fmt.Errorf("workspace %s is damaged (%s), and there is no room to repair a copy: %w", w.path, problems[0], err)
	}
	damage, err := w.repairTo(dir.Join("workspace"), problems)
	if d, ok := errors.AsType[*DamagedError](err); ok {
		d.Reason = problems[0].String() + ", and " + d.Reason
	}
	if err != nil {
		return errors.Join(err, dir.Remove())
	}
	w.readOnly, w.repaired, w.damage = true, dir, damage
	return nil
}

// repairTo writes the repaired copy and opens it.
func (w *Workspace) repairTo(copyPath string, problems []pages.Problem) ([]Damage, error) {
	raw, err := os.Open(w.real)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	damage, err := w.salvageFile(w.background, raw, copyPath)
	if err != nil {
		return nil, err
	}
	w.file, err = openBolt(copyPath, w.opt, true)
	reason := problems[0].String()
	if n := len(problems) - 1; n > 0 {
		reason += fmt.Sprintf(", and %d more", n)
	}
	return append([]Damage{{Kind: KindFile, Reason: reason}}, damage...), err
}

// SalvageTo writes all that is whole to a new workspace file at path, which
// must not be there yet, and returns what could not be taken along.
func (w *Workspace) SalvageTo(ctx context.Context, path string) ([]Damage, error) {
	at, err := atomicfile.Resolve(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(at); err == nil {
		return nil, fmt.Errorf("salvaging workspace %s: %w", w.path, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist})
	}
	unlock, err := w.lockWriting(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	damage, err := w.salvageTo(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("salvaging workspace %s: %w", w.path, err)
	}
	if w.repaired != nil {
		return w.Damage(), nil // the repaired copy has lost it before
	}
	return damage, nil
}

// salvageTo writes the new file beside its final name and moves it there.
func (w *Workspace) salvageTo(ctx context.Context, path string) ([]Damage, error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.file == nil {
		return nil, ErrClosed
	}
	temp, err := makeBeside(path)
	if err != nil {
		return nil, err
	}
	defer temp.Remove()
	made := temp.Join("new")
	damage, err := w.salvageFile(ctx, w.file.file, made)
	if err != nil {
		return nil, err
	}
	return damage, putInPlace(made, path)
}

// salvageFile writes what is whole in a file to a new workspace.
func (w *Workspace) salvageFile(ctx context.Context, raw *os.File, path string) ([]Damage, error) {
	info, err := raw.Stat()
	if err != nil {
		return nil, err
	}
	opt := Options{Timeout: w.opt.Timeout, Shared: w.opt.Shared, migrations: w.opt.migrations, compactAbove: 1 << 62, batchBytes: w.opt.batchBytes}
	to := newWorkspace(path, opt)
	if err := createAt(path, opt); err != nil {
		return nil, err
	}
	if to.file, err = openBolt(path, opt, false); err != nil {
		return nil, err
	}
	s := &salvage{ctx: ctx, from: pages.Open(raw, info.Size(), pageSize), to: to}
	to.file.db.NoSync = true
	err = s.run()
	to.file.db.NoSync = false
	if errors.Is(err, errNothing) {
		if err = error(&NotWorkspaceError{w.path}); pages.Bolt(raw) {
			err = &DamagedError{w.path, Damage{Kind: KindFile, Reason: "nothing in it is whole"}}
		}
	}
	return s.damage, errors.Join(err, to.file.file.Sync(), to.Close())
}

// errNothing says that a file has nothing in it that a workspace would.
var errNothing = errors.New("nothing found")
