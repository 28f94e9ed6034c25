package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"retrace/engine/device"
)

type devicesCommand struct {
	Probe   bool   `help:"Ask the devices again instead of telling what was found earlier."`
	Verbose bool   `help:"Also tell which operators of the model run on the CPU instead of the device."`
	Model   string `placeholder:"DIR" help:"Folder of the model's bundle that is tried. Default: the one built in."`
}

func (devicesCommand) Help() string {
	return "Lists what a model can run on in this computer, which is chosen by --device auto, and why others are not. " +
		"Each is tried with stored questions and answers of the model, in a process of its own, so that a driver that crashes, hangs or answers wrongly costs nothing. " +
		"What is found is remembered until the library, the driver or the model changes. " +
		"Until devices were tried, here or by the window, --device auto is the CPU.\n\n" +
		"Examples:\n  retrace devices\n  retrace devices --probe --verbose"
}

// deviceLine is a device as it is printed with --json.
type deviceLine struct {
	Device  device.Name `json:"device"`
	Chosen  bool        `json:"chosen"`
	Refused string      `json:"refused,omitempty"`
	Load    float64     `json:"load_ms,omitempty"`
	First   float64     `json:"first_ms,omitempty"`
	Run     float64     `json:"batch_ms,omitempty"`
	Worst   float64     `json:"off_by"`
	Nodes   int         `json:"operators_on_device,omitempty"`
	Strays  []string    `json:"operators_on_cpu,omitempty"`
	Version string      `json:"onnxruntime,omitempty"`
}

func (c *devicesCommand) Run(s *session) error {
	verdicts, err := s.devices(c.Model, c.Probe)
	if err != nil {
		return err
	}
	chosen, chooseErr := device.Choose(verdicts, device.Auto)
	if s.globals.JSON {
		err = s.printDevices(verdicts, chosen)
	} else {
		_, err = s.stdout.Write([]byte(devicesText(verdicts, chosen, c.Verbose)))
	}
	if err != nil {
		return err
	}
	return chooseErr
}

func (s *session) printDevices(verdicts []device.Verdict, chosen device.Name) error {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	for _, v := range verdicts {
		err := s.printJSON(deviceLine{v.Device, v.Device == chosen, v.Refused, ms(v.Load), ms(v.First), ms(v.Run), v.Worst, v.Nodes, v.Strays, v.Version})
		if err != nil {
			return err
		}
	}
	return nil
}

// devicesText is a table of devices.
func devicesText(verdicts []device.Verdict, chosen device.Name, verbose bool) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "DEVICE\t\tLOAD\tFIRST\tBATCH\t")
	for _, v := range verdicts {
		how := "works"
		if v.Device == chosen {
			how = "chosen"
		}
		if v.Refused != "" {
			how = "refused"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", v.Device, how, span(v.Load), span(v.First), span(v.Run), v.Refused)
	}
	_ = t.Flush() // into a builder
	if verbose {
		for _, v := range verdicts {
			b.WriteString(placesText(v))
		}
	}
	return trimLines(b.String())
}

// trimLines takes the blanks from the ends of lines.
func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// span is a duration for a table; empty: it was not measured.
func span(d time.Duration) string {
	switch {
	case d <= 0:
		return "-"
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Millisecond).String()
}

// placesText says where the operators of the model ran.
func placesText(v device.Verdict) string {
	if v.Nodes == 0 {
		return ""
	}
	text := fmt.Sprintf("\n%s: ONNX Runtime %s; off by at most %.1g; %s on the device", v.Device, v.Version, v.Worst, plural(v.Nodes, "operator", "operators"))
	if len(v.Strays) == 0 {
		return text + ", none elsewhere\n"
	}
	text += fmt.Sprintf(", %d on the CPU:\n", len(v.Strays))
	for i := 0; i < len(v.Strays); {
		n := 1
		for i+n < len(v.Strays) && v.Strays[i+n] == v.Strays[i] {
			n++
		}
		text += fmt.Sprintf("%6d  %s\n", n, v.Strays[i])
		i += n
	}
	return text
}

// probeCommand is the child process of a probe.
type probeCommand struct {
	Device string `arg:""`
	Model  string
	Depth  string `default:"timed"`
}

func (c *probeCommand) Run(s *session) error {
	if s.models == nil {
		return errNoModels
	}
	v := s.models.ProbeHere(c.Model, device.Name(c.Device), device.Depth(c.Depth))
	slices.Sort(v.Strays)
	return json.NewEncoder(s.stdout).Encode(v)
}
