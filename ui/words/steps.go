package words

import (
	"fyne.io/fyne/v2/lang"

	"retrace/ui/state"
)

// Step says what a step of the history did, as the Edit menu does.
func Step(s *state.Step) string {
	n := map[string]any{"N": Count(s.N), "Name": s.Name}
	switch s.Kind {
	case state.PinStep:
		return lang.L("Pin input {{.N}}", n)
	case state.ForbidStep:
		return lang.L("Forbid a road at input {{.N}}", n)
	case state.UnpinStep:
		return lang.L("Clear the pins of input {{.N}}", n)
	case state.WayStep:
		return lang.L("Take another way from input {{.N}}", n)
	case state.RenameStep:
		return lang.L("Rename {{.Name}}", n)
	case state.CheckStep:
		return lang.L("Mark as checked")
	case state.UncheckStep:
		return lang.L("Mark as not checked")
	case state.SettingsStep:
		return lang.L("Change how trips are recovered")
	}
	return tripStep(s)
}

// tripStep says what was done with one trip or several.
func tripStep(s *state.Step) string {
	n := s.N
	if s.Kind == state.ReadStep {
		n = len(s.Held)
	}
	data := map[string]any{"N": Count(n), "Name": s.Name}
	one := s.Name != ""
	switch s.Kind {
	case state.RemoveStep:
		if one {
			return lang.L("Remove {{.Name}}", data)
		}
		return lang.N("Remove {{.N}} trips", n, data)
	case state.ReadStep:
		return lang.N("Read {{.N}} trips", n, data)
	case state.HideStep:
		if one {
			return lang.L("Hide {{.Name}}", data)
		}
		return lang.N("Hide {{.N}} trips", n, data)
	case state.ShowStep:
		if one {
			return lang.L("Show {{.Name}}", data)
		}
		return lang.N("Show {{.N}} trips", n, data)
	case state.TruthStep:
		if one {
			return lang.L("Use the truth of {{.Name}}", data)
		}
		return lang.N("Use the truth of {{.N}} trips", n, data)
	case state.ForgetStep:
		if one {
			return lang.L("Forget the truth of {{.Name}}", data)
		}
		return lang.N("Forget the truth of {{.N}} trips", n, data)
	}
	if one {
		return lang.L("Recover {{.Name}}", data)
	}
	return lang.N("Recover {{.N}} trips", n, data)
}
