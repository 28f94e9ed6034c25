package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/ui/action"
	"retrace/ui/state"
	"retrace/ui/words"
)

// The ids of the actions that are named elsewhere.
const (
	actOpen    action.ID = "open"
	actFit     action.ID = "fit"
	actSolo    action.ID = "solo"
	actHide    action.ID = "hide"
	actRecover action.ID = "recover"
	actExport  action.ID = "export"
	actRemove  action.ID = "remove"
	actAll     action.ID = "all"
	actCopy    action.ID = "copyrows"
)

// table is everything the user can do.
func (w *window) table() action.Table {
	var t action.Table
	t = append(t, w.fileActions()...)
	t = append(t, w.editActions()...)
	t = append(t, w.viewActions()...)
	t = append(t, w.timeActions()...)
	t = append(t, w.mapActions()...)
	t = append(t, w.recoverActions()...)
	t = append(t, w.checkActions()...)
	return append(t, w.helpActions()...)
}

func ctrl(r rune) action.Key      { return action.Key{Rune: r, Ctrl: true} }
func ctrlShift(r rune) action.Key { return action.Key{Rune: r, Ctrl: true, Shift: true} }
func letter(r rune) action.Key    { return action.Key{Rune: r} }

// named makes the name of an action from a text that is translated when it is
// shown.
func named(text string) func() string { return func() string { return lang.L(text) } }

func (w *window) fileActions() action.Table {
	return action.Table{
		{ID: "newstudy", Menu: action.File, Group: 0, Name: named("New study…"), Key: ctrl('n'), Run: w.newStudy},
		{ID: "openstudy", Menu: action.File, Group: 0, Name: named("Open a study…"), Key: ctrlShift('o'), Run: w.openStudyFile},
		{ID: "recent", Menu: action.File, Group: 0, Name: named("Recent studies…"), Run: w.showRecent},
		{ID: "copy", Menu: action.File, Group: 0, Name: w.copyName, Key: ctrl('s'), Enabled: w.desk.HasWorkspace, Run: w.saveCopy},
		{ID: actOpen, Menu: action.File, Group: 1, Name: named("Open files…"), Key: ctrl('o'), Run: w.openFiles},
		{ID: "folder", Menu: action.File, Group: 1, Name: named("Open a folder…"), Run: w.openFolder},
		{ID: "sample", Menu: action.File, Group: 1, Name: named("Open the sample"), Run: w.desk.OpenSample},
		{ID: "truth", Menu: action.File, Group: 1, Name: named("Open the truth of trips…"), Enabled: func() bool { return w.hasNetwork() && w.hasTrips() }, Run: w.openTruth},
		{ID: "networks", Menu: action.File, Group: 2, Name: named("Networks…"), Run: w.showNetworks},
		{ID: "checkstudy", Menu: action.File, Group: 3, Name: named("Check the workspace"), Enabled: w.desk.HasWorkspace, Run: w.desk.CheckWorkspace},
		{ID: "picture", Menu: action.File, Group: 3, Name: named("Save the map as a picture…"), Enabled: w.hasNetwork, Run: w.savePicture},
		{ID: actExport, Menu: action.File, Group: 3, Name: named("Export…"), Key: ctrl('e'), Enabled: w.hasRecoveries, Run: w.export},
		{ID: "settings", Menu: action.File, Group: 4, Name: named("Settings…"), Run: w.showSettings},
		{ID: "quit", Menu: action.File, Group: 5, Name: named("Quit"), Key: ctrl('q'), Run: w.close},
	}
}

func (w *window) editActions() action.Table {
	m := w.m
	hasUndo := func() bool { return m.ToUndo() != nil }
	hasRedo := func() bool { return m.ToRedo() != nil }
	return action.Table{
		{ID: "undo", Menu: action.Edit, Group: 1, Name: w.undoName, Key: ctrl('z'), Enabled: hasUndo, Run: w.desk.Undo},
		{ID: "redo", Menu: action.Edit, Group: 1, Name: w.redoName, Key: ctrlShift('z'), Enabled: hasRedo, Run: w.desk.Redo},
		{ID: "find", Menu: action.Edit, Group: 2, Name: named("Find…"), Key: ctrl('f'), Run: w.find},
		{ID: actAll, Menu: action.Edit, Group: 2, Name: named("Select all trips"), Key: ctrl('a'), Enabled: w.hasTrips, Run: w.selectAll},
		{ID: actCopy, Menu: action.Edit, Group: 2, Name: named("Copy the selected rows"), Key: ctrl('c'), Run: w.copyRows},
		{ID: "leave", Menu: action.Edit, Group: 2, Name: named("Select nothing"), Key: action.Key{Name: fyne.KeyEscape}, Run: w.escape},
		{ID: actRemove, Menu: action.Edit, Group: 3, Name: named("Remove the selected trips"), Key: action.Key{Name: fyne.KeyDelete}, Enabled: w.hasMarked, Run: w.remove},
	}
}

func (w *window) undoName() string {
	if s := w.m.ToUndo(); s != nil {
		return lang.L("Undo: {{.Name}}", map[string]any{"Name": words.Step(s)})
	}
	return lang.L("Undo")
}

func (w *window) redoName() string {
	if s := w.m.ToRedo(); s != nil {
		return lang.L("Redo: {{.Name}}", map[string]any{"Name": words.Step(s)})
	}
	return lang.L("Redo")
}

func (w *window) panelAction(id action.ID, name func() string, key rune, p state.Panel) action.Action {
	return action.Action{ID: id, Menu: action.View, Group: 1, Name: name, Key: letter(key),
		Checked: func() bool { return w.m.PanelSet().Open[p] }, Run: func() { w.m.TogglePanel(p) }}
}

func (w *window) viewActions() action.Table {
	strip := w.panelAction("strip", named("Time strip"), 'm', state.StripPanel)
	return action.Table{
		w.panelAction("layers", named("Layers and trips"), 'l', state.LeftPanel),
		w.panelAction("inspector", named("Inspector"), 'i', state.InspectorPanel),
		w.panelAction("table", named("Tables"), 't', state.DockPanel),
		strip,
		{ID: "elevated", Menu: action.View, Group: 2, Name: named("Elevated view"), Key: letter('e'), Run: func() { w.m.ShowTab(state.ElevatedTab) }},
		{ID: "doubts", Menu: action.View, Group: 2, Name: named("Places in doubt"), Key: letter('b'), Run: func() { w.m.ShowTab(state.DoubtsTab) }},
		{ID: actFit, Menu: action.View, Group: 3, Name: named("Show all of it"), Key: letter('f'), Enabled: w.hasNetwork, Run: w.fitSelection},
		{ID: "extents", Menu: action.View, Group: 3, Name: named("Show network and trips"), Enabled: func() bool { return w.hasNetwork() || w.hasTrips() }, Run: w.showExtents},
		{ID: actSolo, Menu: action.View, Group: 3, Name: named("Show this trip alone"), Key: letter('s'), Enabled: w.hasMarked,
			Checked: func() bool { return w.m.Solo() != "" }, Run: w.solo},
		{ID: actHide, Menu: action.View, Group: 3, Name: named("Hide or show the selected trips"), Key: letter('h'), Enabled: w.hasMarked, Run: w.hide},
		{ID: "showall", Menu: action.View, Group: 3, Name: named("Show all trips"), Enabled: w.hasTrips, Run: w.showAll},
		{ID: "next", Menu: action.View, Group: 4, Name: named("Next trip"), Key: letter('n'), Enabled: w.hasTrips, Run: func() { w.neighbour(1) }},
		{ID: "previous", Menu: action.View, Group: 4, Name: named("Previous trip"), Key: letter('p'), Enabled: w.hasTrips, Run: func() { w.neighbour(-1) }},
		{ID: "nextpoint", Menu: action.View, Group: 4, Name: named("Next point"), Key: letter(']'), Enabled: w.hasCurrent, Run: func() { w.pointBeside(1) }},
		{ID: "previouspoint", Menu: action.View, Group: 4, Name: named("Previous point"), Key: letter('['), Enabled: w.hasCurrent, Run: func() { w.pointBeside(-1) }},
	}
}

func (w *window) timeActions() action.Table {
	return action.Table{
		{ID: "play", Menu: action.View, Group: 5, Name: named("Play or pause"), Key: action.Key{Name: fyne.KeySpace}, Enabled: w.hasTime, Run: w.togglePlay},
		{ID: "back", Menu: action.View, Group: 5, Name: named("One point back"), Key: action.Key{Name: fyne.KeyLeft}, Enabled: w.hasTime, Run: func() { w.step(-1) }},
		{ID: "on", Menu: action.View, Group: 5, Name: named("One point on"), Key: action.Key{Name: fyne.KeyRight}, Enabled: w.hasTime, Run: func() { w.step(1) }},
		{ID: "dark", Menu: action.View, Group: 6, Name: named("Dark colours"), Checked: w.dark, Run: w.toggleDark},
	}
}

func (w *window) recoverActions() action.Table {
	return action.Table{
		{ID: actRecover, Menu: action.Recover, Group: 1, Name: named("Recover the selected trips"), Key: ctrl('r'),
			Enabled: func() bool { return w.hasNetwork() && w.hasMarked() }, Run: func() { w.desk.Recover(w.m.Marked()) }},
		{ID: "recoverall", Menu: action.Recover, Group: 1, Name: named("Recover all trips"), Key: ctrlShift('r'),
			Enabled: func() bool { return w.hasNetwork() && w.hasTrips() }, Run: w.recoverAll},
		{ID: "recoverrest", Menu: action.Recover, Group: 1, Name: named("Recover what is not recovered"),
			Enabled: func() bool { return w.hasNetwork() && w.m.Count().Pending > 0 }, Run: w.recoverRest},
		{ID: "cancel", Menu: action.Recover, Group: 2, Name: named("Cancel all work"), Enabled: func() bool { return len(w.tasks.Running()) > 0 }, Run: w.tasks.CancelAll},
		{ID: "problems", Menu: action.Recover, Group: 3, Name: named("Problems found"), Run: func() { w.m.ShowTab(state.ProblemsTab) }},
	}
}

func (w *window) helpActions() action.Table {
	return action.Table{
		{ID: "manual", Menu: action.Help, Group: 1, Name: named("Manual…"), Key: action.Key{Name: fyne.KeyF1}, Run: w.showManual},
		{ID: "tour", Menu: action.Help, Group: 1, Name: named("Tour of the window"), Run: w.startTour},
		{ID: "keys", Menu: action.Help, Group: 1, Name: named("Keys"), Key: letter('?'), Run: w.showKeys},
		{ID: "menus", Menu: action.Help, Group: 1, Name: named("Open the menus"), Key: action.Key{Name: fyne.KeyF10}, Run: func() { w.openMenu(action.File) }},
		{ID: "about", Menu: action.Help, Group: 2, Name: named("About Retrace"), Run: w.showAbout},
	}
}
