package ort

import (
	"strings"
	"testing"

	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/device"
)

// What the bundle answers through Go is what PyTorch answered.
func TestTheBundleAnswersAsPyTorchDid(t *testing.T) {
	r := open(t)
	b, err := bundle.Read(bundletest.Shipped(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range b.Manifest.Graphs {
		golden, err := b.Golden(entry.Name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := load(t, r, b, entry.Name).Run(golden.Inputs...)
		if err != nil {
			t.Fatal(err)
		}
		if worst := farthest(out.tensors, golden.Outputs); worst > 1e-4 {
			t.Errorf("the graph %s is off by %v", entry.Name, worst)
		}
	}
}

func TestTheCPUPassesItsProbe(t *testing.T) {
	v := open(t).Probe(shipped(t), device.CPU, device.Timed)
	if v.Refused != "" || v.Nodes == 0 || len(v.Strays) != 0 || v.Load <= 0 || v.First <= 0 || v.Run <= 0 || v.Version == "" {
		t.Errorf("verdict %+v", v)
	}
}

func TestAModelThatAnswersWronglyFailsTheProbe(t *testing.T) {
	files := bundletest.Files(t)
	answers := files["golden/routes/u.npy"].Data
	answers[len(answers)-1] ^= 0x40 // the exponent of the last answer
	b, err := bundle.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t)
	if v := r.Probe(b, device.CPU, device.Timed); !strings.Contains(v.Refused, "answers wrongly") {
		t.Errorf("verdict %+v", v)
	}
	if v := r.Probe(shipped(t), "abacus", device.Timed); !strings.Contains(v.Refused, "abacus") {
		t.Errorf("verdict %+v", v)
	}
}
