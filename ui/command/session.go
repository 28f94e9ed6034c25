package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"

	"github.com/alecthomas/kong"

	"retrace/engine"
	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/internal/filehead"
	"retrace/internal/userdata"
	"retrace/osmimport"
	"retrace/storage"
	"retrace/storage/netfile"
)

// session is one run of one command.
type session struct {
	ctx            context.Context
	stdin          io.Reader
	stdout, stderr io.Writer
	version        string
	globals        Globals
	openWindow     func(context.Context, Window) error
	windowProgram  string
	display        func() (string, error)
	models         engine.Models
	progress       *progress
	opened         openedWorkspaces
	model          *kong.Application
	file           *netfile.File // the network file that was opened last; nil: none
}

// threads are the goroutines that compute at once.
func (s *session) threads() int {
	if s.globals.Threads > 0 {
		return s.globals.Threads
	}
	return runtime.GOMAXPROCS(0)
}

func newSession(ctx context.Context, p Program, g Globals, model *kong.Application) *session {
	return &session{ctx: ctx, stdin: p.Stdin, stdout: p.Stdout, stderr: p.Stderr, version: p.Version,
		globals: g, openWindow: p.OpenWindow, windowProgram: p.WindowProgram, display: p.Display, models: p.Models, progress: newProgress(p.Stderr, g.Quiet), model: model}
}

// note tells something on standard error that is no error.
func (s *session) note(format string, args ...any) {
	s.progress.clear()
	fmt.Fprintf(s.stderr, format+"\n", args...)
}

// noteText prints what a library has to say, if it has.
func (s *session) noteText(text string) {
	if text != "" {
		s.note("retrace: %s", text)
	}
}

// printJSON prints a value as one line of JSON on standard output.
func (s *session) printJSON(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.stdout.Write(append(b, '\n'))
	return err
}

// workspacePath is the workspace that was named, or the default one.
func (s *session) workspacePath() (string, error) {
	if s.globals.Workspace != "" {
		return s.globals.Workspace, nil
	}
	return userdata.Workspace()
}

// workspace opens the workspace and tells what of it is lost. One that is damaged
// opens for reading only.
func (s *session) workspace(readOnly bool) (*storage.Workspace, error) {
	path, err := s.workspacePath()
	if err != nil {
		return nil, err
	}
	w, err := s.openWorkspace(path, readOnly)
	if err != nil {
		return nil, err
	}
	s.tellDamage()
	if !readOnly && w.ReadOnly() {
		return nil, errors.Join(&storage.ReadOnlyError{Path: path, Damaged: true}, w.Close())
	}
	return w, nil
}

// network loads a network by the name that it has in the workspace, opens the network
// file or imports the extract that name is the path of.
func (s *session) network(name string) (*roadnet.Network, *basemap.Map, error) {
	if netfile.Is(name) {
		if err := s.openFile(name); err != nil {
			return nil, nil, err
		}
		bm, err := s.file.Basemap()
		return s.file.Network, bm, err
	}
	if isExtract(name) {
		r, err := s.importExtracts([]string{name}, "")
		if err != nil {
			return nil, nil, err
		}
		return r.Network, r.Basemap, nil
	}
	if err := refused(name); err != nil {
		return nil, nil, usage("%w", err)
	}
	w, err := s.workspace(true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, usage("%s is no extract, and there is no workspace yet that could hold a network of this name: run retrace import first", name)
	}
	if err != nil {
		return nil, nil, err
	}
	defer w.Close()
	net, bm, err := w.LoadNetwork(s.ctx, name)
	if _, ok := errors.AsType[*storage.NotFoundError](err); ok {
		return nil, nil, s.unknownNetwork(w, name)
	}
	return net, bm, err
}

// openFile opens a network file.
func (s *session) openFile(path string) (err error) {
	s.file, err = netfile.Open(path)
	return err
}

// onlyNetwork is the network without the map behind it, where that takes time.
func (s *session) onlyNetwork(name string) (*roadnet.Network, error) {
	if netfile.Is(name) {
		if err := s.openFile(name); err != nil {
			return nil, err
		}
		return s.file.Network, nil
	}
	net, _, err := s.network(name)
	return net, err
}

// unknownNetwork says which networks there are instead.
func (s *session) unknownNetwork(w *storage.Workspace, name string) error {
	infos, err := w.Networks()
	if err != nil {
		return err
	}
	var names []string
	for _, i := range infos {
		names = append(names, i.Name)
	}
	there := "it holds none yet: run retrace import first"
	if len(w.Damage()) > 0 {
		there = "it is damaged, and no network of it is whole"
	}
	if len(names) > 0 {
		there = "it holds " + strings.Join(names, ", ")
	}
	return usage("%s is neither an extract, nor a network file, nor a network of the workspace %s; %s", name, w.Path(), there)
}

// isExtract reports whether a file is an OpenStreetMap extract, by its content.
func isExtract(path string) bool {
	return osmimport.IsExtractFile(path)
}

// refused is why a file cannot be taken though it holds OpenStreetMap's data;
// nil of any other file.
func refused(path string) error {
	head, err := filehead.Read(path, 512)
	if err != nil {
		return nil
	}
	return osmimport.Foreign(path, head)
}

// advice says what to do about an error that a library names well.
func advice(err error) string {
	if _, ok := errors.AsType[*storage.LockedError](err); ok {
		return "close it there, or name another file with --workspace"
	}
	if r, ok := errors.AsType[*storage.ReadOnlyError](err); ok && r.Damaged {
		return "retrace workspace salvage " + r.Path + " -o NEW does"
	}
	if _, ok := errors.AsType[*storage.ExistsError](err); ok {
		return "give another with --name, or remove it with retrace networks remove"
	}
	return ""
}
