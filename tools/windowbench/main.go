// Command windowbench writes docs/window.md: how fast the window draws and
// answers, and what it holds, from the benchmark of package ui.
//
//	go run -tags ci ./tools/windowbench -o docs/window.md
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"retrace/internal/atomicfile"
)

func main() {
	out := flag.String("o", "docs/window.md", "the page to write")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "windowbench:", err)
		os.Exit(1)
	}
}

// sampled is how many bytes lie between two samples of the heap's profile, which
// tells whose the memory is.
const sampled = "16384"

// run measures in processes of their own, as there is one window in a program:
// one fills a workspace, one starts with it, one uses it.
func run(out string) error {
	dir, err := os.MkdirTemp("", "windowbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	test := filepath.Join(dir, "ui.test")
	if err := command(nil, "go", "test", "-tags", "ci", "-c", "-o", test, "./ui").Run(); err != nil {
		return fmt.Errorf("build the benchmark: %w", err)
	}
	var text []byte
	for _, part := range []string{"fill", "start", "use"} {
		bench := command(&text, test, "-test.run", "^$", "-test.bench", "^BenchmarkWindow$/^"+part+"$",
			"-test.benchtime", "1x", "-test.timeout", "3h", "-test.memprofilerate", sampled)
		bench.Dir = "ui"
		bench.Env = append(os.Environ(), "RETRACE_WORKSPACE="+filepath.Join(dir, "w.retrace"))
		if err := bench.Run(); err != nil {
			return fmt.Errorf("the benchmark, %s: %w\n%s", part, err, text)
		}
	}
	parts := parse(string(text))
	if parts["frame"] == nil {
		return fmt.Errorf("the benchmark measured nothing; is the shared data there?\n%s", text)
	}
	var page bytes.Buffer
	write(&page, parts, machine(string(text)))
	fmt.Print(page.String())
	return atomicfile.Write(out, page.Bytes())
}

// command is a command that adds what it prints to text, which may be nil.
func command(text *[]byte, name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stderr = os.Stderr
	if text != nil {
		c.Stdout = writer{text}
	}
	return c
}

// writer appends to a text.
type writer struct{ text *[]byte }

func (w writer) Write(b []byte) (int, error) {
	*w.text = append(*w.text, b...)
	return len(b), nil
}
