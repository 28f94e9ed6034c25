// Command windowbench writes docs/window.md: how fast the window draws and
// answers, and what it holds, from the benchmark of package ui.
//
//	go run -tags ci ./tools/windowbench -o docs/window.md
//	RETRACE_MINUTES=60 go run -tags ci ./tools/windowbench -parts growth
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"retrace/internal/atomicfile"
)

// kept is where what was measured is kept, part by part.
const kept = ".cache/windowbench"

func main() {
	out := flag.String("o", "docs/window.md", "the page to write")
	parts := flag.String("parts", "fill,start,use,growth,many", "what to measure anew; the rest is as it was measured last")
	flag.Parse()
	if err := run(*out, strings.Split(*parts, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "windowbench:", err)
		os.Exit(1)
	}
}

// sampled is how many bytes lie between two samples of the heap's profile, which
// tells whose the memory is.
const sampled = "16384"

// tags are those of the window's tests and, beside its driver, of the program.
const tags = "ci,no_emoji"

// run measures parts, each in a process of its own, as there is one window in a
// program: one fills a workspace, the others open it.
func run(out string, parts []string) error {
	dir, err := filepath.Abs(kept)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	test := filepath.Join(dir, "ui.test")
	if err := command(nil, "go", "test", "-tags", tags, "-c", "-o", test, "./ui").Run(); err != nil {
		return fmt.Errorf("build the benchmark: %w", err)
	}
	for _, part := range parts {
		if err := measure(dir, test, part); err != nil {
			return fmt.Errorf("the benchmark, %s: %w", part, err)
		}
	}
	page, err := page(dir)
	if err != nil {
		return err
	}
	fmt.Print(string(page))
	return atomicfile.Write(out, page)
}

// many measures the window with 200,000 trips, over a workspace of its own.
func many(dir, test string) error {
	var text []byte
	bench := command(&text, test, "-test.run", "^$", "-test.bench", "^BenchmarkManyTrips$", "-test.benchtime", "1x", "-test.timeout", "3h")
	bench.Dir = "ui"
	bench.Env = append(os.Environ(), "RETRACE_TRIPS=200000")
	if err := bench.Run(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	text = append(text, "load: "+load()+"\n"...)
	return atomicfile.Write(filepath.Join(dir, "many.txt"), text)
}

// measure runs a part over a copy of the workspace, which "fill" makes, and keeps
// what it prints.
func measure(dir, test, part string) error {
	if part == "many" {
		return many(dir, test)
	}
	whole, mine := filepath.Join(dir, "w.retrace"), filepath.Join(dir, part+".retrace")
	if part == "fill" {
		mine = whole
		if err := os.RemoveAll(whole); err != nil {
			return err
		}
	} else if err := copyFile(mine, whole); err != nil {
		return err
	} else {
		defer os.Remove(mine)
	}
	var text []byte
	bench := command(&text, test, "-test.run", "^$", "-test.bench", "^BenchmarkWindow$/^"+part+"$", "-test.benchtime", "1x", "-test.timeout", "3h")
	bench.Dir = "ui"
	bench.Env = append(os.Environ(), "RETRACE_WORKSPACE="+mine, "GODEBUG=memprofilerate="+sampled)
	if err := bench.Run(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	text = append(text, "load: "+load()+"\n"...)
	return atomicfile.Write(filepath.Join(dir, part+".txt"), text)
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// page makes the page of all parts as they were measured last.
func page(dir string) ([]byte, error) {
	texts := map[string]string{}
	all := map[string]part{}
	for _, name := range []string{"fill", "start", "use", "growth", "many"} {
		text, err := os.ReadFile(filepath.Join(dir, name+".txt"))
		if err != nil {
			return nil, fmt.Errorf("%w: measure it first (-parts %s)", err, name)
		}
		texts[name] = string(text)
		maps.Copy(all, parse(string(text)))
	}
	if all["frame"] == nil {
		return nil, fmt.Errorf("the benchmark measured nothing; is the shared data there?\n%s", texts["use"])
	}
	var page bytes.Buffer
	write(&page, all, machine(texts["use"]), loadOf(texts["growth"]))
	writeMany(&page, all["ManyTrips"], loadOf(texts["many"]))
	return page.Bytes(), nil
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
