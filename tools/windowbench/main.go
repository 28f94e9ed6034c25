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

func run(out string) error {
	bench := exec.Command("go", "test", "-tags", "ci", "-run", "^$", "-bench", "^BenchmarkWindow$", "-benchtime", "1x", "-timeout", "3h", "./ui")
	bench.Stderr = os.Stderr
	text, err := bench.Output()
	if err != nil {
		return fmt.Errorf("the benchmark: %w\n%s", err, text)
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
