package work

import (
	"context"
	"strings"

	"fyne.io/fyne/v2/lang"

	"retrace/storage"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// Damaged reports whether something of the workspace is known to be lost.
func (d *Desk) Damaged() bool { return d.ws != nil && len(d.ws.Damage()) > 0 }

// tellDamage tells what of the workspace was found lost since it told the last
// time: each thing among the problems, all in one message.
func (d *Desk) tellDamage() {
	if d.ws == nil {
		return
	}
	damage := d.ws.Damage()
	fresh := damage[min(d.toldDamage, len(damage)):]
	if len(fresh) == 0 {
		return
	}
	if d.toldDamage == 0 {
		d.warnOfDamage(damage)
	}
	d.toldDamage = len(damage)
	problems := make([]state.Problem, len(fresh))
	for i, x := range fresh {
		problems[i] = state.Problem{Source: "workspace", File: d.ws.Path(), Object: strings.TrimSpace(string(x.Kind) + " " + x.Name), What: x.Reason, Count: 1}
	}
	d.state.AddProblems(problems)
}

func (d *Desk) warnOfDamage(damage []storage.Damage) {
	d.state.Notify(state.Fault, lang.L("The workspace is damaged and open for reading only. Save a copy to keep what is whole (File menu)."), inLines(damage))
}

// inLines is the first few things that are lost, a line each.
func inLines(damage []storage.Damage) string {
	const most = 10
	var lines []string
	for _, x := range damage[:min(most, len(damage))] {
		lines = append(lines, x.String())
	}
	if len(damage) > most {
		lines = append(lines, "…")
	}
	return strings.Join(lines, "\n")
}

// CheckWorkspace reads all that the workspace holds and tells whether it is whole.
func (d *Desk) CheckWorkspace() {
	ws := d.ws
	if ws == nil {
		return
	}
	var content storage.Content
	d.tasks.Start(lang.L("Checking the workspace"), func(ctx context.Context, show func(task.Progress)) (err error) {
		d.keeper.wait()
		content, err = ws.Verify(ctx, func(done int) { show(task.Progress{Done: int64(done)}) })
		return err
	}, func(err error) {
		if err != nil {
			d.fail(lang.L("The workspace cannot be checked."), err)
			return
		}
		known := d.toldDamage > 0
		d.tellDamage()
		d.tellContent(content, known)
	})
}

// tellContent tells how the workspace was found. Known says that its damage had
// been told before.
func (d *Desk) tellContent(content storage.Content, known bool) {
	if d.Damaged() {
		if known {
			d.warnOfDamage(d.ws.Damage())
		}
		return
	}
	if len(content.Spare) > 0 {
		d.state.Notify(state.Warn, lang.L("Networks, trips and recoveries are whole, but the file of the workspace is damaged. Save a copy (File menu)."), inLines(content.Spare))
		return
	}
	held := []string{
		lang.N("{{.N}} networks", content.Networks, map[string]any{"N": words.Count(content.Networks)}),
		lang.N("{{.N}} trips", content.Trajectories, map[string]any{"N": words.Count(content.Trajectories)}),
		lang.L("{{.N}} recovered", map[string]any{"N": words.Count(content.Recoveries)}),
	}
	d.state.Notify(state.Info, lang.L("The workspace is whole."), strings.Join(held, "\n"))
}
