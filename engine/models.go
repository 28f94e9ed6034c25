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

	// Open loads a bundle on the device wanted, once. The model is there until
	// the program ends.
	Open(ctx context.Context, folder string, want device.Name) (*Model, error)

	// OpenCity loads a system whose tables belong to one network, once.
	OpenCity(ctx context.Context, folder string) (*citymodel.Model, error)

	// Probe probes one device in a process of its own.
	Probe(ctx context.Context, folder string, name device.Name) device.Verdict

	// ProbeHere is what that process does.
	ProbeHere(folder string, name device.Name) device.Verdict
}
