package scratch

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const childVariable = "RETRACE_TEST_SCRATCH"

// TestMain lets the test binary be a program that is going to be killed: it makes
// a folder and a file, says so and waits.
func TestMain(m *testing.M) {
	dir, child := os.LookupEnv(childVariable)
	if !child {
		os.Exit(m.Run())
	}
	folder, err := New("test")
	if err == nil {
		err = os.WriteFile(folder.Join("trips"), []byte("where somebody was"), 0o600)
	}
	f, ferr := os.Create(filepath.Join(dir, "a.part"))
	if err != nil || ferr != nil || !Own(f) {
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(folder.Path + "\n")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// start runs a program that keeps a folder among the temporary files of temp and a
// file in dir.
func start(t *testing.T, dir, temp string) (folder string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+dir, "TMPDIR="+temp, "TEMP="+temp, "TMP="+temp)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	kill = func() {
		if !ended {
			ended = true
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			_ = in.Close()
		}
	}
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), kill
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func all(string) bool { return true }

func TestWhatAKilledProgramLeftIsCleared(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	for _, v := range []string{"TMPDIR", "TEMP", "TMP"} {
		t.Setenv(v, temp)
	}
	folder, kill := start(t, dir, temp)
	part := filepath.Join(dir, "a.part")
	Clear()
	ClearFiles(dir, all)
	if !there(folder) || !there(part) {
		t.Error("what a running program uses was removed")
	}
	kill()
	Clear()
	ClearFiles(dir, all)
	if there(folder) || there(part) {
		t.Errorf("left behind: folder %t, file %t", there(folder), there(part))
	}
}

// Whatever the user calls a folder or a file of his own, it stays.
func TestOnlyOursIsCleared(t *testing.T) {
	temp := t.TempDir()
	for _, v := range []string{"TMPDIR", "TEMP", "TMP"} {
		t.Setenv(v, temp)
	}
	his := filepath.Join(temp, "retrace-trips")
	if err := os.Mkdir(his, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(temp, "retrace-out.csv")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(temp, "retrace-link")
	if err := os.Mkdir(link, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, filepath.Join(link, marker)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	Clear()
	for _, path := range []string{his, file, link} {
		if !there(path) {
			t.Errorf("%s was removed", path)
		}
	}
}

func TestAFolderGoesWithAllThatIsInIt(t *testing.T) {
	folder, err := In(t.TempDir(), "x-*")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder.Join("a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := folder.Remove(); err != nil || there(folder.Path) {
		t.Errorf("left behind: %v", err)
	}
	f, err := NewFile("test")
	if err != nil {
		t.Fatal(err)
	}
	f.Remove()
	if there(filepath.Dir(f.Name())) {
		t.Error("the folder of a file was left behind")
	}
}
