package command

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"retrace/storage"
)

// cross is an extract of two streets that cross.
const cross = `<?xml version="1.0"?><osm version="0.6">
<node id="1" version="1" lat="30.000" lon="-20.002"/><node id="2" version="1" lat="30.000" lon="-20.000"/>
<node id="3" version="1" lat="30.000" lon="-19.998"/><node id="4" version="1" lat="30.002" lon="-20.000"/>
<node id="5" version="1" lat="29.998" lon="-20.000"/>
<way id="1" version="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/></way>
<way id="2" version="1"><nd ref="4"/><nd ref="2"/><nd ref="5"/><tag k="highway" v="residential"/></way>
</osm>`

// flip flips a bit of the workspace where a text stands: in the one of these places
// that does the damage.
func (b *bench) flip(text string, done func() bool) {
	b.Helper()
	file, err := os.ReadFile(b.file("ws.retrace"))
	if err != nil {
		b.Fatal(err)
	}
	for end := len(file); ; {
		if end = bytes.LastIndex(file[:end], []byte(text)); end < 0 {
			b.Fatalf("no %q in the workspace does", text)
		}
		broken := bytes.Clone(file)
		broken[end+len(text)-1] ^= 1
		if err := os.WriteFile(b.file("ws.retrace"), broken, 0o600); err != nil {
			b.Fatal(err)
		}
		if done() {
			return
		}
	}
}

// A network that is not whole is missed: every command that meets it says so,
// works with the rest and ends with a status of its own.
func TestADamagedNetworkIsTold(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"alpha", "beta", "gamma"} {
		b.run(OK, "import", b.put("cross.osm", cross), "--name", name)
	}
	out, _ := b.run(OK, "workspace", "verify")
	says(t, out, "is whole: 3 networks, 0 trajectories, 0 recoveries")
	b.flip(`"beta`, func() bool {
		w, err := storage.Open(b.file("ws.retrace"), storage.Options{ReadOnly: true})
		if err != nil {
			return false
		}
		defer w.Close()
		infos, err := w.Networks()
		return err == nil && len(infos) == 2
	})
	trips := b.put("trips.csv", "trip,time,lon,lat\nbus,2024-05-06T10:00:00Z,-20.0015,30.00001\nbus,2024-05-06T10:01:00Z,-20.0,30.0015\n")

	out, errs := b.run(Damaged, "networks")
	says(t, out, "alpha: ", "gamma: ")
	says(t, errs, `is damaged: network "beta"`, "retrace workspace salvage")
	_, errs = b.run(Damaged, "recover", trips, "--network", "beta", "-o", b.file("out.csv"))
	says(t, errs, `network "beta"`)
	if strings.Contains(errs, "holds none yet") {
		t.Errorf("a damaged workspace is called empty: %s", errs)
	}
	b.run(OK, "recover", trips, "--network", "alpha", "--method", "hmm", "-o", b.file("out.csv")) // it meets no damage
	b.run(Damaged, "networks", "remove", "beta")
	_, errs = b.run(OK, "workspace", "salvage", "-o", b.file("saved")) // its description stands there twice
	if strings.Contains(errs, "retrace:") {
		t.Errorf("also told %s", errs)
	}
	_, errs = b.run(WrongUsage, "workspace", "salvage", "-o", b.file("saved"))
	says(t, errs, "saved is there already")
	out, _ = b.run(OK, "networks", "--workspace", b.file("saved"))
	says(t, out, "alpha: ", "beta: ", "gamma: ")
	out, _ = b.run(OK, "workspace", "verify", b.file("saved"))
	says(t, out, "3 networks")
	out, _ = b.run(Damaged, "workspace", "verify", "--json")
	var said struct {
		Whole    bool
		Networks int
		Damage   []struct{ Kind, Name, Reason string }
	}
	if err := json.Unmarshal([]byte(out), &said); err != nil || said.Whole || said.Networks != 2 || len(said.Damage) != 1 || said.Damage[0].Name != "beta" {
		t.Errorf("%s: %v", out, err)
	}
}

// What is left of a cut workspace is never called empty.
func TestACutWorkspaceIsNotCalledEmpty(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"alpha", "beta", "gamma"} {
		b.run(OK, "import", b.put("cross.osm", cross), "--name", name)
	}
	file, err := os.ReadFile(b.file("ws.retrace"))
	if err != nil {
		t.Fatal(err)
	}
	for percent := 1; percent < 100; percent += 7 {
		cut := b.put("cut.retrace", string(file[:len(file)*percent/100]))
		var out, errs bytes.Buffer
		p := Program{Stdout: &out, Stderr: &errs}
		status := p.Run(b.ctx, []string{"networks", "--workspace", cut})
		whole := strings.Count(out.String(), "\n") == 3
		if status != Damaged && (status != OK || !whole) {
			t.Errorf("cut to %d %%: status %d\n%s%s", percent, status, &out, &errs)
		}
		if strings.Contains(errs.String(), "retrace import makes one") {
			t.Errorf("cut to %d %%, it is called empty: %s", percent, &errs)
		}
		if status == Damaged {
			says(t, errs.String(), "is damaged")
		}
		if got := p.Run(b.ctx, []string{"import", b.file("cross.osm"), "--name", "new", "--workspace", cut}); got != status {
			t.Errorf("cut to %d %%: import ends with %d, networks with %d", percent, got, status)
		}
	}
	errs := ""
	if _, errs = b.run(NothingRead, "workspace", "verify", b.put("other.retrace", "a text")); !strings.Contains(errs, "no Retrace workspace") {
		t.Errorf("a text is %s", errs)
	}
	_, errs = b.run(NothingRead, "workspace", "verify", b.file("missing.retrace"))
	says(t, errs, "there is no workspace")
}

// One recovery that is not whole costs no other, and nothing can be added to a
// damaged workspace, which is said before the work.
func TestADamagedRecoveryCostsNoOther(t *testing.T) {
	b := newBench(t)
	b.keepRecoveries()
	w, err := storage.Open(b.file("ws.retrace"), storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := w.TrajectoryIDs(b.ctx)
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	b.flip(ids[2], func() bool {
		w, err := storage.Open(b.file("ws.retrace"), storage.Options{ReadOnly: true})
		if err != nil {
			return false
		}
		defer w.Close()
		_, err = w.Recovery(ids[2], "hmm")
		return err != nil && len(w.Damage()) == 1
	})
	_, errs := b.run(Damaged, "export", "-o", b.file("all.csv"))
	says(t, errs, `recovery "`, "is damaged")
	got := map[string]bool{}
	for _, row := range b.rows(b.file("all.csv")) {
		got[row["trajectory"]] = true
	}
	if len(got) != len(ids)-1 || got[ids[2]] {
		t.Errorf("written were %v of %v", got, ids)
	}
	b.run(Damaged, "report", "-o", b.file("all.html"), "--pictures", "0")
	_, errs = b.run(Damaged, "workspace", "verify")
	if errs != "" && !strings.HasPrefix(errs, "checking") {
		t.Errorf("told %s", errs)
	}
	b.run(Damaged, "workspace", "salvage", "-o", b.file("saved"))
	b.run(OK, "export", "-o", b.file("saved.csv"), "--workspace", b.file("saved"))
}
