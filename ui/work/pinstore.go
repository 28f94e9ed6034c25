package work

import (
	"encoding/json"
	"fmt"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
)

// pinsKey is the workspace's setting that holds all pins, by trip.
const pinsKey = "pins"

// keepPins keeps the pins of all trips that the window holds.
func (d *Desk) keepPins() {
	if d.sample {
		return
	}
	pins := map[string][]engine.Pin{}
	for _, t := range d.state.Trips() {
		if len(t.Pins) > 0 {
			pins[t.ID()] = t.Pins
		}
	}
	data, err := json.Marshal(pins)
	if err == nil {
		err = d.SetSetting(pinsKey, data)
	}
	if err != nil {
		d.fail(lang.L("The pins cannot be kept."), err)
	}
}

// keptPins reads the pins that were kept.
func (d *Desk) keptPins() (map[string][]engine.Pin, error) {
	data, ok, err := d.ws.Setting(pinsKey)
	if err != nil || !ok {
		return nil, err
	}
	var pins map[string][]engine.Pin
	if err := json.Unmarshal(data, &pins); err != nil {
		return nil, fmt.Errorf("the pins of the workspace: %w", err)
	}
	return pins, nil
}
