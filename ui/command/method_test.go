package command

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/device"
	"retrace/engine/enginetest"
)

// toy is a bench with a model that works and three trips.
func toy(t *testing.T, m *enginetest.Models) (b *bench, trips string) {
	t.Helper()
	b = newBench(t)
	b.run(OK, "import", b.extract())
	b.models = m
	text, err := os.ReadFile(b.trips())
	if err != nil {
		t.Fatal(err)
	}
	lines, kept := strings.Split(string(text), "\n"), map[string]bool{}
	for i, line := range lines[1:] {
		id, _, _ := strings.Cut(line, ",")
		if kept[id] = true; len(kept) > 3 {
			lines = lines[:i+1]
			break
		}
	}
	return b, b.put("three.csv", strings.Join(lines, "\n")+"\n")
}

func TestTheModelRecoversByDefault(t *testing.T) {
	b, trips := toy(t, &enginetest.Models{})
	out, errs := b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.geojson"), "--json")
	var line recoveredLine
	if err := json.Unmarshal([]byte(out[:strings.Index(out, "\n")]), &line); err != nil || line.Method != "rntrajrec" || line.Device != "webgpu" {
		t.Errorf("line %s, %v", out, err)
	}
	if strings.Contains(errs, "hmm") {
		t.Error(errs)
	}
	text, err := os.ReadFile(b.file("out.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	says(t, string(text), `"method":"rntrajrec"`, `"model":"toy@0123456789abcdef"`)
	out, _ = b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--json", "--device", "cpu")
	says(t, out, `"device":"cpu"`)
	out, _ = b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--json", "--method", "hmm")
	says(t, out, `"method":"hmm"`)
}

func TestWithoutAModelMapMatchingRecoversAndSaysSo(t *testing.T) {
	b, trips := toy(t, &enginetest.Models{Fault: errors.New("routes.onnx is cut short")})
	out, errs := b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--json")
	says(t, errs, "recovering by map matching (hmm), as the model cannot be used: routes.onnx is cut short")
	says(t, out, `"method":"hmm"`)
	_, errs = b.run(WrongUsage, "recover", trips, "--network", "sample", "-o", b.file("none.csv"), "--method", "rntrajrec")
	says(t, errs, "routes.onnx is cut short", "--method hmm works without one")
	_, errs = b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--method", "hmm")
	if strings.Contains(errs, "model") {
		t.Error("map matching that was asked for is no matter of the model:", errs)
	}
	b.models = nil
	_, errs = b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.csv"))
	says(t, errs, "put together without models")
	if _, err := os.Stat(b.file("none.csv")); err == nil {
		t.Error("what failed has left an output")
	}
}

func TestEitherDecoderOfAModelRecovers(t *testing.T) {
	m := &enginetest.Models{Whole: true}
	b, trips := toy(t, m)
	recover := func(network string, flags ...string) string {
		t.Helper()
		b.run(OK, append([]string{"recover", trips, "--network", network, "-o", b.file("out.geojson")}, flags...)...)
		text, err := os.ReadFile(b.file("out.geojson"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	says(t, recover("sample"), "decoder=routes")
	if n := m.Looked.Load(); n != 0 {
		t.Errorf("the encoder was asked %d times about roads that the decoder does not look at", n)
	}
	says(t, recover("sample", "--decoder", "ticks"), "decoder=ticks", `"method":"rntrajrec"`)
	asked := m.Looked.Load()
	says(t, recover("sample", "--decoder", "ticks", "--in-order"), "decoder=ticks")
	if n := m.Looked.Load(); asked == 0 || n != asked {
		t.Errorf("asked %d times about the roads, then %d: what is said of them is to be kept with the network", asked, n-asked)
	}
	recover(b.extract(), "--decoder", "ticks")
	if n := m.Looked.Load(); n != asked {
		t.Errorf("the extract is the network of the workspace, and was asked about again")
	}
	m.Whole = false
	_, errs := b.run(WrongUsage, "recover", trips, "--network", "sample", "-o", b.file("none.csv"), "--decoder", "ticks")
	says(t, errs, "the model toy has no decoder of ticks")
}

func TestADeviceThatIsAskedForAndRefusedIsAnError(t *testing.T) {
	b, trips := toy(t, &enginetest.Models{Refused: "it answers wrongly"})
	_, errs := b.run(WrongUsage, "recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--device", "webgpu")
	says(t, errs, "webgpu cannot be used: it answers wrongly", "see retrace devices")
	out, _ := b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--json")
	says(t, out, `"device":"cpu"`)
}

func TestADeviceLostAtWorkIsTold(t *testing.T) {
	b, trips := toy(t, &enginetest.Models{LostAt: 2})
	out, errs := b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--json", "--threads", "1")
	says(t, errs, "someone pulled the plug", "the rest was computed on the CPU", "3 trajectories recovered")
	says(t, out, `"device":"cpu"`) // trips share calls, so all three may have been at work
}

func TestDevices(t *testing.T) {
	m := &enginetest.Models{}
	b := newBench(t)
	_, errs := b.run(NothingRead, "devices")
	says(t, errs, "without models")
	b.models = m
	out, _ := b.run(OK, "devices", "--verbose")
	says(t, out, "webgpu  chosen", "cpu     works", "refused", "there is none", "9 operators on the device, 2 on the CPU", "2  time: Range")
	if m.Probed != 0 {
		t.Error("devices were asked again")
	}
	if b.run(OK, "devices", "--probe"); m.Probed != 1 {
		t.Error("devices were not asked again")
	}
	out, _ = b.run(OK, "devices", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != len(device.Order()) {
		t.Errorf("%d lines: %s", len(lines), out)
	}
	for _, line := range lines {
		var d deviceLine
		if err := json.Unmarshal([]byte(line), &d); err != nil || d.Chosen != (d.Device == device.WebGPU) {
			t.Errorf("%s: %v", line, err)
		}
	}
	out, _ = b.run(OK, "__probe", "cpu")
	says(t, out, `"Device":"cpu"`)
}

func TestModel(t *testing.T) {
	files, err := bundle.Read(bundletest.Files(t))
	if err != nil {
		t.Fatal(err)
	}
	m := &enginetest.Models{Files: files}
	b := newBench(t)
	b.models = m
	out, _ := b.run(OK, "model")
	says(t, out, files.Manifest.Name+" (SHA-256 "+files.Hash[:12], "ONNX opset 17", "epoch", "weights", "path_f1", "trips on")
	out, _ = b.run(OK, "model", "--json")
	var info modelInfo
	if err := json.Unmarshal([]byte(out), &info); err != nil || info.Hash != files.Hash || len(info.Graphs) != len(files.Manifest.Graphs) || info.Graphs[0].Weights == 0 {
		t.Errorf("%+v, %v", info, err)
	}
	out, _ = b.run(OK, "model", "verify")
	says(t, out, "weights are numbers", "the stored answers are given")
	m.Verdict = "it answers wrongly"
	_, errs := b.run(NothingRead, "model", "verify")
	says(t, errs, "does not give its stored answers: it answers wrongly")
	m.Fault = errors.New("time.onnx: the weights hold what is no number")
	_, errs = b.run(NothingRead, "model", "verify", "folder")
	says(t, errs, "what is no number")
}

func TestTripsTellTheModelOfTheRoads(t *testing.T) {
	b, trips := toy(t, &enginetest.Models{})
	args := []string{"recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--gather"}
	_, errs := b.run(WrongUsage, append(args, "--method", "hmm")...)
	says(t, errs, "--gather goes with --method rntrajrec")
	args[1] = "-"
	_, errs = b.run(WrongUsage, args...)
	says(t, errs, "reads the trajectories twice")
	args[1] = trips
	b.run(OK, args...)
	about, err := os.ReadFile(b.file("out.csv-metadata.json"))
	if err != nil {
		t.Fatal(err)
	}
	says(t, string(about), "traffic=3 trips")
}

func TestTripsThatAreNotMeasuredTellOfTheRoads(t *testing.T) {
	b, _ := toy(t, &enginetest.Models{})
	args := []string{"evaluate", "--simulate", "3", "--network", b.extract(), "--keep", "1/8", "--draws", "10", "--method", "rntrajrec", "--gather"}
	b.run(OK, args...)
	b.run(NothingRead, append(args, "--gather-from", b.file("missing.csv"))...)
}

func TestGatherIsOfNoUseWithoutAModel(t *testing.T) {
	b, trips := toy(t, nil)
	b.models = nil
	_, errs := b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.csv"), "--gather")
	says(t, errs, "--gather is of no use to map matching")
}
