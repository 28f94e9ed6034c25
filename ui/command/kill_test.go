package command

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"retrace/storage"
)

// childVariable makes the test binary be the program: its value holds the
// arguments, one a line.
const childVariable = "RETRACE_TEST_ARGUMENTS"

// beTheProgram runs the command that the environment names, in the process of
// a test that is going to be killed.
func beTheProgram() (status int, child bool) {
	arguments, child := os.LookupEnv(childVariable)
	if !child {
		return 0, false
	}
	p := Program{Stdin: strings.NewReader(""), Stdout: os.Stdout, Stderr: os.Stderr}
	return p.Run(context.Background(), strings.Split(arguments, "\n")), true
}

// program is the command as a process of its own.
func (b *bench) program(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+strings.Join(append(args, "--quiet", "--workspace", b.file("ws.retrace")), "\n"))
	return cmd
}

// An import that is killed at any moment, while it reads or while it saves,
// costs itself only: what was imported before is whole, and the same import
// works afterwards.
func TestKilledImportsLoseNothing(t *testing.T) {
	b := newBench(t)
	if out, err := b.program("import", b.extract(), "--name", "first").CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
	began := time.Now()
	if out, err := b.program("import", b.extract(), "--name", "second").CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
	whole := time.Since(began)
	kills := 25
	if testing.Short() {
		kills = 5
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, a whole import takes %v", seed, whole)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range kills {
		cmd := b.program("import", b.extract(), "--name", fmt.Sprint("killed", i))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Float64() * 1.1 * float64(whole)))
		_ = cmd.Process.Kill() // it may have ended already
		_ = cmd.Wait()
		b.whole("first", "second")
	}
	if out, err := b.program("import", b.extract(), "--name", "last").CombinedOutput(); err != nil {
		t.Fatalf("import after %d kills: %v\n%s", kills, err, out)
	}
	b.whole("first", "second", "last")
}

// whole checks that the workspace opens undamaged and that some networks load.
func (b *bench) whole(names ...string) {
	b.Helper()
	w, err := storage.Open(b.file("ws.retrace"), storage.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for _, d := range w.Damage() {
		b.Errorf("damage: %v", d)
	}
	for _, name := range names {
		net, _, err := w.LoadNetwork(b.ctx, name)
		if err != nil {
			b.Fatalf("network %q: %v", name, err)
		}
		if net.NumSegments() == 0 {
			b.Fatalf("network %q is empty", name)
		}
	}
}
