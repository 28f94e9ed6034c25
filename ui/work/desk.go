// Package work does what the user asks for with files and networks: it opens
// the workspace, sorts out dropped files, imports, reads, recovers and exports,
// each as a task beside the window, and puts what comes out into the state and
// the workspace. It is where import, storage and recovery meet.
package work

import (
	"context"
	"errors"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/read"
	"retrace/storage"
	"retrace/ui/state"
	"retrace/ui/task"
)

// Asker asks the user a question with a few answers and calls answer with the
// one that was chosen, -1 where none was. It returns at once.
type Asker func(title, text string, answers []string, answer func(chosen int))

// Desk is where the work is done. Its methods belong on the window's goroutine.
type Desk struct {
	state   *state.Model
	tasks   *task.Manager
	do      func(func())
	ask     Asker
	version string

	ws      *storage.Workspace // nil: nothing is kept
	opening int                // networks on their way, as a sample or from the workspace
	sample  bool               // what is shown is the sample, which is not kept
	covered bool               // by the sample, trips of the workspace that were shown
	again   map[string]bool    // trips to be recovered once more
	known   *read.Known        // files that were read into this window
	keeper  *keeper            // writes to the workspace
	records *state.Shelf       // reads from it what trips do not hold

	toldDamage int      // how many things that are lost of the workspace were told
	settings   settings // that it has still to write

	runs       map[*state.Step]*task.Task // recoveries under way, by the step that they belong to
	travelling bool                       // the history is being read
	unread     map[string]tripMarks       // what is kept of trips that are not loaded yet

	prepared  *preparing // the model; nil: nothing was recovered yet
	shelf     shelf
	measuring measuring // against the truth

	// Models are what can be recovered by besides map matching; nil: none. It is
	// set before Start.
	Models engine.Models
	// Shared lets others than its owner read the workspace. It is set before Open.
	Shared bool
	// Preview shows how tables would be read before they are; nil: they are read
	// as is guessed.
	Preview Previewer
	// ShowExtents shows where trips and network lie; may be nil.
	ShowExtents func()
	// OnNetwork is called when another network is shown, so that the map goes
	// there; may be nil.
	OnNetwork func()
	// OnTrips is called when trips have been read from files; may be nil.
	OnTrips func([]*state.Trip)
}

// New makes a desk. Do runs a function on the window's goroutine.
func New(m *state.Model, tasks *task.Manager, do func(func()), ask Asker, version string) *Desk {
	d := &Desk{state: m, tasks: tasks, do: do, ask: ask, version: version, again: map[string]bool{}, known: read.NewKnown(),
		runs: map[*state.Step]*task.Task{}}
	d.keeper = newKeeper(func(err error) { do(func() { d.fail(lang.L("Not everything could be kept in the workspace."), err) }) })
	return d
}

// Sample reports whether what is shown is the sample.
func (d *Desk) Sample() bool { return d.sample }

// Opening reports whether a network is on its way to be shown.
func (d *Desk) Opening() bool { return d.opening > 0 }

// Kept reports whether what is done is kept in a workspace.
func (d *Desk) Kept() bool { return d.ws != nil && !d.ws.ReadOnly() }

// Open opens the workspace at path. Where it cannot be opened the window works
// without one, and a notice says why.
func (d *Desk) Open(path string) {
	ws, err := d.OpenStudy(path)
	if err != nil {
		d.state.Notify(state.Fault, lang.L("Nothing done in this window is kept."), d.OpenAdvice(err))
		return
	}
	d.Use(ws)
}

// OpenStudy opens the workspace file of a study, or makes it where there is none.
func (d *Desk) OpenStudy(path string) (*storage.Workspace, error) {
	return storage.Open(path, storage.Options{Program: "Retrace", Shared: d.Shared})
}

// Use works on a workspace from now on; it is closed with the desk.
func (d *Desk) Use(ws *storage.Workspace) {
	d.ws = ws
	d.records = state.NewShelf(ws, func(err error) {
		d.do(func() { d.fail(lang.L("Some trips cannot be read."), err) })
	})
	d.recallKnown()
	d.tellDamage()
}

// Path is the workspace file that is open; empty: none.
func (d *Desk) Path() string {
	if d.ws == nil {
		return ""
	}
	return d.ws.Path()
}

// OpenAdvice says why a workspace cannot be opened and what to do.
func (d *Desk) OpenAdvice(err error) string {
	var locked *storage.LockedError
	if errors.As(err, &locked) {
		return err.Error() + ". " + lang.L("Close the other program and start again.")
	}
	return err.Error()
}

// Close waits until no task runs any more, all having been cancelled, and until
// all that was done is kept, and lets go of the workspace. It may be called from
// any goroutine.
func (d *Desk) Close() error {
	d.tasks.Wait()
	d.keeper.wait()
	if d.ws == nil {
		return nil
	}
	return d.ws.Close()
}

// Start shows what the workspace holds, as [Desk.Show] does, and then opens files. An
// empty workspace shows the sample where there are no files.
func (d *Desk) Start(last string, files []string) {
	if !d.Show(last) && len(files) == 0 {
		d.OpenSample()
	}
	d.Take(files)
}

// Show shows what the workspace holds: the network that was shown last (empty: none
// was) and all trips. It reports whether there is anything.
func (d *Desk) Show(last string) bool {
	d.Prepare()
	if d.ws == nil {
		return false
	}
	infos, err := d.ws.Networks()
	if err != nil {
		d.fail(lang.L("The list of networks cannot be read."), err)
	}
	ids, err := d.StoredTrips()
	if err != nil {
		d.fail(lang.L("The list of trips cannot be read."), err)
	}
	d.loadHistory()
	d.tellDamage()
	d.state.SetNetworks(infos)
	if name := chosen(infos, last); name != "" {
		d.ShowNetwork(name)
	}
	if len(ids) > 0 {
		d.loadTrips()
	}
	return len(infos)+len(ids) > 0 || d.Damaged()
}

// chosen is the network to show: the last one where it is still there, else the
// first.
func chosen(infos []roadnet.Info, last string) string {
	for _, info := range infos {
		if info.Name == last {
			return last
		}
	}
	if len(infos) > 0 {
		return infos[0].Name
	}
	return ""
}

// fail shows an error with a sentence of what could not be done.
func (d *Desk) fail(what string, err error) {
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	d.state.Notify(state.Fault, what, err.Error())
}

// refreshNetworks reads the list of networks anew.
func (d *Desk) refreshNetworks() {
	if d.ws == nil {
		return
	}
	infos, err := d.ws.Networks()
	if err != nil {
		d.fail(lang.L("The list of networks cannot be read."), err)
		return
	}
	d.state.SetNetworks(infos)
}

// ShowNetwork loads a network of the workspace and shows it.
func (d *Desk) ShowNetwork(name string) {
	ws := d.ws
	if ws == nil {
		return
	}
	var show func()
	d.opening++
	d.tasks.Start(lang.L("Opening {{.Name}}", map[string]any{"Name": name}), func(ctx context.Context, _ func(task.Progress)) error {
		net, base, err := ws.LoadNetwork(ctx, name)
		if err != nil {
			return err
		}
		found, unread := keptImport(ws, name)
		show = func() {
			d.leaveSample()
			d.state.SetNetwork(net, base)
			d.state.SetImport(found)
			d.fail(lang.L("What the import had found cannot be read."), unread)
			d.shown()
		}
		return nil
	}, func(err error) {
		d.opening--
		d.tellDamage()
		if err != nil {
			d.fail(lang.L("The network {{.Name}} cannot be opened.", map[string]any{"Name": name}), err)
			return
		}
		show()
	})
}

func (d *Desk) shown() {
	if d.OnNetwork != nil {
		d.OnNetwork()
	}
}

// StoredTrips lists the ids of the trips that the workspace holds.
func (d *Desk) StoredTrips() ([]string, error) {
	if d.ws == nil {
		return nil, nil
	}
	d.keeper.wait()
	return d.ws.TrajectoryIDs(context.Background())
}
