package state

import "retrace/engine/device"

// Methods that the user may choose; the others are the engine's.
const (
	MethodAuto = "auto" // the model where it can be used, else map matching
	MethodCity = "city" // a system that was trained on the network, from a folder
)

// Computing says what recovers trips, and on what.
type Computing struct {
	Trying   bool             // the model is being made ready
	Model    string           // name of its bundle; empty: map matching
	System   string           // that the model is, where its tables belong to one network
	Idle     bool             // nothing recovers: the method that was chosen cannot be used
	Device   device.Name      // that the model runs on
	Verdicts []device.Verdict // on all devices that were tried
	Fault    error            // why there is no model, though one was wanted
	Lost     error            // how the device was lost that the model began on
}

// Computing says what recovers trips.
func (m *Model) Computing() Computing { return m.computing }

// SetComputing sets what recovers trips.
func (m *Model) SetComputing(c Computing) {
	m.computing = c
	m.touch(Device)
}
