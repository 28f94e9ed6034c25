package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrace/engine/bundle"
	"retrace/engine/enginetest"
	"retrace/storage"
)

// someone is a user whose name is in the paths of all that he has.
func someone(t *testing.T, b *bench) {
	t.Helper()
	home := filepath.Join(b.dir, "frida.kraemer")
	temp := filepath.Join(home, "temp")
	if err := os.MkdirAll(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HOME", "USERPROFILE", "LocalAppData", "XDG_DATA_HOME"} {
		t.Setenv(name, home)
	}
	for _, name := range []string{"TMPDIR", "TEMP", "TMP"} {
		t.Setenv(name, temp)
	}
	t.Setenv("USER", "frida.kraemer")
	t.Setenv("DISPLAY", "kraemers-laptop:17.0")
}

// What is sent to whoever helps says what he needs and not who one is: neither
// where one's files lie nor what they are called nor what is in them.
func TestDoctorTellsWhatHelpsAndNothingPersonal(t *testing.T) {
	b := newBench(t)
	someone(t, b)
	b.models = &enginetest.Models{Files: &bundle.Bundle{Hash: strings.Repeat("ab", 32), Manifest: bundle.Manifest{Name: "tiny"}}, Refused: "slower than the CPU"}
	b.run(OK, "import", b.put("cross.osm", cross), "--name", "Secret Street")
	out, errs := b.run(OK, "doctor")
	says(t, out, "retrace           0.0, built by go", "processor", "DISPLAY=:17.0", "without a window", "tiny, abababababab", "on the CPU", "slower than the CPU",
		"whole: 1 network, 0 trajectories, 0 recoveries", "data folder       ~", "temp, can be written")
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, personal := range []string{"frida", "kraemer", b.dir, host, "Secret", "ws.retrace"} {
		if strings.Contains(out+errs, personal) {
			t.Errorf("doctor tells %q:\n%s%s", personal, out, errs)
		}
	}
	out, _ = b.run(OK, "--json", "doctor")
	for line := range strings.Lines(out) {
		var f finding
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.About == "" || f.Found == "" {
			t.Errorf("%s is no finding: %v", line, err)
		}
	}
}

func TestDoctorTellsWhyNoModelRuns(t *testing.T) {
	b := newBench(t)
	someone(t, b)
	b.models = &enginetest.Models{Fault: os.ErrNotExist}
	out, _ := b.run(OK, "doctor")
	says(t, out, "runtime           file does not exist", "workspace         none yet")
	b.models = nil
	out, _ = b.run(OK, "doctor")
	says(t, out, "put together without models")
}

// Of a damaged workspace the kinds of what is lost are told, not the names, which
// may say who drove where.
func TestDoctorTellsOfDamageAndOfWhoHoldsTheWorkspace(t *testing.T) {
	b := newBench(t)
	someone(t, b)
	for _, name := range []string{"alpha", "Secret Street"} {
		b.run(OK, "import", b.put("cross.osm", cross), "--name", name)
	}
	held, err := storage.Open(b.file("ws.retrace"), storage.Options{Program: "retrace 9.9"})
	if err != nil {
		t.Fatal(err)
	}
	out, _ := b.run(OK, "doctor")
	says(t, out, "held by retrace 9.9")
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	b.flip(`"Secret Street`, func() bool {
		w, err := storage.Open(b.file("ws.retrace"), storage.Options{ReadOnly: true})
		if err != nil {
			return false
		}
		defer w.Close()
		infos, err := w.Networks()
		return err == nil && len(infos) == 1
	})
	out, errs := b.run(Damaged, "doctor")
	says(t, out, "damaged, whole of it: 1 network", "; a network")
	if strings.Contains(out+errs, "Secret") {
		t.Errorf("doctor tells the name of what is lost:\n%s%s", out, errs)
	}
}

func TestNamesAreHidden(t *testing.T) {
	for in, want := range map[string]string{
		"/home/ada/x is not there":         "~/x is not there",
		"/srv/ada/x, ada ada, adamant":     "/srv/USER/x, USER USER, adamant",
		"a lock of lovelace-pc:7":          "a lock of HOST:7",
		"nothing":                          "nothing",
		"/data/home/ada/1, (ada@lovelace)": "/data~/1, (USER@lovelace)",
	} {
		if got := hide(in, "/home/ada", "ada", "lovelace-pc"); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := hide("a b", "/", "", ""); got != "a b" {
		t.Errorf("without names it becomes %q", got)
	}
}

// A driver that ends the process that asks for it, or hangs, is told of.
func TestTheDisplayIsAskedInAProcessOfItsOwn(t *testing.T) {
	b := newBench(t)
	s := &session{ctx: b.ctx, windowProgram: b.file("no-such-program")}
	says(t, s.displayText(), "ended")
	ctx, cancel := context.WithTimeout(b.ctx, time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	s = &session{ctx: ctx, windowProgram: os.Args[0]}
	says(t, s.displayText(), "hangs")
}

func TestTheNameOfALinux(t *testing.T) {
	if got := releaseName("NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"); got != "Debian GNU/Linux 12" {
		t.Errorf("it is %q", got)
	}
}
