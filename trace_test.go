//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"retrace/engine/ort"
)

// tracer runs programs in a network namespace of their own, with all that they do with
// sockets and files written down.
type tracer struct {
	dir string   // all that is written must lie below
	env []string // besides the test's own
}

// newTracer skips the test where programs cannot be traced.
func newTracer(t *testing.T) *tracer {
	t.Helper()
	for _, tool := range []string{"strace", "unshare"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: make setup installs it", tool)
		}
	}
	x := &tracer{dir: t.TempDir()}
	for _, folder := range []string{"home", "tmp", "out", "data", "cache", "config"} {
		if err := os.Mkdir(filepath.Join(x.dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	x.env = []string{"HOME=" + x.at("home"), "XDG_DATA_HOME=" + x.at("data"), "XDG_CACHE_HOME=" + x.at("cache"), "XDG_CONFIG_HOME=" + x.at("config"),
		"XDG_RUNTIME_DIR=" + x.at("home"), "TMPDIR=" + x.at("tmp"), "ORT_DISABLE_TELEMETRY=0", "DBUS_SESSION_BUS_ADDRESS="}
	if out, err := x.command("true", "true").CombinedOutput(); err != nil {
		t.Skipf("no program can be traced in a network namespace here: %v %s", err, out)
	}
	return x
}

func (x *tracer) at(name string) string { return filepath.Join(x.dir, name) }

// calls are the system calls that reach other computers or change files.
const calls = "socket,connect,open,openat,openat2,creat,mkdir,mkdirat,mknod,mknodat,rename,renameat,renameat2,link,linkat,symlink,symlinkat"

// command is a program that is traced into a file.
func (x *tracer) command(name, program string, args ...string) *exec.Cmd {
	all := append([]string{"-n", "strace", "-f", "-qq", "-y", "-s", "4096", "-e", "trace=" + calls, "-e", "signal=none", "-o", x.at(name + ".trace"), program}, args...)
	if os.Geteuid() != 0 {
		all = append([]string{"-r"}, all...)
	}
	cmd := exec.Command("unshare", all...)
	cmd.Dir, cmd.Env = x.at("out"), append(os.Environ(), x.env...)
	return cmd
}

// run runs the program, which must succeed, and gives what it did.
func (x *tracer) run(t *testing.T, name string, args ...string) []string {
	t.Helper()
	cmd := x.command(name, os.Args[0], args...)
	cmd.Env = append(cmd.Env, childVariable+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("retrace %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return x.deeds(t, name)
}

// deeds are the sockets that were opened and the files that were written, one a line.
func (x *tracer) deeds(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(x.at(name + ".trace"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		all = append(all, deed(strings.TrimSpace(line))...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// quoted is a path in a trace, with the folder that it is relative to, if one is told.
var quoted = regexp.MustCompile(`(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"`)

// deed is what one line of a trace tells: "socket ..." for a socket or "write ..." for a
// path; nothing where it only reads.
func deed(line string) []string {
	_, call, ok := strings.Cut(line, " ") // after the number of the process
	if call = strings.TrimSpace(call); !ok || strings.HasPrefix(call, "<...") {
		return nil
	}
	name, _, ok := strings.Cut(call, "(")
	if !ok {
		return nil
	}
	switch {
	case name == "socket" || name == "connect":
		return []string{"socket " + call}
	case strings.Contains(call, ") = -1 E"):
		return nil // nothing was written
	case strings.HasPrefix(name, "open") && !strings.Contains(call, "O_WRONLY") && !strings.Contains(call, "O_RDWR") && !strings.Contains(call, "O_CREAT"):
		return nil
	}
	var all []string
	for _, m := range quoted.FindAllStringSubmatch(call, -1) {
		path := m[2]
		if !filepath.IsAbs(path) {
			path = filepath.Join(m[1], path)
		}
		all = append(all, "write "+path)
	}
	return all
}

// besides are the deeds that are not allowed. Places are paths below which the program
// may write, or whose names begin so.
func besides(deeds []string, allowed func(socket string) bool, places ...string) []string {
	return slices.DeleteFunc(slices.Clone(deeds), func(d string) bool {
		kind, what, _ := strings.Cut(d, " ")
		if kind == "socket" {
			return allowed(what)
		}
		return strings.HasPrefix(what, "/dev/") || slices.ContainsFunc(places, func(p string) bool { return strings.HasPrefix(what, p) })
	})
}

func none(string) bool { return false }

// A test that sees nothing would pass as well as one that looks.
func TestATraceSeesASocketAndAStrayFile(t *testing.T) {
	x := newTracer(t)
	cmd := x.command("leak", os.Args[0])
	cmd.Env = append(cmd.Env, leakVariable+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := strings.Join(besides(x.deeds(t, "leak"), none, x.at("out")), "\n")
	for _, want := range []string{"socket socket(AF_INET", "write " + x.at("home/deviceid")} {
		if !strings.Contains(seen, want) {
			t.Errorf("the trace does not tell of %q:\n%s", want, seen)
		}
	}
}

// The program opens no connection, and writes nothing but its workspace, what was found
// of devices, what it is told to write, and what it clears from the temporary folder:
// the places that the README lists.
func TestNothingLeavesTheDesk(t *testing.T) {
	x := newTracer(t)
	out, places := x.at("out"), []string{x.at("out") + "/", x.at("data/retrace"), x.at("tmp/retrace-")}
	for name, text := range map[string]string{"cross.osm": cross, "trips.csv": trips} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	steps := []step{
		{"import", []string{"import", "cross.osm"}},
		{"recover by map matching", []string{"recover", "trips.csv", "--network", "cross", "--method", "hmm", "-o", "hmm.gpkg", "--report", "hmm.html"}},
		{"write a report", []string{"report", "--recovery", "hmm.gpkg", "--input", "trips.csv", "--network", "cross", "-o", "report.html"}},
	}
	if library, err := ort.Library(filepath.Join(working(t), ".cache", "onnxruntime")); err == nil {
		x.env = append(x.env, ort.LibraryVariable+"="+library)
		steps = append(steps,
			step{"recover by the model", []string{"recover", "trips.csv", "--network", "cross", "--method", "rntrajrec", "-o", "model.gpkg", "--report", "model.html"}},
			step{"try devices", []string{"devices", "--probe"}},
			step{"verify the model", []string{"model", "verify"}})
	} else {
		t.Log("the model is left out: ", err)
	}
	for i, s := range steps {
		for _, d := range besides(x.run(t, fmt.Sprint(i), s.args...), none, places...) {
			t.Errorf("%s: %s", s.name, d)
		}
	}
	if left, err := os.ReadDir(x.at("tmp")); err != nil || len(left) > 0 {
		t.Errorf("the temporary folder holds %v, %v", left, err)
	}
}

// step is something that the program is told to do.
type step struct {
	name string
	args []string
}

func working(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The window speaks to the display and to nobody else.
func TestTheWindowSpeaksToTheDisplayOnly(t *testing.T) {
	x := newTracer(t)
	binary, err := filepath.Abs("retrace")
	if err == nil {
		_, err = os.Stat(binary)
	}
	if err != nil {
		t.Skipf("the window is not built (make build): %v", err)
	}
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: make setup installs it", tool)
		}
	}
	library, err := ort.Library(filepath.Join(working(t), ".cache", "onnxruntime"))
	if err != nil {
		t.Skip(err)
	}
	x.env = append(x.env, ort.LibraryVariable+"="+library)
	x.window(t, binary)
	// Preferences, an index of the system's fonts, and what its graphics driver keeps.
	places := []string{x.at("out") + "/", x.at("data/retrace"), x.at("tmp/retrace-"),
		x.at("config/fyne"), x.at("cache/fyne"), x.at("cache/font_index"), x.at("cache/mesa_shader_cache"), x.at("cache/fontconfig")}
	// Besides displays the C library asks its own cache for names of users, on the same computer.
	display := func(socket string) bool {
		return strings.Contains(socket, "AF_UNIX, SOCK_STREAM") || strings.Contains(socket, ".X11-unix/") ||
			strings.Contains(socket, "/wayland-") || strings.Contains(socket, "/run/nscd/socket")
	}
	for _, d := range besides(x.deeds(t, "window"), display, places...) {
		t.Error(d)
	}
}

// window shows the window on a display of its own until its sample is recovered.
func (x *tracer) window(t *testing.T, binary string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill(); _ = server.Wait() }()
	write.Close()
	number := make([]byte, 8)
	n, err := read.Read(number)
	if err != nil {
		t.Fatal(err)
	}
	display := "DISPLAY=:" + strings.TrimSpace(string(number[:n]))
	cmd := x.command("window", binary, "--workspace", filepath.Join(x.at("out"), "w.retrace"))
	cmd.Env = append(cmd.Env, display)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if !x.shows(display, ended) {
		t.Errorf("no window is shown that has tried all devices:\n%s", said.String())
	}
	x.interrupt(t, "window")
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the window does not end")
		_ = cmd.Process.Kill()
	}
}

// shows reports whether a window is there that has tried all devices.
func (x *tracer) shows(display string, ended <-chan error) bool {
	for range 120 {
		find := exec.Command("xdotool", "search", "--name", "Retrace")
		find.Env = append(os.Environ(), display)
		found, err := os.ReadFile(x.at("data/retrace/devices.json"))
		if find.Run() == nil && err == nil && strings.Contains(string(found), `"webgpu"`) {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(time.Second):
		}
	}
	return false
}

// interrupt ends a program that is traced.
func (x *tracer) interrupt(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(x.at(name + ".trace"))
	if err != nil {
		t.Fatal(err)
	}
	number, _, _ := strings.Cut(string(text), " ")
	id, err := strconv.Atoi(number)
	if err == nil {
		err = syscall.Kill(id, syscall.SIGINT)
	}
	if err != nil {
		t.Errorf("the traced program cannot be ended: %v", err)
	}
}
