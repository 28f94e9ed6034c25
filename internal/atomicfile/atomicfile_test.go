package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFileIsCompleteOrNotThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("half"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a partial file stands under its final name: %v", err)
	}
	f.Abort()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := Write(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if f, err = Create(path); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("the old file was touched: %q", b)
	}
	if _, err := f.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if b, _ := os.ReadFile(path); string(b) != "new" {
		t.Errorf("got %q", b)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(filepath.Join(dir, "missing", "out.csv")); err == nil {
		t.Error("no error in a folder that is not there")
	}
	if _, err := Create(dir); err == nil {
		t.Error("no error for a folder")
	}
}

func TestALinkIsWrittenWhereItLeads(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "elsewhere")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	link, second, target := filepath.Join(dir, "out.csv"), filepath.Join(folder, "next"), filepath.Join(folder, "real.csv")
	if err := os.Symlink(filepath.Join("elsewhere", "next"), link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := os.Symlink("real.csv", second); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"first", "again"} { // where it leads is not there, and is
		if err := Write(link, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(target); string(b) != text {
			t.Errorf("where the link leads is %q", b)
		}
		for _, l := range []string{link, second} {
			if info, err := os.Lstat(l); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%s is no link any more: %v", l, err)
			}
		}
	}
	if left, _ := os.ReadDir(folder); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
	round := filepath.Join(dir, "round")
	if err := os.Symlink("round", round); err != nil {
		t.Fatal(err)
	}
	if err := Write(round, nil); err == nil {
		t.Error("no error for a link to itself")
	}
}

func TestWhatAKilledProgramLeftGoesWithTheNextFile(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "mine.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	name := f.Name()
	left, his := filepath.Join(dir, ".other.csv"+partMark+"0123abcd"+partEnd), filepath.Join(dir, ".his.part")
	for _, path := range []string{left, his} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(filepath.Join(dir, "next.csv"), nil); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{name: true, his: true, left: false} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s is there: %t", path, err == nil)
		}
	}
}
