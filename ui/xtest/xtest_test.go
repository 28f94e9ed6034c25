// Package xtest tries the real program on a real X server: a file dropped from
// another program must end as a network in the workspace.
package xtest

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrace/storage"
)

// tools are the programs that the test needs besides the program itself.
var tools = []string{"Xvfb", "openbox", "xdotool"}

// TestFileDroppedFromAnotherProgram runs the program that RETRACE_BINARY names:
// to build one takes minutes, which a test should not.
func TestFileDroppedFromAnotherProgram(t *testing.T) {
	binary := os.Getenv("RETRACE_BINARY")
	if binary == "" {
		t.Skip("RETRACE_BINARY names no program with a window to try")
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not there", tool)
		}
	}
	python := pythonWithXlib()
	if python == "" {
		t.Skip("no python3 with python3-xlib is there")
	}
	dir := t.TempDir()
	workspace := filepath.Join(dir, "w.retrace")
	x := startX(t)
	program := x.start(t, binary, "--workspace", workspace)
	x.until(t, "the window is there", func() error { return x.run("xdotool", "search", "--name", "Retrace") })
	extract := filepath.Join(dir, "cross.osm")
	if err := os.WriteFile(extract, []byte(cross), 0o644); err != nil {
		t.Fatal(err)
	}
	x.until(t, "the drop is taken", func() error { return x.run(python, "xdnd.py", "Retrace", extract) })
	x.until(t, "the network is shown", func() error { return x.run("xdotool", "search", "--name", "cross") })
	table := filepath.Join(dir, "trips.csv")
	if err := os.WriteFile(table, []byte(trips), 0o644); err != nil {
		t.Fatal(err)
	}
	x.until(t, "the drop of trips is taken", func() error { return x.run(python, "xdnd.py", "Retrace", table) })
	x.readPreview(t)
	if err := program.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	program.Wait()
	w, err := storage.Open(workspace, storage.Options{ReadOnly: true, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	infos, err := w.Networks()
	if err != nil || len(infos) != 1 || infos[0].Name != "cross" || infos[0].Segments != 8 {
		t.Errorf("the workspace holds %+v, %v", infos, err)
	}
	if _, _, err := w.LoadNetwork(context.Background(), "cross"); err != nil {
		t.Error(err)
	}
	if ids, err := w.TrajectoryIDs(context.Background()); err != nil || len(ids) != 1 || ids[0] != "bus" {
		t.Errorf("the workspace holds the trips %q, %v", ids, err)
	}
}

// pythonWithXlib is a python that can speak to X, the system's one first; empty
// where there is none.
func pythonWithXlib() string {
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(python, "-c", "import Xlib").Run() == nil {
			return python
		}
	}
	return ""
}

// cross is an extract of two streets that cross.
const cross = `<?xml version="1.0"?><osm version="0.6">
<node id="1" version="1" lat="30.000" lon="-20.002"/><node id="2" version="1" lat="30.000" lon="-20.000"/>
<node id="3" version="1" lat="30.000" lon="-19.998"/><node id="4" version="1" lat="30.002" lon="-20.000"/>
<node id="5" version="1" lat="29.998" lon="-20.000"/>
<way id="1" version="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/></way>
<way id="2" version="1"><nd ref="4"/><nd ref="2"/><nd ref="5"/><tag k="highway" v="residential"/></way>
</osm>`

// trips is a table of one trip over the cross.
const trips = "trip,time,lon,lat\nbus,2024-05-06T10:00:00Z,-20.0015,30.00001\nbus,2024-05-06T10:01:00Z,-20.0,30.0015\n"

// readPreview presses Enter, which reads what the preview shows, often enough
// for it to come up; where there is none Enter does nothing.
func (s *screen) readPreview(t *testing.T) {
	t.Helper()
	for range 40 {
		if err := s.run("xdotool", "key", "Return"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
	}
}

// screen is an X server with a window manager.
type screen struct{ display string }

func startX(t *testing.T) *screen {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	begin(t, server)
	write.Close()
	number := make([]byte, 16)
	n, err := read.Read(number)
	if err != nil {
		t.Fatalf("Xvfb names no display: %v", err)
	}
	s := &screen{display: ":" + strings.TrimSpace(string(number[:n]))}
	s.start(t, "openbox")
	return s
}

// start starts a program on the screen; it is ended with the test.
func (s *screen) start(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "DISPLAY="+s.display, "WAYLAND_DISPLAY=", "HOME="+t.TempDir())
	begin(t, c)
	return c
}

func begin(t *testing.T, c *exec.Cmd) {
	t.Helper()
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		if t.Failed() {
			t.Logf("%s: %s", c.Path, out.String())
		}
	})
}

// run runs a program on the screen to its end.
func (s *screen) run(name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "DISPLAY="+s.display)
	return c.Run()
}

// until tries something until it works.
func (s *screen) until(t *testing.T, what string, try func() error) {
	t.Helper()
	end := time.Now().Add(90 * time.Second)
	for {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s: %v", what, err)
		}
		time.Sleep(300 * time.Millisecond)
	}
}
