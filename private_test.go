//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// childVariable has the test binary be the program.
const childVariable = "RETRACE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(leakVariable) != "" {
		leak()
	}
	if os.Getenv(childVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// leakVariable has the test binary do what the program must not.
const leakVariable = "RETRACE_TEST_LEAK"

// leak opens a socket, and writes a file where nobody asked for one.
func leak() {
	if c, err := net.Dial("udp", "192.0.2.1:53"); err == nil {
		c.Close()
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), "deviceid"), nil, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(0)
}

// program runs the program where most systems have it: with a umask that lets
// all others read.
func program(t *testing.T, dir string, args ...string) {
	t.Helper()
	defer syscall.Umask(syscall.Umask(0o022))
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), childVariable+"=1", "HOME="+dir, "XDG_DATA_HOME="+filepath.Join(dir, "data"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("retrace %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// modes are who may read the files and folders that lie below dir.
func modes(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	all := map[string]fs.FileMode{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := e.Info()
		if err == nil {
			all[strings.TrimPrefix(path, dir)] = info.Mode().Perm()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What the program writes can be read by its user alone, also in the place of a
// file that others could read, unless the user wants it otherwise.
func TestOutputsAreTheUsersAlone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"cross.osm": cross, "trips.csv": trips} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, flags := range [][]string{{}, {"--shared"}} {
		out := filepath.Join(dir, "out"+strings.Join(flags, ""))
		if err := os.Mkdir(out, 0o700); err != nil {
			t.Fatal(err)
		}
		at := func(name string) string { return filepath.Join(out, name) }
		if err := os.WriteFile(at("points.csv"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, c := range [][]string{
			{"import", "cross.osm", "--workspace", at("w")},
			{"recover", "trips.csv", "--network", "cross", "--workspace", at("w"), "--method", "hmm", "-o", at("points.csv"), "--path", at("path.csv"),
				"--spans", at("spans.csv"), "--links", at("links.csv"), "--problems", at("problems.csv"), "--report", at("report.html")},
			{"convert", "trips.csv", "-o", at("converted.gpkg")},
			{"convert", "trips.csv", "-o", at("converted.zip")},
			{"dataset", "trips.csv", "--network", "cross.osm", "-o", at("tensors")},
		} {
			program(t, dir, append(c, flags...)...)
		}
		file, folder := fs.FileMode(0o600), fs.FileMode(0o700)
		if len(flags) > 0 {
			file, folder = 0o644, 0o755
		}
		all := modes(t, out)
		if len(all) < 14 {
			t.Errorf("only %d files were written", len(all))
		}
		for path, mode := range all {
			if mode != file && mode != folder {
				t.Errorf("%v: %s has %o", flags, path, mode)
			}
		}
	}
}

// cross is an extract of two streets that cross, and trips a table of one trip
// over them.
const (
	cross = `<?xml version="1.0"?><osm version="0.6">
<node id="1" version="1" lat="30.000" lon="-20.002"/><node id="2" version="1" lat="30.000" lon="-20.000"/>
<node id="3" version="1" lat="30.000" lon="-19.998"/><node id="4" version="1" lat="30.002" lon="-20.000"/>
<node id="5" version="1" lat="29.998" lon="-20.000"/>
<way id="1" version="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/></way>
<way id="2" version="1"><nd ref="4"/><nd ref="2"/><nd ref="5"/><tag k="highway" v="residential"/></way>
</osm>`
	trips = "trip,time,lon,lat\nbus,2024-05-06T10:00:00Z,-20.0015,30.00001\nbus,2024-05-06T10:01:00Z,-20.0,30.0015\n"
)
