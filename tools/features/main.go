// Command features writes docs/features.md: what a model sees, from the schema
// of engine/feature, and what making it takes, from that room's benchmarks.
//
//	go run -tags ci ./tools/features -o docs/features.md
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"retrace/engine/feature"
	"retrace/internal/atomicfile"
)

func main() {
	out := flag.String("o", "docs/features.md", "the page to write")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "features:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	bench := exec.Command("go", "test", "-tags", "ci", "-run", "^$", "-bench", "^BenchmarkFeatures$", "./engine/feature")
	bench.Stderr = os.Stderr
	text, err := bench.Output()
	if err != nil {
		return fmt.Errorf("the benchmarks: %w\n%s", err, text)
	}
	rows := parse(string(text))
	if len(rows) == 0 {
		return fmt.Errorf("the benchmarks said nothing that is understood:\n%s", text)
	}
	var page bytes.Buffer
	page.WriteString(introduction)
	writeCosts(&page, rows)
	writeSchema(&page, feature.CurrentSchema())
	return atomicfile.Write(out, page.Bytes())
}

const introduction = `# What a model sees

Made by ` + "`go run -tags ci ./tools/features`" + `; nothing on this page is written by hand.
How the features answer to the paper's symbols is in ` + "`engine/feature/doc.go`" + `.

## What it takes

One core's time for a unit of each kind, the bytes of its features, and what is
allocated once memory is warm, on two networks that differ in size only: where
both columns agree, the size of the network does not matter. A trip is six
samples, two minutes apart, with the routes of its five gaps; a tick is 15 s.
`

// row is one kind of features on one network.
type row struct {
	kind, network, unit string
	micros, bytes       string
	allocations         string
}

// parse reads the lines of the benchmarks.
func parse(text string) []row {
	line := regexp.MustCompile(`(?m)^BenchmarkFeatures/(\S+)/(\d+k)(?:-\d+)?\s(.*)$`)
	value := regexp.MustCompile(`([\d.e+-]+) ([A-Za-z/]+)`)
	var rows []row
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		r := row{kind: strings.ReplaceAll(m[1], "_", " "), network: m[2]}
		for _, v := range value.FindAllStringSubmatch(m[3], -1) {
			per, unit, _ := strings.Cut(v[2], "/")
			switch per {
			case "us":
				r.micros, r.unit = v[1], unit
			case "bytes":
				r.bytes = v[1]
			case "allocs":
				r.allocations = v[1]
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// writeCosts writes a line for each kind, with both networks side by side.
func writeCosts(page *bytes.Buffer, rows []row) {
	byKind := map[string][]row{}
	var kinds, networks []string
	for _, r := range rows {
		if len(byKind[r.kind]) == 0 {
			kinds = append(kinds, r.kind)
		}
		byKind[r.kind] = append(byKind[r.kind], r)
		if !strings.Contains(strings.Join(networks, " "), r.network) {
			networks = append(networks, r.network)
		}
	}
	page.WriteString("\n| features | for each |")
	for _, n := range networks {
		fmt.Fprintf(page, " µs, %s segments |", n)
	}
	page.WriteString(" bytes | allocations of a call |\n|---|---|" + strings.Repeat("---|", len(networks)+2) + "\n")
	for _, kind := range kinds {
		same := byKind[kind]
		fmt.Fprintf(page, "| %s | %s |", kind, same[0].unit)
		for _, r := range same {
			fmt.Fprintf(page, " %s |", r.micros)
		}
		last := same[len(same)-1]
		fmt.Fprintf(page, " %s | %s |\n", last.bytes, last.allocations)
	}
}

// writeSchema lists the tensors with their columns.
func writeSchema(page *bytes.Buffer, s feature.Schema) {
	fmt.Fprintf(page, "\n## Tensors\n\nSchema version %d, %s. Every value lies in its range; *unknown* is the value of a column where\nits group is not known, as in networks without tags.\n", s.Version, s.Hash())
	for _, t := range s.Tensors {
		fmt.Fprintf(page, "\n### %s\n\n%s by %s.\n", t.Name, t.Type, strings.Join(t.Axes, ", "))
		if len(t.Columns) == 0 {
			continue
		}
		page.WriteString("\n| column | unit | group | range | unknown |\n|---|---|---|---|---|\n")
		for _, c := range t.Columns {
			fmt.Fprintf(page, "| %s | %s | %s | %g to %g | %g |\n", c.Name, strings.ReplaceAll(c.Unit, "|", `\|`), c.Group, c.Min, c.Max, c.Unknown)
		}
	}
}
