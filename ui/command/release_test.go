package command

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/engine"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/storage"
)

// releasePath is where a workspace of a release is kept.
func releasePath(version string) string { return "testdata/release-" + version + ".retrace.gz" }

// A workspace that any release wrote opens in this one, is whole, says which version
// recovered, and takes more. RETRACE_WRITE_GOLDEN=1 writes that of the version in the
// file VERSION, once, before it is released.
func TestWorkspacesOfReleasesOpen(t *testing.T) {
	text, err := os.ReadFile("../../VERSION")
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimSpace(string(text))
	if os.Getenv("RETRACE_WRITE_GOLDEN") != "" {
		writeRelease(t, version)
	}
	if _, err := os.Stat(releasePath(version)); err != nil {
		t.Errorf("version %s keeps no workspace: RETRACE_WRITE_GOLDEN=1 go test -tags ci -run WorkspacesOfReleases ./ui/command", version)
	}
	all, err := filepath.Glob(releasePath("*"))
	if err != nil || len(all) == 0 {
		t.Fatal("no releases", err)
	}
	for _, path := range all {
		release := strings.TrimSuffix(strings.TrimPrefix(path, filepath.FromSlash("testdata/release-")), ".retrace.gz")
		t.Run(release, func(t *testing.T) {
			b := newBench(t)
			unpack(t, path, b.file("ws.retrace"))
			b.run(OK, "import", b.put("more.osm", cross), "--name", "more") // brings it to the newest layout
			out, _ := b.run(OK, "workspace", "verify")
			says(t, out, "is whole: 2 networks, 1 trajectory, 1 recovery")
			b.run(OK, "export", "-o", b.file("out.csv"))
			if rows := b.rows(b.file("out.csv")); len(rows) != 5 || rows[0]["trajectory"] != "bus" || rows[0]["way"] == "" {
				t.Errorf("the recovery is %v", rows)
			}
			says(t, b.text("out.csv-metadata.json"), "hmm", "streets")
			checkRecoveredBy(t, b, release)
			b.run(OK, "recover", b.put("trips.csv", twoStreets), "--network", "streets", "--method", "hmm", "-o", b.file("again.csv"))
		})
	}
}

// checkRecoveredBy checks that the recovery says which version made it.
func checkRecoveredBy(t *testing.T, b *bench, release string) {
	t.Helper()
	w, err := storage.Open(b.file("ws.retrace"), storage.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for r, err := range w.Recoveries(b.ctx) {
		if err != nil || r.Provenance.Version != release {
			t.Errorf("recovered by %q, not by %s: %v", r.Provenance.Version, release, err)
		}
	}
}

// twoStreets is a table of one trip over the two streets of cross.
const twoStreets = "trip,time,lon,lat\nbus,2024-05-06T10:00:00Z,-20.0015,30.00001\nbus,2024-05-06T10:01:00Z,-20.0,30.0015\n"

func writeRelease(t *testing.T, version string) {
	t.Helper()
	b := newBench(t)
	b.run(OK, "import", b.put("cross.osm", cross), "--name", "streets")
	w, err := storage.Open(b.file("ws.retrace"), storage.Options{Program: "retrace " + version})
	if err != nil {
		t.Fatal(err)
	}
	net, _, err := w.LoadNetwork(b.ctx, "streets")
	if err != nil {
		t.Fatal(err)
	}
	settings := engine.DefaultSettings()
	settings.Version = version
	r, err := engine.NewRecoverer(net, settings)
	if err != nil {
		t.Fatal(err)
	}
	for trip, err := range read.Files(b.ctx, []string{b.put("trips.csv", twoStreets)}, nil, read.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		_, keeping := w.SaveTrajectories(b.ctx, []*trajectory.Trajectory{trip})
		rec, recovering := r.Recover(b.ctx, trip, nil)
		if err := errors.Join(keeping, recovering); err != nil {
			t.Fatal(err)
		}
		if err := w.SaveRecoveries(b.ctx, []*trajectory.Recovery{rec}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.SetSetting("view", []byte("streets")), w.Compact(b.ctx), w.Close()); err != nil {
		t.Fatal(err)
	}
	pack(t, b.file("ws.retrace"), releasePath(version))
}

func pack(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err == nil {
		_, err = zip.Write(data)
	}
	if err := errors.Join(err, zip.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
}

func unpack(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	zip, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zip)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
