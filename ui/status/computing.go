package status

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2/lang"

	"retrace/ui/state"
	"retrace/ui/words"
)

// computingText says in a few words what recovers, and on what.
func computingText(c state.Computing) string {
	switch {
	case c.Trying:
		return lang.L("Trying devices…")
	case c.Idle:
		return lang.L("nothing recovers")
	case c.Model == "":
		return lang.L("CPU: HMM")
	case c.System != "":
		return c.Device.Title() + ": " + words.Method(c.System)
	}
	return lang.L("{{.Device}}: RNTrajRec {{.Model}}", map[string]any{"Device": c.Device.Title(), "Model": c.Model})
}

// computingTip says more of it, and why it is no other device.
func computingTip(c state.Computing) string {
	if c.Trying {
		return lang.L("The model is tried on every device of this computer, each in a process of its own.")
	}
	var lines []string
	if c.Model == "" && !c.Idle {
		lines = append(lines, lang.L("Classical map matching runs on the CPU, on {{.N}} cores.", map[string]any{"N": runtime.NumCPU()}))
	} else if !c.Idle {
		lines = append(lines, lang.L("The model {{.Model}} runs on {{.Device}}.", map[string]any{"Model": c.Model, "Device": c.Device.Title()}))
	}
	if c.Fault != nil {
		lines = append(lines, lang.L("The model cannot be used: {{.Why}}.", map[string]any{"Why": c.Fault.Error()}))
	}
	if c.Lost != nil {
		lines = append(lines, lang.L("Since this start: {{.Why}}.", map[string]any{"Why": c.Lost.Error()}))
	}
	for _, v := range c.Verdicts {
		if v.Refused != "" {
			lines = append(lines, lang.L("Not {{.Device}}: {{.Why}}.", map[string]any{"Device": v.Device.Title(), "Why": v.Refused}))
		}
	}
	return strings.Join(lines, "\n")
}
