//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"retrace/osmimport"
)

// cost is what one run took.
type cost struct {
	Seconds float64
	Peak    int64 // bytes
	Err     error // the program refused the file, or is not there
}

// run runs a command and measures it. The output goes to stdout.
func run(ctx context.Context, stdout *os.File, name string, args ...string) cost {
	cmd := exec.CommandContext(ctx, name, args...)
	if stdout != nil {
		cmd.Stdout = stdout
	}
	var words bytes.Buffer
	cmd.Stderr = &words
	start := time.Now()
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, lastLine(words.String()))
	}
	c := cost{Seconds: time.Since(start).Seconds(), Err: err}
	if cmd.ProcessState != nil {
		if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			c.Peak = u.Maxrss
			if runtime.GOOS != "darwin" {
				c.Peak *= 1024
			}
		}
	}
	return c
}

// lastLine is the last line of what a program said.
func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// best is the cheapest of n runs; the first error ends it.
func best(n int, once func() cost) cost {
	least := cost{Seconds: -1}
	for range n {
		c := once()
		if c.Err != nil {
			return c
		}
		if least.Seconds < 0 {
			least = c
		}
		least.Seconds, least.Peak = min(least.Seconds, c.Seconds), min(least.Peak, c.Peak)
	}
	return least
}

// bencher measures files.
type bencher struct {
	work    string
	runs    int
	engines []engine
}

// row is what was measured of one file.
type row struct {
	Name    string
	Size    int64
	Report  osmimport.Report
	Own     cost
	Filter  cost
	Engines []cost // on what the filter leaves
}

// negative reports whether the file holds negative ids, which osmium does not
// merge.
func (r *row) negative() bool {
	return slices.ContainsFunc(r.Report.Oddities, func(o osmimport.Item) bool { return o.What == "objects with negative ids" })
}

// row measures the import of paths, and the others on the one file that holds
// the same.
func (b *bencher) row(ctx context.Context, name string, paths []string, one string) (row, error) {
	r := row{Name: name}
	for _, p := range paths {
		st, err := os.Stat(p)
		if err != nil {
			return r, err
		}
		r.Size += st.Size()
	}
	r.Own = best(b.runs, func() cost { return b.own(ctx, paths, &r.Report) })
	if r.Own.Err != nil {
		return r, fmt.Errorf("%s: %w", name, r.Own.Err)
	}
	roads := filepath.Join(b.work, "roads.osm.pbf")
	r.Filter = best(b.runs, func() cost {
		return run(ctx, nil, "osmium", "tags-filter", "--overwrite", "--no-progress", "-o", roads, one, "w/highway", "r/type=restriction")
	})
	for _, e := range b.engines {
		c := cost{Err: r.Filter.Err}
		if c.Err == nil {
			c = best(b.runs, func() cost { return e.build(ctx, roads) })
		}
		if c.Err != nil {
			fmt.Fprintf(os.Stderr, "%s: %s: %v\n", name, e.Name, c.Err)
		}
		r.Engines = append(r.Engines, c)
	}
	return r, ctx.Err()
}

// own measures the import in a process of its own.
func (b *bencher) own(ctx context.Context, paths []string, report *osmimport.Report) cost {
	self, err := os.Executable()
	if err != nil {
		return cost{Err: err}
	}
	f, err := os.Create(filepath.Join(b.work, "report.json"))
	if err != nil {
		return cost{Err: err}
	}
	defer f.Close()
	c := run(ctx, f, self, append([]string{"import"}, paths...)...)
	if c.Err != nil {
		return c
	}
	data, err := os.ReadFile(f.Name())
	if err == nil {
		*report = osmimport.Report{}
		err = json.Unmarshal(data, report)
	}
	c.Err = err
	return c
}

// merge makes one file of all for the engines, which take only one. The time
// for it is not counted.
func (b *bencher) merge(ctx context.Context, paths []string) (string, error) {
	var sorted []string
	for i, p := range paths {
		s := filepath.Join(b.work, fmt.Sprintf("sorted%d.osm.pbf", i))
		if c := run(ctx, nil, "osmium", "sort", "--overwrite", "--no-progress", "-o", s, p); c.Err != nil {
			return "", fmt.Errorf("osmium sort %s: %w", p, c.Err)
		}
		sorted = append(sorted, s)
	}
	// Extracts that overlap hold some objects in two versions, which GraphHopper
	// refuses: the filter by time keeps the newest.
	versions, merged := filepath.Join(b.work, "merged.osh.pbf"), filepath.Join(b.work, "merged.osm.pbf")
	args := append([]string{"merge", "--overwrite", "--no-progress", "-o", versions}, sorted...)
	if c := run(ctx, nil, "osmium", args...); c.Err != nil {
		return "", fmt.Errorf("osmium merge: %w", c.Err)
	}
	if c := run(ctx, nil, "osmium", "time-filter", "--overwrite", "--no-progress", "-o", merged, versions); c.Err != nil {
		return "", fmt.Errorf("osmium time-filter: %w", c.Err)
	}
	return merged, nil
}
