package work

import (
	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/ui/state"
)

// Pin says that an input point lies on a segment, or that it does not, and
// recovers the trip again. Undo takes the pin back.
func (d *Desk) Pin(t *state.Trip, sample int, segment roadnet.SegmentID, forbid bool) {
	pin := engine.Pin{Sample: sample, Segment: segment, Forbid: forbid}
	var pins []engine.Pin
	for _, p := range t.Pins {
		if p.Sample != sample || (forbid && p.Forbid && p.Segment != segment) {
			pins = append(pins, p)
		}
	}
	d.setPins(lang.L("Pin input {{.N}}", map[string]any{"N": sample + 1}), t, append(pins, pin))
}

// Unpin takes the pins of an input point away and recovers the trip again.
func (d *Desk) Unpin(t *state.Trip, sample int) {
	var pins []engine.Pin
	for _, p := range t.Pins {
		if p.Sample != sample {
			pins = append(pins, p)
		}
	}
	if len(pins) != len(t.Pins) {
		d.setPins(lang.L("Clear the pins of input {{.N}}", map[string]any{"N": sample + 1}), t, pins)
	}
}

func (d *Desk) setPins(name string, t *state.Trip, pins []engine.Pin) {
	before, id := t.Pins, t.ID()
	set := func(p []engine.Pin) {
		d.state.SetPins(id, p)
		d.keepPins()
		if t := d.state.Trip(id); t != nil {
			d.Recover([]*state.Trip{t})
		}
	}
	d.state.Apply(state.Change{Name: name, Do: func() { set(pins) }, Undo: func() { set(before) }})
}
