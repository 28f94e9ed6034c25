package work

import (
	"slices"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/ui/state"
)

// Pin says that an input point lies on a segment, or that it does not, and
// recovers the trip again.
func (d *Desk) Pin(t *state.Trip, sample int, segment roadnet.SegmentID, forbid bool) {
	pin := engine.Pin{Sample: sample, Segment: segment, Forbid: forbid}
	kind := state.PinStep
	if forbid {
		kind = state.ForbidStep
	}
	var pins []engine.Pin
	for _, p := range t.Pins {
		if p.Sample != sample || (forbid && p.Forbid && p.Segment != segment) {
			pins = append(pins, p)
		}
	}
	d.setPins(kind, t, sample, append(pins, pin))
}

// Unpin takes the pins of an input point away and recovers the trip again.
func (d *Desk) Unpin(t *state.Trip, sample int) {
	pins := slices.DeleteFunc(slices.Clone(t.Pins), func(p engine.Pin) bool { return p.Sample == sample })
	d.setPins(state.UnpinStep, t, sample, pins)
}

// TakeWay has a trip drive another way from one input point to another: the
// roads that its path drives there and the other way does not are forbidden.
func (d *Desk) TakeWay(t *state.Trip, from, to int, way []roadnet.SegmentID) {
	r := t.Shown()
	if r == nil {
		return
	}
	own, ok := state.DrivenBetween(d.state.Network(), r, from, to)
	if !ok {
		return
	}
	pins := slices.DeleteFunc(slices.Clone(t.Pins), func(p engine.Pin) bool {
		return p.Forbid && p.Sample >= from && p.Sample <= to && slices.Contains(way, p.Segment)
	})
	for _, s := range own.Segments {
		pin := engine.Pin{Sample: from, Segment: s, Forbid: true}
		if !slices.Contains(way, s) && !slices.Contains(pins, pin) {
			pins = append(pins, pin)
		}
	}
	d.setPins(state.WayStep, t, from, pins)
}

// setPins sets what is known of a trip and recovers it again, as one step.
func (d *Desk) setPins(kind state.StepKind, t *state.Trip, sample int, pins []engine.Pin) {
	if slices.Equal(pins, t.Pins) {
		return
	}
	step := d.state.Do(kind, sample+1, t.Title(), func() { d.state.SetPins(t.ID(), pins) })
	if d.state.Network() != nil {
		d.recoverIn(step, []*state.Trip{t})
	}
}
