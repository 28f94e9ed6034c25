package work

import (
	"context"
	"encoding/json"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory/read"
)

// knownKey is the workspace's setting that lists the files that were read.
const knownKey = "files read"

// recallKnown remembers the files that were read before the program was closed.
func (d *Desk) recallKnown() {
	data, ok := d.Setting(knownKey)
	if !ok {
		return
	}
	var list []read.Seen
	if err := json.Unmarshal(data, &list); err != nil {
		d.fail(lang.L("Which files were read before cannot be read."), err)
		return
	}
	d.known.Remember(list)
}

// keepKnown keeps which files were read; it may run beside the window.
func (r *reading) keepKnown(ctx context.Context) error {
	if !r.desk.Kept() {
		return nil
	}
	list, err := r.desk.known.List(ctx)
	if err != nil {
		return err
	}
	for i := range list {
		list[i].Path = r.in.Name(list[i].Path)
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return r.desk.ws.SetSetting(knownKey, data)
}

// forgetKnown forgets which files were read, so that they are read again.
func (d *Desk) forgetKnown() {
	d.known.Forget()
	d.KeepSetting(knownKey, nil)
}
