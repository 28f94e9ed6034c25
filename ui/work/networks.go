package work

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/storage"
	"retrace/ui/state"
	"retrace/ui/task"
)

// removedNetwork is a network that was removed, as it is put back.
type removedNetwork struct {
	net    *roadnet.Network
	base   *basemap.Map
	report []byte
	shown  bool // it was the one that is shown
}

// RemoveNetwork removes a network from the workspace, and offers to put it back.
func (d *Desk) RemoveNetwork(name string) {
	if !d.Kept() {
		return
	}
	ws := d.ws
	var gone removedNetwork
	var whole error // why it cannot be put back
	d.tasks.Start(lang.L("Removing {{.Name}}", map[string]any{"Name": name}), func(ctx context.Context, _ func(task.Progress)) error {
		gone, whole = takeNetwork(ctx, ws, name)
		return ws.RemoveNetwork(ctx, name)
	}, func(err error) {
		if err != nil {
			d.fail(lang.L("The network {{.Name}} cannot be removed.", map[string]any{"Name": name}), err)
			return
		}
		if net := d.state.Network(); net != nil && net.Info().Name == name {
			gone.shown = true
			d.state.SetNetwork(nil, nil)
		}
		d.refreshNetworks()
		d.removed(name, gone, whole)
	})
}

// takeNetwork loads all that the workspace holds of a network.
func takeNetwork(ctx context.Context, ws *storage.Workspace, name string) (removedNetwork, error) {
	net, base, err := ws.LoadNetwork(ctx, name)
	if err != nil {
		return removedNetwork{}, err
	}
	report, err := ws.NetworkReport(name)
	return removedNetwork{net: net, base: base, report: report}, err
}

// removed says that a network is removed; one that could not be read to its end cannot
// be put back.
func (d *Desk) removed(name string, gone removedNetwork, whole error) {
	text := lang.L("{{.Name}} is removed.", map[string]any{"Name": name})
	if whole != nil {
		d.state.Notify(state.Info, text, whole.Error())
		return
	}
	d.state.NotifyOffer(state.Info, text, "", &state.Offer{Name: lang.L("Undo"),
		Run: func() { d.putBack(name, gone) }, Due: func() bool { return !d.taken(name) }})
}

// putBack keeps a network again that was removed.
func (d *Desk) putBack(name string, gone removedNetwork) {
	if d.taken(name) || !d.Kept() {
		return
	}
	ws := d.ws
	d.tasks.Start(lang.L("Putting {{.Name}} back", map[string]any{"Name": name}), func(ctx context.Context, _ func(task.Progress)) error {
		return ws.SaveNetwork(ctx, gone.net, gone.base, gone.report)
	}, func(err error) {
		d.fail(lang.L("The network {{.Name}} cannot be put back.", map[string]any{"Name": name}), err)
		d.refreshNetworks()
		if err == nil && gone.shown && d.state.Network() == nil {
			d.state.SetNetwork(gone.net, gone.base)
		}
	})
}

// RenameNetwork gives a network of the workspace another name.
func (d *Desk) RenameNetwork(name, to string) {
	if !d.Kept() || to == name {
		return
	}
	ws := d.ws
	d.tasks.Start(lang.L("Renaming {{.Name}}", map[string]any{"Name": name}), func(ctx context.Context, _ func(task.Progress)) error {
		return ws.RenameNetwork(ctx, name, to)
	}, func(err error) {
		d.fail(lang.L("The network {{.Name}} cannot be renamed.", map[string]any{"Name": name}), err)
		d.refreshNetworks()
		if net := d.state.Network(); err == nil && net != nil && net.Info().Name == name {
			d.ShowNetwork(to)
		}
	})
}
