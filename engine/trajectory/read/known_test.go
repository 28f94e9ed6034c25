package read

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// A file is known again after the program was closed, also under another name
// and when the first copy is gone; one that was changed is not.
func TestFilesAreKnownAnotherTime(t *testing.T) {
	dir := t.TempDir()
	const content = "id,time,lon,lat\na,2024-05-06T10:00:00Z,8.5,49.1\n"
	first := filepath.Join(dir, "a.csv")
	write := func(path, content string) {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(first, content)
	readAll := func(known *Known, path string) (trips int, reason string) {
		opt := Options{Known: known, Problem: func(p Problem) { reason = p.Reason }}
		for _, err := range Files(context.Background(), []string{path}, nil, opt) {
			if err != nil {
				t.Fatal(err)
			}
			trips++
		}
		return trips, reason
	}
	before := NewKnown()
	if n, _ := readAll(before, first); n != 1 {
		t.Fatalf("%d trips", n)
	}
	list, err := before.List(context.Background())
	if err != nil || len(list) != 1 || list[0].Path != first {
		t.Fatalf("listed %+v, %v", list, err)
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var again []Seen
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	after := NewKnown()
	after.Remember(again)
	copied, changed := filepath.Join(dir, "copy.csv"), filepath.Join(dir, "changed.csv")
	write(copied, content)
	write(changed, content[:len(content)-2]+"2\n")
	if n, reason := readAll(after, copied); n != 0 || reason != SameFile {
		t.Errorf("the same content gives %d trips, %q", n, reason)
	}
	if n, _ := readAll(after, changed); n != 1 {
		t.Errorf("other content of the same size gives %d trips", n)
	}
	if list, err := after.List(context.Background()); err != nil || len(list) != 2 {
		t.Errorf("then %+v, %v are known", list, err)
	}
}
