package engine

import (
	"context"

	"retrace/engine/bundle"
	"retrace/engine/citymodel"
	"retrace/engine/device"
)

// Models are the models that can be recovered by and the devices that they run
// on. Folder is that of a bundle everywhere; empty: the one built in.
type Models interface {
	// Bundle reads and checks a bundle.
	Bundle(folder string) (*bundle.Bundle, error)

	// Devices tells of every device of this system how it does with a bundle,
	// as it was found earlier unless again is set. Tell, which may be nil, is
	// called before each that is probed now.
	Devices(ctx context.Context, folder string, again bool, tell func(device.Name)) ([]device.Verdict, error)

	// Known is what was found of devices earlier, of all or of the CPU alone; nil:
	// nothing.
	Known(folder string) []device.Verdict

	// Open loads a bundle on the device wanted, once. The model is there until
	// the program ends. Nobody waits for devices that were not tried yet, unless
	// one is wanted by name: device.Auto is the CPU then.
	Open(ctx context.Context, folder string, want device.Name) (*Model, error)

	// OpenHere loads a bundle on a device, once its stored answers were asked for in
	// this very process. Nothing is looked up or remembered, and a driver that crashes
	// takes the process along.
	OpenHere(ctx context.Context, folder string, on device.Name) (*Model, error)

	// OpenCity loads a system whose tables belong to one network, once.
	OpenCity(ctx context.Context, folder string) (*citymodel.Model, error)

	// Check asks the model on the CPU what is stored with it, in a process of its own.
	Check(ctx context.Context, folder string) device.Verdict

	// ProbeHere is what a process does that tries a device.
	ProbeHere(folder string, name device.Name, depth device.Depth) device.Verdict
}
