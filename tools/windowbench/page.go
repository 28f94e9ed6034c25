package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// part is what one part of the benchmark measured, by unit.
type part map[string]float64

// parse reads the lines of the benchmark's parts.
func parse(text string) map[string]part {
	line := regexp.MustCompile(`(?m)^Benchmark(?:Window/)?(?:use/)?([a-z]+|ManyTrips)\S*\s+\d+\s+(.*)$`)
	value := regexp.MustCompile(`([-+0-9.e]+) (\S+)`)
	parts := map[string]part{}
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		p := part{}
		for _, v := range value.FindAllStringSubmatch(m[2], -1) {
			if f, err := strconv.ParseFloat(v[1], 64); err == nil {
				p[v[2]] = f
			}
		}
		parts[m[1]] = p
	}
	return parts
}

// machine is what the benchmark ran on, and how busy that was.
func machine(text string) string {
	cpu := "a processor without a name"
	if m := regexp.MustCompile(`(?m)^cpu: (.*)$`).FindStringSubmatch(text); m != nil {
		cpu = m[1]
	}
	return fmt.Sprintf("%d cores of %s, with %s", runtime.NumCPU(), cpu, loadOf(text))
}

// load is how busy the machine is.
func load() string {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "a load that is not known"
	}
	return "a load average of " + strings.Join(strings.Fields(string(load))[:3], ", ") + " over 1, 5 and 15 minutes at the end"
}

// loadOf is how busy the machine was when a part was measured.
func loadOf(text string) string {
	_, after, _ := strings.Cut(text, "\nload: ")
	load, _, _ := strings.Cut(after, "\n")
	return load
}

func write(w io.Writer, parts map[string]part, machine, busy string) {
	f := parts["frame"]
	fmt.Fprintf(w, introduction, f["segments"], f["trips"], machine)
	fmt.Fprint(w, "| | own | by the clock | aim |\n| --- | ---: | ---: | ---: |\n")
	for _, c := range []struct{ part, what string }{
		{"frame", "frame, panning and zooming"}, {"import", "frame, while another extract is imported"}, {"play", "frame, while all trips are played as of one day"},
		{"together", "frame, while all trips are played from their start at once"},
	} {
		for _, p := range []string{"50", "95", "99"} {
			aim := ""
			if p == "95" {
				aim = "16 ms"
			}
			line(w, c.what+", "+p+"th percentile", parts[c.part]["p"+p+"-own-ms"], parts[c.part]["p"+p+"-wall-ms"], aim)
		}
	}
	for _, c := range []struct{ key, what string }{{"hover", "pointer moved onto a path, to its card"}, {"click", "click, to the selection shown"}, {"next", "key for the next trip, to it shown"}} {
		line(w, c.what+", 95th percentile", parts["answer"][c.key+"-p95-own-ms"], parts["answer"][c.key+"-p95-wall-ms"], "50 ms")
	}
	line(w, "start, to the first map of the stored workspace", parts["start"]["first-own-ms"], parts["start"]["first-wall-ms"], "1 s")
	m, i := parts["memory"], parts["import"]
	fmt.Fprintf(w, drawing, f["window-own-ms"], f["painter-%"], i["frames"], parts["play"]["vehicles"],
		parts["together"]["vehicles"], parts["together"]["half-the-time"])
	fmt.Fprintf(w, memory, m["workspace-MB"], m["opened-MB"], m["heap-MB"], m["heap/workspace"], m["heap/opened"], m["resident-MB"])
	owners(w, m)
	g := parts["growth"]
	fmt.Fprintf(w, growth, busy, g["rounds"], g["minutes"], g["first-MB"], g["last-MB"], g["growth-MB/h"], g["later-growth-MB/h"])
}

// writeMany writes what a window with very many trips takes.
func writeMany(w io.Writer, m part, busy string) {
	fmt.Fprintf(w, many200, m["trips"], busy, m["heap-MB"], m["resident-MB"], m["key-p95-own-ms"], m["turn-max-own-ms"], m["cancel-ms"])
}

const many200 = `
## Very many trips

%.0f trips of Porto, every eighth point of them, all recovered once, while they are recovered
again by map matching, with %s. The heap after collection has %.1f MB (aim: 600), the
process %.0f MB. A key takes %.1f ms of own time (95th percentile), the longest turn of the window's goroutine %.0f ms;
a cancel is done after %.0f ms by the clock (aim: 500).
`

// owners writes whose the bytes are, the most first.
func owners(w io.Writer, m part) {
	names := map[string]string{
		"tiles": "finished tiles of the map", "frame": "the picture of the map, and what is drawn with", "labels": "names on the map", "paths": "the trips' paths, ready to be drawn",
		"links": "roads driven, ready to be drawn", "roads": "roads, background and names, ready to be drawn", "fonts": "fonts and shaped texts",
		"translations": "translations", "index": "spatial index", "background": "background", "network": "road network", "recoveries": "recoveries",
		"samples": "input points", "flows": "who drove where", "state": "lists and facts of trips", "widgets": "widgets", "rest": "all else",
	}
	var owners []string
	for unit := range m {
		if owner, ok := strings.CutSuffix(unit, "-held-MB"); ok {
			owners = append(owners, owner)
		}
	}
	sort.Slice(owners, func(i, j int) bool { return m[owners[i]+"-held-MB"] > m[owners[j]+"-held-MB"] })
	fmt.Fprint(w, "| held for | MB |\n| --- | ---: |\n")
	for _, owner := range owners {
		fmt.Fprintf(w, "| %s | %.1f |\n", cmp.Or(names[owner], owner), m[owner+"-held-MB"])
	}
}

func line(w io.Writer, what string, own, wall float64, aim string) {
	fmt.Fprintf(w, "| %s | %.1f ms | %.1f ms | %s |\n", what, own, wall, aim)
}

const introduction = `# How fast the window is

Made by ` + "`make bench-ui`" + `; nothing on this page is written by hand.

A window of 1600 by 1000 over the shared extract with the most segments (%.0f),
with %.0f simulated trips that map matching recovered, all shown. It runs on the
software driver, without a display. Measured on %s.

*Own* is the processor's time of the goroutine that draws and answers: what it
would take were nothing else running; of the start, that of the whole program.
*By the clock* has in it what other programs on the machine took meanwhile.

`

const drawing = `
A frame is all that the window's goroutine does for it: what workers posted, and
the map composed of tiles, labels and the selected trip. Tiles are drawn beside.
Where a window has a graphics card, the rest of a frame is that card's. On the
software driver a painter draws the whole window anew instead: %.0f ms of own
time a frame, %.0f %% of which are the painter's.

The frames beside an import are %.0f. At the most %.0f vehicles were shown at once
while all trips were played as of one day; %.0f while all were played from their
start, and in half of those frames %.0f or more.
`

const memory = `
## Memory

The workspace file has %.1f MB, with the extract that was imported beside; it had
%.1f MB when it was opened. The window holds %.1f MB of heap over it after
collection, %.2f times as much (aim: 3; %.2f times the file as it was opened), after
all of the above. The process takes %.0f MB of the machine's memory, with what
the collector keeps at hand, the program itself and the pages of the file that were
read. Whose the heap is, by samples of what asked for it:

`

const growth = `
## Growth

A window of its own over the same workspace, with %s.
%.0f rounds of a script that looks around, selects, colours, recovers a trip again,
plays, opens tables, hides and undoes, over %.1f minutes. The heap after collection
was %.1f MB at the start and %.1f MB at the end. The line that fits all rounds best
rises by %.1f MB an hour, that of their second half by %.1f MB an hour. The whole
window is drawn once in each round, as fyne lets go of widgets, texts and icons that
it has not drawn for a minute whenever it draws.
`
