//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"retrace/assets"
	"retrace/internal/atomicfile"
)

// page is docs/speed.md.
type page struct {
	Bench  *bench
	Rows   []row
	Shares string // of the time of recovery
}

// shares are the lines of the benchmark of recovery with its parts.
func shares(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-tags", "ci", "-run", "XXX", "-bench", "Recover", "-benchtime", "400x", "./engine/ort")
	text, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("the benchmark of recovery: %w\n%s", err, text)
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "Benchmark") {
			kept.WriteString("    " + line)
		}
	}
	if kept.Len() == 0 {
		return "", fmt.Errorf("the benchmark of recovery prints nothing: %s", text)
	}
	return kept.String(), nil
}

// write writes the page whole or not at all.
func (p *page) write(path string) error {
	var b strings.Builder
	p.text(&b)
	p.table(&b)
	p.parts(&b)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, []byte(b.String()))
}

func (p *page) text(b *strings.Builder) {
	samples := 0
	for _, t := range p.Bench.trips {
		samples += len(t.Samples)
	}
	fmt.Fprintf(b, `# Speed of recovery, measured

Made by `+"`go run -tags ci ./tools/matchbench`"+` on %s: %s, %d cores, %s/%s, %s, load %s.
Every figure comes from that one run; edit the command, not the page.

The first %d Porto validation trips, thinned as in the paper (1/8 of the inner points are kept; %.1f samples a trip are
left), go through each program in a process that has the network in memory, one trip after the other: one pass to warm
up, one that is measured. Processor seconds are of all the program's threads, what it collects and compiles meanwhile
included. They count; the clock's seconds are too long on a machine that others use too.

The programs do not do the same. Retrace recovers where the vehicle was at every tick (every 15 s) with probabilities;
the others only find the roads. Retrace's model is %s, on the CPU. "Failed" trips got no answer, "in pieces" are
those whose path is interrupted (it leaps from one road to another) or leaves out the first or the last sample;
GraphHopper refuses a trip rather than break it.
"Times" are trips a processor second against those of retrace rntrajrec. Valhalla answers by trace_attributes (car,
map_snap) from Python, requests and answers as JSON text; for sparse trips it has breakage_distance 40000,
search_radius 100, beta 30, turn_penalty_factor 500. GraphHopper matches cars, without landmarks.

`, time.Now().UTC().Format("2006-01-02"), processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(),
		load(), len(p.Bench.trips), float64(samples)/float64(len(p.Bench.trips)), assets.DefaultModel)
}

func (p *page) table(b *strings.Builder) {
	b.WriteString("| program | trips/s a core | ms of processor a trip | ms on the clock a trip | failed | in pieces | times |\n" +
		"| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	n := float64(len(p.Bench.trips))
	for _, r := range p.Rows {
		if r.Err == nil {
			fmt.Fprintf(b, "| %s | %.1f | %.2f | %.2f | %d | %d | %.2f |\n", r.Name, n/r.Processor,
				1000*r.Processor/n, 1000*r.Wall/n, r.Failed, r.Broken, p.Rows[0].Processor/r.Processor)
		}
	}
	for _, r := range p.Rows {
		if r.Err != nil {
			fmt.Fprintf(os.Stderr, "matchbench: %s: %v\n", r.Name, r.Err)
			fmt.Fprintf(b, "\nNot measured, for it could not be installed: %s.\n", r.Name)
		}
	}
}

func (p *page) parts(b *strings.Builder) {
	fmt.Fprintf(b, `
## Where the time goes

Printed by `+"`go test -tags ci -run XXX -bench Recover -benchtime 400x ./engine/ort`"+`: a trip of about 50 ticks on the grid of a town and on
one of 600,000 segments, by each decoder of the model, in shares of the samples of a profile of that very run. Search is
for candidates, routes and moves; features describe them; the encoder and the decoder are the model's graphs; the rest is
the best path, its probabilities and its ticks, and what Go does meanwhile.

%s`, p.Shares)
}

// processor names the machine's processor, if it is told.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "processor not known"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "processor not known"
}

// load is the load of the machine, if it is told.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "not known"
	}
	return strings.Join(strings.Fields(string(data))[:3], ", ")
}
