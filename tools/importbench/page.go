//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"retrace/internal/atomicfile"
)

// page is docs/import.md.
type page struct {
	Runs    int
	Engines []engine
	Rows    []row
}

// write writes the page whole or not at all.
func (p *page) write(path string) error {
	var b strings.Builder
	p.text(&b)
	p.table(&b)
	p.oddities(&b)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, []byte(b.String()))
}

func (p *page) text(b *strings.Builder) {
	fmt.Fprintf(b, `# Import, measured

Made by `+"`go run ./tools/importbench -o docs/import.md ../shared/data/osm/*`"+` on %s: %d cores, %s/%s, %s, load %s.
Every figure comes from that one run; edit the command, not the page.

Each file is imported by a process of its own that holds nothing but the import (network, background, time zone and
report), filtered by `+"`osmium tags-filter`"+` (w/highway, r/type=restriction), and what that leaves is built by each
routing engine. The columns hold the seconds on the clock and the peak of memory (resident, as the system counts it) of
each alone; of %d runs the best counts. The last columns compare with the fastest engine of the row, osmium not counted:
how many times as fast the import is, and which share of its memory it takes. "Refused" means that the engine ended
without a graph: Valhalla wants sorted files, neither takes negative ids.
The row of several files together leaves out those with negative ids, which osmium does not merge; for the engines they
are merged beforehand, which is not counted. On a machine that others use too the seconds are too long, for all alike; the ratios still count.

`, time.Now().UTC().Format("2006-01-02"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), load(), p.Runs)
}

// load is the load of the machine, if it is told.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	return strings.Join(strings.Fields(string(data))[:3], ", ")
}

func (p *page) table(b *strings.Builder) {
	b.WriteString("| file | MB | segments | warnings | import s | MB | osmium s | MB |")
	for _, e := range p.Engines {
		fmt.Fprintf(b, " %s s | MB |", e.Name)
	}
	b.WriteString(" times as fast | of its memory |\n| --- |" + strings.Repeat(" ---: |", 9+2*len(p.Engines)) + "\n")
	for i := range p.Rows {
		p.row(b, &p.Rows[i])
	}
}

func (p *page) row(b *strings.Builder, r *row) {
	warnings := int64(0)
	for _, o := range r.Report.Oddities {
		warnings += o.Count
	}
	fmt.Fprintf(b, "| %s | %.2f | %d | %d | %.2f | %s | %s | %s |", r.Name, float64(r.Size)/1e6, r.Report.Segments, warnings,
		r.Own.Seconds, megabytes(r.Own), seconds(r.Filter), megabytes(r.Filter))
	for _, c := range r.Engines {
		fmt.Fprintf(b, " %s | %s |", seconds(c), megabytes(c))
	}
	fast, ok := fastest(r.Engines)
	if !ok {
		b.WriteString(" | |\n")
		return
	}
	fmt.Fprintf(b, " %.1f | %.0f %% |\n", fast.Seconds/r.Own.Seconds, 100*float64(r.Own.Peak)/float64(fast.Peak))
}

// fastest is the fastest engine that took the file.
func fastest(all []cost) (cost, bool) {
	done := slices.DeleteFunc(slices.Clone(all), func(c cost) bool { return c.Err != nil })
	if len(done) == 0 {
		return cost{}, false
	}
	return slices.MinFunc(done, func(a, b cost) int {
		if a.Seconds < b.Seconds {
			return -1
		}
		return 1
	}), true
}

func seconds(c cost) string {
	if c.Err != nil {
		return "refused"
	}
	return fmt.Sprintf("%.2f", c.Seconds)
}

func megabytes(c cost) string {
	if c.Err != nil {
		return ""
	}
	return fmt.Sprintf("%.0f", float64(c.Peak)/1e6)
}

// oddities lists what was wrong with the files.
func (p *page) oddities(b *strings.Builder) {
	b.WriteString("\n## Warnings\n\n")
	for i := range p.Rows {
		r := &p.Rows[i]
		if len(r.Report.Files) > 1 || len(r.Report.Oddities) == 0 {
			continue
		}
		var parts []string
		for _, o := range r.Report.Oddities {
			parts = append(parts, fmt.Sprintf("%d %s", o.Count, o.What))
		}
		fmt.Fprintf(b, "- **%s**: %s.\n", r.Name, strings.Join(parts, "; "))
	}
}
