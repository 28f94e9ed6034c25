package ort

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/engine/bundle/bundletest"
	"retrace/engine/device"
)

// probeAsChild is what this program does as the child process of a probe.
func probeAsChild(args []string) int {
	m := Models{Folders: []string{filepath.Join("..", "..", ".cache", "onnxruntime")}}
	v := m.ProbeHere(strings.TrimPrefix(args[1], "--model="), device.Name(args[0]), device.Depth(strings.TrimPrefix(args[2], "--depth=")))
	if json.NewEncoder(os.Stdout).Encode(v) != nil {
		return 1
	}
	return 0
}

func models(t *testing.T) *Models {
	t.Helper()
	m := &Models{Folders: []string{filepath.Join("..", "..", ".cache", "onnxruntime")}, Memory: device.Memory{Path: filepath.Join(t.TempDir(), "devices.json")}}
	if _, err := Library(m.Folders...); err != nil {
		t.Skip(err)
	}
	return m
}

// A bundle with wrong answers is refused on every device. That is no fault of the
// devices: mended, it runs.
func TestABadBundleIsNotRememberedAsAFaultOfDevices(t *testing.T) {
	m, folder, ctx := models(t), t.TempDir(), context.Background()
	files := bundletest.Files(t)
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	answers := filepath.Join(folder, "golden", "routes", "u.npy")
	spoilt := append([]byte(nil), files["golden/routes/u.npy"].Data...)
	spoilt[len(spoilt)-1] ^= 0x40
	for _, c := range []struct {
		data  []byte
		right bool
	}{{spoilt, false}, {files["golden/routes/u.npy"].Data, true}} {
		if err := os.WriteFile(answers, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		verdicts, err := m.Devices(ctx, folder, false, nil)
		if err != nil || device.Right(verdicts, device.CPU) != c.right {
			t.Errorf("right: %v; %+v, %v", c.right, verdicts, err)
		}
	}
	tell := func(name device.Name) { t.Errorf("%s is probed again", name) }
	if _, err := m.Devices(ctx, folder, false, tell); err != nil {
		t.Error(err)
	}
}

// Who has tried no device yet gets the CPU at once, asked whether it answers rightly
// and nothing else. All are tried when one is wanted by name, or when they are listed.
func TestNobodyWaitsForDevicesThatWereNotTried(t *testing.T) {
	m, ctx := models(t), context.Background()
	folder := t.TempDir()
	if err := os.CopyFS(folder, bundletest.Files(t)); err != nil {
		t.Fatal(err)
	}
	model, err := m.Open(ctx, folder, device.Auto)
	if err != nil || model.Device() != string(device.CPU) {
		t.Fatalf("model %+v, error %v", model, err)
	}
	t.Cleanup(func() {
		if err := errors.Join(model.Scorer.(*Model).Close(), m.runtime.Close()); err != nil {
			t.Error(err)
		}
	})
	known := m.Known(folder)
	if len(known) != 1 || known[0].Device != device.CPU || known[0].Run != 0 || known[0].First == 0 {
		t.Errorf("known: %+v", known)
	}
	if again, err := m.Open(ctx, folder, device.Auto); err != nil || again != model || len(m.Known(folder)) != 1 {
		t.Errorf("again: %v, %v", again, err)
	}
	var tried []device.Name
	all, err := m.Devices(ctx, folder, false, func(n device.Name) { tried = append(tried, n) })
	if err != nil || !device.Complete(all) || len(tried) != len(all) || all[len(all)-1].Run == 0 || !device.Complete(m.Known(folder)) {
		t.Errorf("tried %v: %+v, %v", tried, all, err)
	}
}

// A library that cannot be loaded, or a bundle with wrong answers, is no CPU to work on.
func TestTheCPUIsRefusedWhereItAnswersWrongly(t *testing.T) {
	m := models(t)
	files := bundletest.Files(t)
	answers := files["golden/routes/u.npy"].Data
	answers[len(answers)-1] ^= 0x40
	folder := t.TempDir()
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	refused := &device.RefusedError{}
	if _, err := m.Open(context.Background(), folder, device.Auto); !errors.As(err, &refused) || !strings.Contains(err.Error(), "answers wrongly") {
		t.Errorf("error %v", err)
	}
	if known := m.Known(folder); known != nil {
		t.Errorf("known: %+v", known)
	}
}

// Where a device fails or hangs when the model is loaded, though its probe went
// well, the CPU takes over and it is told.
func TestADeviceThatCannotLoadTheModelIsLost(t *testing.T) {
	m := models(t)
	m.runtime = open(t)
	if err := m.Memory.Remember("a", make([]device.Verdict, len(device.Order()))); err != nil {
		t.Fatal(err)
	}
	model, err := m.load(context.Background(), shipped(t), "abacus")
	if err != nil || model.Device() != string(device.CPU) || model.Lost() == nil || !strings.Contains(model.Lost().Error(), "abacus") {
		t.Fatalf("model %+v, error %v", model, err)
	}
	if _, ok := m.Memory.Recall("a"); ok {
		t.Error("it is not probed again")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	if _, _, err := model.Scorer.Routes(someRoutes(rng, model.Scorer.(*Model), 1, 8)); err != nil {
		t.Error(err)
	}
}
