package command

import (
	"errors"
	"fmt"
	"sync"

	"retrace/storage"
)

// openedWorkspaces are the workspaces that a session has opened, also those that
// are closed by now, and what was told of their damage.
type openedWorkspaces struct {
	mu   sync.Mutex
	all  []*storage.Workspace
	told map[string]bool
}

// namedDamage is how many things that are lost are named one by one.
const namedDamage = 10

// openWorkspace opens the workspace. What of it is lost is told when the command
// ends, if not before.
func (s *session) openWorkspace(path string, readOnly bool) (*storage.Workspace, error) {
	w, err := storage.Open(path, storage.Options{ReadOnly: readOnly, Shared: s.globals.Shared, Program: "retrace " + s.version})
	if err != nil {
		return nil, err
	}
	s.opened.mu.Lock()
	defer s.opened.mu.Unlock()
	s.opened.all = append(s.opened.all, w)
	return w, nil
}

// tellDamage tells what is lost of the workspaces opened so far and was not told
// yet.
func (s *session) tellDamage() {
	s.opened.mu.Lock()
	defer s.opened.mu.Unlock()
	for _, w := range s.opened.all {
		for _, d := range w.Damage() {
			line := fmt.Sprintf("retrace: %s is damaged: %s", w.Path(), d)
			if s.opened.told[line] {
				continue
			}
			if s.opened.told == nil {
				s.opened.told = map[string]bool{}
			}
			s.opened.told[line] = true
			if len(s.opened.told) <= namedDamage {
				s.note("%s", line)
			}
		}
	}
}

// metDamage reports whether a command met a damaged workspace, and says what to
// do about it.
func (s *session) metDamage(err error) bool {
	s.tellDamage()
	path, lost := "", len(s.opened.told)
	for _, w := range s.opened.all {
		if len(w.Damage()) > 0 {
			path = w.Path()
		}
	}
	if path == "" {
		return isDamage(err)
	}
	if lost > namedDamage {
		s.note("retrace: and %s more: retrace workspace verify %s lists all", count(lost-namedDamage), path)
	}
	s.note("retrace: what is whole of %s was used; retrace workspace salvage %s -o NEW saves it", path, path)
	return true
}

// isDamage reports whether an error says that a workspace is damaged.
func isDamage(err error) bool {
	if _, ok := errors.AsType[*storage.DamagedError](err); ok {
		return true
	}
	r, ok := errors.AsType[*storage.ReadOnlyError](err)
	return ok && r.Damaged
}
