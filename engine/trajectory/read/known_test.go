package read

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
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

// Equal files are read once, whether they lie in a folder or in an archive, or in
// both; a shapefile is another one where its attributes are.
func TestEqualFilesInFoldersAndArchives(t *testing.T) {
	const one, other = "id,time,lon,lat\na,2024-05-06T10:00:00Z,8.5,49.1\n", "id,time,lon,lat\nb,2024-05-06T10:00:00Z,8.5,49.1\n"
	dir := t.TempDir()
	var names, contents []string
	for i := range 50 {
		name, content := fmt.Sprintf("%02d.csv", i), one
		if i == 30 {
			content = other
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		names, contents = append(names, name), append(contents, content)
	}
	packed := filepath.Join(t.TempDir(), "all.zip")
	if err := os.WriteFile(packed, archiveOf(t, names, contents), 0o600); err != nil {
		t.Fatal(err)
	}
	nested := filepath.Join(t.TempDir(), "nested.zip")
	inner := string(archiveOf(t, names, contents))
	if err := os.WriteFile(nested, archiveOf(t, []string{"a.zip", "b.zip"}, []string{inner, inner}), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, paths := range map[string][]string{"a folder": {dir}, "an archive": {packed}, "an archive of archives": {nested}, "both": {dir, packed}} {
		r := readPaths(Options{}, paths...)
		if len(r.all) != 2 || len(r.errs) > 0 {
			t.Errorf("%s gives %d trips, %v", what, len(r.all), r.errs)
		}
		for _, p := range r.problems {
			if p.Reason != SameFile || p.Value == "" {
				t.Errorf("%s: %v", what, p)
			}
		}
	}
	shape := shapefileSeeds()[0]
	changed := bytes.Clone(shape.dbf)
	at := bytes.LastIndexAny(changed, "ab")
	changed[at] = 'z'
	content := archiveOf(t, []string{"1.shp", "1.dbf", "2.shp", "2.dbf", "3.shp", "3.dbf"},
		[]string{string(shape.shp), string(shape.dbf), string(shape.shp), string(changed), string(shape.shp), string(shape.dbf)})
	if r := readFile(t, "shapes.zip", content, Options{}); len(r.problems) != 1 || r.problems[0].Reason != SameFile || len(r.all) < 3 {
		t.Errorf("shapefiles: %s%v%v", r.text(), r.problems, r.errs)
	}
}

// archiveOf is a zip archive of several files.
func archiveOf(t testing.TB, names, contents []string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, name := range names {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(contents[i])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
