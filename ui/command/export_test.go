package command

import (
	"context"
	"os"
	"strings"
	"testing"

	"retrace/engine"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/storage"
)

// keepRecoveries puts trips of the sample and their recoveries into the
// workspace, as the window does.
func (b *bench) keepRecoveries() {
	b.Helper()
	b.run(OK, "import", b.extract())
	w, err := storage.Open(b.file("ws.retrace"), storage.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	net, _, err := w.LoadNetwork(b.ctx, "sample")
	if err != nil {
		b.Fatal(err)
	}
	r, err := engine.NewRecoverer(net, engine.DefaultSettings())
	if err != nil {
		b.Fatal(err)
	}
	var ts []*trajectory.Trajectory
	var rs []*trajectory.Recovery
	for t, err := range read.Files(b.ctx, []string{b.trips()}, nil, read.Options{}) {
		if err != nil {
			b.Fatal(err)
		}
		if len(ts) == 5 {
			break
		}
		rec, err := r.Recover(context.Background(), t, nil)
		if err != nil {
			b.Fatal(err)
		}
		ts, rs = append(ts, t), append(rs, rec)
	}
	if _, err := w.SaveTrajectories(b.ctx, ts); err != nil {
		b.Fatal(err)
	}
	if err := w.SaveRecoveries(b.ctx, rs); err != nil {
		b.Fatal(err)
	}
}

func TestExport(t *testing.T) {
	b := newBench(t)
	b.keepRecoveries()
	b.run(OK, "export", "-o", b.file("all.gpkg"))
	b.run(OK, "export", "--format", "geojson", "-o", b.file("all.txt"))
	b.run(OK, "export", "--layer", "links", "-o", b.file("links.csv"))
	out, _ := b.run(OK, "export", "--network", "sample", "-o", "-")
	b.only("all.gpkg", "all.txt", "links.csv")
	ids := map[string]bool{}
	for line := range strings.Lines(out) {
		id, _, _ := strings.Cut(line, ",")
		ids[id] = true
	}
	if len(ids) != 6 { // five trajectories and the header
		t.Errorf("exported %v", ids)
	}
	text, err := os.ReadFile(b.file("all.txt"))
	if err != nil {
		t.Fatal(err)
	}
	says(t, string(text), `"kind":"point"`, `"kind":"path"`, `"kind":"link"`, `"method":"hmm"`, `"network":"sample"`)
	if len(b.rows(b.file("links.csv"))) == 0 {
		t.Error("no links")
	}
	_, errs := b.run(WrongUsage, "export", "-o", b.file("all.xyz"))
	says(t, errs, "--format")
	b.run(WrongUsage, "export", "--network", "nowhere", "-o", b.file("x.csv"))
	b.run(WrongUsage, "export", "--format", "gpkg", "-o", "-")
}
