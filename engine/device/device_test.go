package device

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// act is the variable that makes the test's own program a probe's child.
const act = "RETRACE_TEST_ACT"

// TestMain plays the child process of a probe where it is asked to.
func TestMain(m *testing.M) {
	if role := os.Getenv(act); role != "" {
		play(role)
		return
	}
	os.Exit(m.Run())
}

func play(role string) {
	switch role {
	case "works":
		_ = json.NewEncoder(os.Stdout).Encode(Verdict{Device: WebGPU, Run: time.Millisecond, Nodes: 7})
	case "answers wrongly":
		_ = json.NewEncoder(os.Stdout).Encode(Verdict{Device: WebGPU, Refused: "it answers wrongly"})
	case "another device":
		_ = json.NewEncoder(os.Stdout).Encode(Verdict{Device: CoreML})
	case "crashes":
		fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 10000)+"\nthe driver is not well")
		var nowhere *int
		*nowhere = 1
	case "hangs":
		child := exec.Command(os.Args[0])
		child.Env, child.Stdout = append(os.Environ(), act+"=sleeps"), os.Stdout
		_ = child.Start() // holds the output open
		time.Sleep(time.Minute)
	case "works and leaves a child":
		child := exec.Command(os.Args[0])
		child.Env, child.Stdout = append(os.Environ(), act+"=sleeps"), os.Stdout
		_ = child.Start() // holds the output open
		play("works")
	case "sleeps":
		time.Sleep(5 * time.Second)
	case "babbles":
		fmt.Println("hello")
	}
}

func prober(role string) Prober {
	return Prober{Limit: 20 * time.Second, Command: func(ctx context.Context, name Name, _ Depth) *exec.Cmd {
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), act+"="+role)
		return cmd
	}}
}

func TestWhateverTheDriverDoesThereIsAVerdict(t *testing.T) {
	for role, says := range map[string]string{
		"works":                    "",
		"works and leaves a child": "",
		"answers wrongly":          "it answers wrongly",
		"another device":           "nothing that can be read",
		"crashes":                  "its driver ended the process",
		"babbles":                  "nothing that can be read",
	} {
		v := prober(role).Probe(context.Background(), WebGPU, Timed)
		if v.Device != WebGPU || (v.Refused == "") != (says == "") || !strings.Contains(v.Refused, says) {
			t.Errorf("a driver that %s: %+v", role, v)
		}
		if len(v.Refused) > 1000 {
			t.Errorf("a driver that %s: %d letters are no sentence", role, len(v.Refused))
		}
	}
}

func TestADriverThatHangsCostsTheLimitOnly(t *testing.T) {
	p := prober("hangs")
	p.Limit = 300 * time.Millisecond
	began := time.Now()
	v := p.Probe(context.Background(), WebGPU, Timed)
	if !strings.Contains(v.Refused, "hangs") {
		t.Errorf("verdict %+v", v)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("it took %v, though the limit is %v", took, p.Limit)
	}
}

func TestAProgramThatIsNotThereIsAVerdict(t *testing.T) {
	p := Prober{Limit: time.Second, Command: func(ctx context.Context, _ Name, _ Depth) *exec.Cmd { return exec.CommandContext(ctx, "./nowhere") }}
	if v := p.Probe(context.Background(), CPU, Timed); !strings.Contains(v.Refused, "nowhere") {
		t.Errorf("verdict %+v", v)
	}
}

func TestCUDAIsNotAskedWithoutItsLibrary(t *testing.T) {
	p := prober("crashes")
	p.Library = filepath.Join(t.TempDir(), "libonnxruntime.so")
	if v := p.Probe(context.Background(), CUDA, Timed); !strings.Contains(v.Refused, "does not lie beside") {
		t.Errorf("verdict %+v", v)
	}
}

func TestStoppingStopsTheProbes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	probed := 0
	_, err := prober("hangs").ProbeAll(ctx, func(Name) { probed++; cancel() })
	if err == nil || probed != 1 {
		t.Errorf("%d devices were probed, error %v", probed, err)
	}
}

func TestTheFirstThatIsNotRefusedIsChosen(t *testing.T) {
	gpu := Verdict{Device: WebGPU, Run: time.Millisecond}
	slow := Verdict{Device: WebGPU, Run: time.Second}
	broken := Verdict{Device: WebGPU, Refused: "it answers wrongly"}
	cpu := Verdict{Device: CPU, Run: 10 * time.Millisecond}
	dead := Verdict{Device: CPU, Refused: "no library"}
	for name, c := range map[string]struct {
		verdicts []Verdict
		want     Name
		chosen   Name
		says     string
	}{
		"the GPU":               {[]Verdict{gpu, cpu}, Auto, WebGPU, ""},
		"a GPU that is slow":    {[]Verdict{slow, cpu}, Auto, CPU, ""},
		"slow, and asked for":   {[]Verdict{slow, cpu}, WebGPU, WebGPU, ""},
		"a GPU that is broken":  {[]Verdict{broken, cpu}, Auto, CPU, ""},
		"broken, and asked for": {[]Verdict{broken, cpu}, WebGPU, "", "it answers wrongly"},
		"the CPU asked for":     {[]Verdict{gpu, cpu}, CPU, CPU, ""},
		"nothing works":         {[]Verdict{broken, dead}, Auto, "", "no library"},
		"only the GPU works":    {[]Verdict{slow, dead}, Auto, WebGPU, ""},
		"no such device":        {[]Verdict{gpu, cpu}, "abacus", "", "abacus"},
	} {
		compare(c.verdicts)
		got, err := Choose(c.verdicts, c.want)
		if got != c.chosen || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: chosen %q, error %v", name, got, err)
		}
	}
}

func TestEverySystemEndsWithTheCPU(t *testing.T) {
	for system, first := range map[string]Name{"linux": CUDA, "windows": DirectML, "darwin": CoreML, "plan9": CUDA} {
		all := order(system)
		if all[0] != first || all[len(all)-1] != CPU {
			t.Errorf("%s: %v", system, all)
		}
	}
}

func TestVerdictsAreRememberedForTheirKey(t *testing.T) {
	m := Memory{Path: filepath.Join(t.TempDir(), "deep", "devices.json")}
	if _, ok := m.Recall("a"); ok {
		t.Error("something was remembered before anything was found")
	}
	var all []Verdict
	for _, name := range Order() {
		all = append(all, Verdict{Device: name, Run: time.Second})
	}
	if err := m.Remember("a", all); err != nil {
		t.Fatal(err)
	}
	if got, ok := m.Recall("a"); !ok || len(got) != len(all) || got[0].Device != all[0].Device || got[0].Run != all[0].Run {
		t.Errorf("remembered %+v", got)
	}
	if _, ok := m.Recall("b"); ok {
		t.Error("verdicts hold for another driver")
	}
	for name, c := range map[string]struct {
		age  time.Duration
		hung bool
		want bool
	}{"a week old": {7 * 24 * time.Hour, false, true}, "a year old": {365 * 24 * time.Hour, false, false},
		"a week old, without an answer": {7 * 24 * time.Hour, true, false}, "of tomorrow": {-24 * time.Hour, false, false}} {
		all[0].Hung = c.hung
		text, err := json.Marshal(record{"a", time.Now().Add(-c.age), all})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(m.Path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok := m.Recall("a"); ok != c.want {
			t.Errorf("verdicts %s: believed %v", name, ok)
		}
	}
	if err := os.WriteFile(m.Path, []byte(`{"Key": "a"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := m.Recall("a"); ok {
		t.Error("a broken file was believed")
	}
	for range 2 {
		if err := m.Forget(); err != nil {
			t.Error(err)
		}
	}
}

func TestADeviceThatHungAtWorkIsRefusedForADay(t *testing.T) {
	m := Memory{Path: filepath.Join(t.TempDir(), "devices.json")}
	if err := m.Refuse(WebGPU, "its driver hangs"); err != nil {
		t.Error("nothing is remembered, which is no fault: ", err)
	}
	var all []Verdict
	for _, name := range Order() {
		all = append(all, Verdict{Device: name, Run: time.Second})
	}
	if err := m.Remember("a", all); err != nil {
		t.Fatal(err)
	}
	if err := m.Refuse(WebGPU, "its driver hangs"); err != nil {
		t.Fatal(err)
	}
	got, ok := m.Recall("a")
	if !ok {
		t.Fatal("all is forgotten")
	}
	for _, v := range got {
		if hung := v.Device == WebGPU; v.Hung != hung || (v.Refused != "") != hung {
			t.Errorf("verdict %+v", v)
		}
	}
	if err := os.WriteFile(m.Path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := m.Refuse(WebGPU, "its driver hangs"); err != nil {
		t.Error(err)
	}
	if _, ok := m.Recall("a"); ok {
		t.Error("a broken file was believed")
	}
}

func TestTheKeyChangesWithLibraryDriverAndModel(t *testing.T) {
	library := filepath.Join(t.TempDir(), "library")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(library, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	seen := map[string]bool{Key(library, "model"): true}
	if !seen[Key(library, "model")] {
		t.Error("the key is another one each time")
	}
	add := func(what, key string) {
		t.Helper()
		if seen[key] {
			t.Errorf("the key is the same with another %s", what)
		}
		seen[key] = true
	}
	add("model", Key(library, "another"))
	t.Setenv("VK_ICD_FILENAMES", "/another/driver.json")
	add("driver", Key(library, "model"))
	write("two and more")
	add("library", Key(library, "model"))
}
