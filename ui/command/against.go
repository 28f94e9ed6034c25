package command

import (
	"retrace/engine"
	"retrace/engine/device"
	"retrace/engine/roadnet"
)

// against are settings with the method that differences are taken to. --model is that
// of the method that is measured; where this one is of one network, the model for all
// networks that it is compared with is the one built in.
func (c *evaluateCommand) against(s *session, net *roadnet.Network, settings engine.Settings) (engine.Settings, error) {
	other := settings
	other.Method = c.Against
	if engine.OfOneCity(c.Against) && c.Against != settings.Method {
		return other, usage("--against %s: its --model is that of one network; measure it with --method %s, and name the other with --against", c.Against, c.Against)
	}
	if c.Against != engine.MethodRNTrajRec || settings.Method == engine.MethodRNTrajRec {
		return other, nil
	}
	folder := c.Model
	if engine.OfOneCity(settings.Method) {
		folder = ""
	}
	var err error
	if other.Model, err = s.openModel(folder, device.Name(c.Device)); err != nil {
		return other, usage("--against %s: %w", c.Against, err)
	}
	s.useRoads(net, &other)
	return other, nil
}
