package ort

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
		if worst := farthest(out, golden.Outputs); worst > 1e-4 {
			t.Errorf("the graph %s is off by %v", entry.Name, worst)
		}
	}
}

func TestTheCPUPassesItsProbe(t *testing.T) {
	v := open(t).Probe(shipped(t), device.CPU)
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
	if v := r.Probe(b, device.CPU); !strings.Contains(v.Refused, "answers wrongly") {
		t.Errorf("verdict %+v", v)
	}
	if v := r.Probe(shipped(t), "abacus"); !strings.Contains(v.Refused, "abacus") {
		t.Errorf("verdict %+v", v)
	}
}

// child is the variable that tells the test's own program what to do as a child
// process, where the software Vulkan is set up.
const child = "RETRACE_TEST_CHILD"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == ProbeCommand {
		os.Exit(probeAsChild(os.Args[2:]))
	}
	if os.Getenv(child) == "" {
		os.Exit(m.Run())
	}
	os.Exit(probeOnGPU())
}

// probeOnGPU is the child: it prints the verdicts on the CPU and on WebGPU.
func probeOnGPU() int {
	library, err := Library(filepath.Join("..", "..", ".cache", "onnxruntime"))
	if err != nil {
		return 1
	}
	r, err := Open(library)
	if err != nil {
		return 1
	}
	b, err := bundle.Read(os.DirFS(os.Getenv(child)))
	if err != nil {
		return 1
	}
	verdicts := []device.Verdict{r.Probe(b, device.CPU), r.Probe(b, device.WebGPU)}
	if json.NewEncoder(os.Stdout).Encode(verdicts) != nil {
		return 1
	}
	return 0
}

// WebGPU answers as the CPU does, on a Vulkan that computes on the CPU, and no
// operator is left to the CPU.
func TestWebGPUAgreesWithTheCPU(t *testing.T) {
	vulkan, err := filepath.Abs(filepath.Join("..", "..", ".cache", "vulkan"))
	if err != nil {
		t.Fatal(err)
	}
	driver := filepath.Join(vulkan, "vk_swiftshader_icd.json")
	if _, err := os.Stat(driver); err != nil {
		t.Skip("there is no software Vulkan: scripts/vulkan.sh installs it")
	}
	if _, err := Library(filepath.Join("..", "..", ".cache", "onnxruntime")); err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, bundletest.Files(t)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), child+"="+folder, "VK_ICD_FILENAMES="+driver, "LD_LIBRARY_PATH="+vulkan)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the child failed: %v", err)
	}
	var verdicts []device.Verdict
	if err := json.Unmarshal(out, &verdicts); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	gpu := verdicts[1]
	if gpu.Refused == notBuiltIn {
		t.Skip(gpu.Refused)
	}
	if gpu.Refused != "" || gpu.Worst > 1e-3 || gpu.Nodes == 0 || len(gpu.Strays) > 0 {
		t.Errorf("verdict %+v", gpu)
	}
	t.Logf("off by %.1e; %d operators, all on the device; load %v, first answer %v, a batch %v (CPU %v)",
		gpu.Worst, gpu.Nodes, gpu.Load, gpu.First, gpu.Run, verdicts[0].Run)
}
