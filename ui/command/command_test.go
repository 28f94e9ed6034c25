package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"retrace/engine"
)

// sampleFolder writes the sample once for all tests of the package.
var sampleFolder = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "retrace-test-sample-*")
	if err != nil {
		return "", err
	}
	var out, errs bytes.Buffer
	p := Program{Stdout: &out, Stderr: &errs}
	if status := p.Run(context.Background(), []string{"sample", dir}); status != OK {
		return "", fmt.Errorf("status %d: %s", status, &errs)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	if status, child := beTheProgram(); child {
		os.Exit(status)
	}
	status := m.Run()
	if dir, err := sampleFolder(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(status)
}

// bench is a place to run commands in: an empty folder with a workspace, and
// the sample beside it.
type bench struct {
	testing.TB
	dir, sample string
	stdin       io.Reader
	ctx         context.Context
	window      func(context.Context, Window) error
	models      engine.Models
}

func newBench(t testing.TB) *bench {
	t.Helper()
	sample, err := sampleFolder()
	if err != nil {
		t.Fatal(err)
	}
	return &bench{TB: t, dir: t.TempDir(), sample: sample, ctx: context.Background()}
}

// file is the path of a file in the folder.
func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

// put writes a file into the folder and gives its path.
func (b *bench) put(name, content string) string {
	b.Helper()
	if err := os.WriteFile(b.file(name), []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
	return b.file(name)
}

// extract and trips are the files of the sample.
func (b *bench) extract() string { return filepath.Join(b.sample, "sample.osm.gz") }
func (b *bench) trips() string   { return filepath.Join(b.sample, "trips.csv") }

// run runs a command and checks its exit status.
func (b *bench) run(status int, args ...string) (stdout, stderr string) {
	b.Helper()
	var out, errs bytes.Buffer
	p := Program{Stdin: b.stdin, Stdout: &out, Stderr: &errs, Version: "0.0", OpenWindow: b.window, Models: b.models}
	if got := p.Run(b.ctx, append([]string{"--workspace", b.file("ws.retrace")}, args...)); got != status {
		b.Errorf("retrace %s: status %d, want %d\n%s%s", strings.Join(args, " "), got, status, &out, &errs)
	}
	return out.String(), errs.String()
}

// rows reads a CSV file with a header into maps.
func (b *bench) rows(path string) []map[string]string {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	var rows []map[string]string
	for _, r := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// says checks that a text holds others.
func says(t testing.TB, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("does not say %q:\n%s", w, text)
		}
	}
}

// only checks which files lie in the folder.
func (b *bench) only(names ...string) {
	b.Helper()
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		b.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		table, beside := strings.CutSuffix(e.Name(), "-metadata.json") // says where a table comes from
		if !strings.HasPrefix(e.Name(), "ws.retrace") && !(beside && slices.Contains(names, table)) {
			got = append(got, e.Name())
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(names) {
		b.Errorf("the folder holds %v, want %v", got, names)
	}
}

func TestImportAndNetworks(t *testing.T) {
	b := newBench(t)
	out, _ := b.run(OK, "networks")
	if out != "" {
		t.Errorf("networks of no workspace: %q", out)
	}
	out, errs := b.run(OK, "import", b.extract())
	says(t, out, "sample: ", " segments, ", "kept:", "roads: residential", "odd about the files:", "memory")
	says(t, errs, "reading roads", "keeping the network")
	_, errs = b.run(WrongUsage, "import", b.extract())
	says(t, errs, "sample", "--name", "retrace networks remove")
	out, errs = b.run(OK, "--json", "--quiet", "import", "--name", "Second town", b.extract())
	var line struct {
		Network struct {
			Name     string
			Segments int
		}
		Report struct{ Kept []any }
	}
	if err := json.Unmarshal([]byte(out), &line); err != nil || line.Network.Name != "Second town" || line.Network.Segments < 1000 || len(line.Report.Kept) == 0 {
		t.Errorf("%v: %s", err, out)
	}
	if errs != "" {
		t.Errorf("--quiet says %q", errs)
	}
	out, _ = b.run(OK, "networks")
	says(t, out, "sample: ", "Second town: ")
	_, errs = b.run(WrongUsage, "networks", "remove", "third")
	says(t, errs, "third", "it holds Second town, sample")
	b.run(OK, "networks", "remove", "Second town")
	out, _ = b.run(OK, "--json", "networks")
	if strings.Count(out, "\n") != 1 || !json.Valid([]byte(out)) {
		t.Errorf("after removal: %s", out)
	}
}

func TestWrongUsage(t *testing.T) {
	b := newBench(t)
	for _, args := range [][]string{
		{"recover"}, {"nonsense"}, {"import"}, {"import", "--fast", b.extract()}, {"completion", "tcsh"},
		{"recover", b.trips(), "--network", b.extract(), "-o", b.file("out.shp")},
		{"recover", b.trips(), "--network", b.extract(), "-o", b.file("a.csv"), "--path", b.file("a.csv")},
		{"recover", b.trips(), "--network", b.extract(), "-o", b.file("a.csv"), "--tick", "0s"},
		{"recover", b.trips(), "--network", b.extract(), "-o", b.file("a.csv"), "--method", "guess"},
		{"--json", "recover", b.trips(), "--network", b.extract(), "-o", "-"},
		{"import", "--name", " ", b.extract()},
		{"recover", b.trips(), "--network", "nowhere", "-o", b.file("a.csv")},
		{"recover", b.trips(), "--network", b.extract(), "-o", b.file("a.csv"), "--method", "rntrajrec"},
	} {
		out, errs := b.run(WrongUsage, args...)
		if out != "" || !strings.HasPrefix(errs, "retrace: ") {
			t.Errorf("%v: prints %q and %q", args, out, errs)
		}
	}
	b.only()
}

func TestNothingCanBeRead(t *testing.T) {
	b := newBench(t)
	broken := b.put("broken.csv", "trip,time,lon,lat\na,b,c,d\n")
	far := b.put("far.csv", "trip,time,lon,lat\na,2024-01-02T08:00:00Z,100,10\na,2024-01-02T08:01:00Z,100.001,10\n")
	for args, want := range map[string]string{
		"import missing.osm.pbf":             "missing.osm.pbf: no such file",
		"import " + broken:                   "broken.csv",
		"inspect " + broken + " missing.csv": "no column holds longitudes",
		"recover missing.csv --network EXTRACT -o " + b.dir + "/out.csv":     "missing.csv: no such file",
		"recover " + broken + " --network EXTRACT -o " + b.dir + "/out.gpkg": "no trajectory was recovered",
		"recover " + far + " --network EXTRACT -o " + b.dir + "/out.gpkg":    `trajectory "a" of`,
		"export -o " + b.dir + "/out.gpkg":                                   "holds no recoveries",
	} {
		_, errs := b.run(NothingRead, strings.Fields(strings.ReplaceAll(args, "EXTRACT", b.extract()))...)
		says(t, errs, want)
	}
	b.only("broken.csv", "far.csv")
}

func TestRecover(t *testing.T) {
	b := newBench(t)
	b.run(OK, "import", b.extract())
	_, errs := b.run(OK, "recover", b.trips(), "--network", "sample", "-o", b.file("points.csv"),
		"--path", b.file("path.csv"), "--spans", b.file("spans.csv"), "--links", b.file("links.csv"))
	says(t, errs, "60 trajectories recovered")
	b.only("links.csv", "path.csv", "points.csv", "spans.csv")
	points := b.rows(b.file("points.csv"))
	observed := map[string]int{}
	for _, p := range points {
		if p["observed"] == "1" {
			observed[p["trajectory"]]++
		}
		if !strings.HasSuffix(p["time"], "Z") || p["way"] == "" || p["from_node"] == p["to_node"] {
			t.Fatalf("row %v", p)
		}
	}
	if len(observed) != 60 {
		t.Errorf("%d trajectories have observed instants", len(observed))
	}
	checkPaths(t, b.rows(b.file("path.csv")))
	kinds := map[string]int{}
	for _, s := range b.rows(b.file("spans.csv")) {
		kinds[s["kind"]]++
	}
	if kinds["deck"] == 0 || kinds["below"] == 0 {
		t.Errorf("spans of the sample: %v", kinds)
	}
	if len(b.rows(b.file("links.csv"))) < 100 {
		t.Error("too few links")
	}
}

// checkPaths checks that parts begin and end without a node and have nodes in
// between.
func checkPaths(t *testing.T, rows []map[string]string) {
	t.Helper()
	for i, r := range rows {
		first := i == 0 || rows[i-1]["trajectory"] != r["trajectory"] || rows[i-1]["part"] != r["part"]
		last := i+1 == len(rows) || rows[i+1]["trajectory"] != r["trajectory"] || rows[i+1]["part"] != r["part"]
		if (first || last) != (r["node"] == "") {
			t.Fatalf("row %d: %v", i, r)
		}
		if first && r["seq"] != "0" {
			t.Fatalf("row %d does not begin at 0: %v", i, r)
		}
	}
}

func TestRecoverFromStandardInputToStandardOutput(t *testing.T) {
	b := newBench(t)
	f, err := os.Open(b.trips())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b.stdin = f
	out, _ := b.run(OK, "--quiet", "recover", "-", "--network", b.extract(), "-o", "-", "--tick", "30s")
	all, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(all) < 100 || all[0][0] != "trajectory" {
		t.Errorf("%v, %d rows", err, len(all))
	}
	b.only()
}

func TestSomeInputsFail(t *testing.T) {
	b := newBench(t)
	far := b.put("far.csv", "trip,time,lon,lat\nfar away,2024-01-02T08:00:00Z,100,10\nfar away,2024-01-02T08:01:00Z,100.001,10\nfar away,now,1,1\n")
	out, errs := b.run(SomeFailed, "--json", "recover", b.trips(), "missing.gpx", far, "--network", b.extract(), "-o", b.file("out.geojson"))
	says(t, errs, "missing.gpx: no such file", `trajectory "far away" of`, "far.csv:4: time cannot be read", "60 trajectories recovered", "2 failed")
	b.only("far.csv", "out.geojson")
	good, bad := 0, 0
	for line := range strings.Lines(out) {
		var l recoveredLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if l.Error != "" {
			bad++
		} else if l.Ticks > 0 && l.Probability > 0 && l.Lowest <= l.Probability {
			good++
		}
	}
	if good != 60 || bad != 2 {
		t.Errorf("%d good lines, %d bad", good, bad)
	}
	b.run(SomeFailed, "inspect", b.trips(), "missing.csv")
}

func TestStoppedByTheUser(t *testing.T) {
	b := newBench(t)
	var cancel context.CancelFunc
	b.ctx, cancel = context.WithCancel(b.ctx)
	// The trips come slowly: the first, then the interruption.
	in, feed := io.Pipe()
	defer in.Close()
	go func() {
		fmt.Fprint(feed, "trip,time,lon,lat\na,2024-01-02T08:00:00Z,-5.0,45.5\n")
		cancel()
		fmt.Fprint(feed, "a,2024-01-02T08:01:00Z,-5.0,45.5\n")
		feed.Close()
	}()
	b.stdin = in
	_, errs := b.run(Stopped, "recover", "-", "--network", b.extract(), "-o", b.file("out.gpkg"), "--path", b.file("path.csv"))
	says(t, errs, "stopped")
	b.only()
	b.run(Stopped, "import", b.extract())
	b.run(Stopped, "inspect", b.trips())
	b.run(Stopped, "sample", b.file("sample"))
}

func TestPins(t *testing.T) {
	b := newBench(t)
	b.run(OK, "recover", b.trips(), "--network", b.extract(), "-o", b.file("before.csv"))
	var first map[string]string
	for _, p := range b.rows(b.file("before.csv")) {
		if p["observed"] == "1" && p["time"] > "2024-05-06T01" {
			first = p
			break
		}
	}
	pin := func(way string) string {
		return b.put("pins.csv", "trajectory,time,way,from_node,to_node,forbid\n"+
			strings.Join([]string{first["trajectory"], first["time"], way, first["from_node"], first["to_node"], "1"}, ",")+"\n")
	}
	b.run(OK, "recover", b.trips(), "--network", b.extract(), "-o", b.file("after.csv"), "--pins", pin(first["way"]))
	for _, p := range b.rows(b.file("after.csv")) {
		if p["trajectory"] == first["trajectory"] && p["time"] == first["time"] && p["segment"] == first["segment"] {
			t.Errorf("still on the segment that was forbidden: %v", p)
		}
	}
	_, errs := b.run(SomeFailed, "recover", b.trips(), "--network", b.extract(), "-o", b.file("after.csv"), "--pins", pin("999999999"))
	says(t, errs, "pins.csv:2: the pin of trajectory", "no piece of way 999999999")
	b.run(NothingRead, "recover", b.trips(), "--network", b.extract(), "-o", b.file("after.csv"), "--pins", b.put("pins.csv", "a,b\n"))
}

func TestInspect(t *testing.T) {
	b := newBench(t)
	out, _ := b.run(OK, "inspect", b.trips(), b.extract())
	says(t, out, "60 trajectories", "column 4 (lon): lon", "sample: ", "segments")
	out, _ = b.run(OK, "--json", "inspect", b.trips())
	var i struct {
		Kind    string
		Samples int
	}
	if err := json.Unmarshal([]byte(out), &i); err != nil || i.Kind != "CSV" || i.Samples < 60 {
		t.Errorf("%v: %s", err, out)
	}
	b.only()
}

func TestWindow(t *testing.T) {
	b := newBench(t)
	var got []string
	b.window = func(_ context.Context, w Window) error {
		got = append([]string{filepath.Base(w.Workspace)}, w.Files...)
		return nil
	}
	b.run(OK)
	if fmt.Sprint(got) != "[ws.retrace]" {
		t.Errorf("opened with %v", got)
	}
	b.run(OK, b.trips(), b.extract())
	if len(got) != 3 || got[1] != b.trips() {
		t.Errorf("opened with %v", got)
	}
	_, errs := b.run(WrongUsage, "missing.gpx")
	says(t, errs, "missing.gpx is neither a command nor a file")
}

func TestHelpAndVersion(t *testing.T) {
	b := newBench(t)
	out, _ := b.run(OK, "--help")
	says(t, out, "import", "recover", "export", "sample", "Exit status")
	out, _ = b.run(OK, "--version")
	says(t, out, "retrace 0.0")
	for _, name := range []string{"import", "networks", "inspect", "recover", "export", "sample"} {
		out, _ := b.run(OK, name, "--help")
		says(t, out, "Example", "retrace "+name)
	}
}

func TestCompletion(t *testing.T) {
	b := newBench(t)
	b.run(OK, "import", b.extract())
	for words, want := range map[string]string{
		"exp":                      "export",
		"networks r":               "remove",
		"recover --net":            "--network",
		"recover --network s":      "sample",
		"recover x.csv --method h": "hmm",
		"export --format g":        "geojson\ngpx\ngpkg",
		"completion p":             "powershell",
		"--workspace " + b.file("ws.retrace") + " recover --network ": "sample",
		"recover trips": "",
	} {
		out, _ := b.run(OK, append([]string{"__complete"}, strings.Split(words, " ")...)...)
		if strings.TrimSpace(out) != want {
			t.Errorf("%q completes to %q, want %q", words, out, want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		out, _ := b.run(OK, "completion", shell)
		says(t, out, "__complete")
	}
}

// The same input gives the same output in its order, byte for byte, however many
// threads.
func TestOutputDoesNotDependOnThreads(t *testing.T) {
	b := newBench(t)
	for _, n := range []string{"1", "3"} {
		b.run(OK, "--threads", n, "recover", b.trips(), "--network", b.extract(), "-o", b.file(n+".geojson"), "--in-order")
	}
	one, err1 := os.ReadFile(b.file("1.geojson"))
	three, err3 := os.ReadFile(b.file("3.geojson"))
	if err1 != nil || err3 != nil || !bytes.Equal(one, three) {
		t.Errorf("outputs differ: %v %v", err1, err3)
	}
}

// A short trip does not wait for a long one before it, unless that is asked for.
func TestTripsAreWrittenAsTheyAreFinished(t *testing.T) {
	b := newBench(t)
	points := b.rows(b.trips())
	var table strings.Builder
	table.WriteString("trip,time,lon,lat\n")
	put := func(trip string, i int) {
		p := points[i%len(points)]
		fmt.Fprintf(&table, "%s,%s,%s,%s\n", trip, time.Unix(int64(1_700_000_000+i*60), 0).UTC().Format(time.RFC3339), p["lon"], p["lat"])
	}
	for i := range 300 {
		put("long", i)
	}
	for i := range 2 {
		put("short", i)
	}
	trips := b.put("trips.csv", table.String())
	for flag, want := range map[string][]string{"--quiet": {"short", "long"}, "--in-order": {"long", "short"}} {
		b.run(OK, "--threads", "2", "recover", trips, "--network", b.extract(), "--method", "hmm", "-o", b.file("out.csv"), flag)
		var got []string
		for _, p := range b.rows(b.file("out.csv")) {
			if !slices.Contains(got, p["trajectory"]) {
				got = append(got, p["trajectory"])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: written are %v, want %v", flag, got, want)
		}
	}
}
