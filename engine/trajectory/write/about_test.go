package write

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every file says, in itself or beside it, on which network it was made, how,
// and whose the data is.
func TestEveryFileSaysWhereItComesFrom(t *testing.T) {
	net, r := drawn(t)
	info := about(net)
	info.Network.DataDate, info.Model = "2026-01-31", "toy@0123456789abcdef"
	for _, format := range Formats() {
		path := filepath.Join(t.TempDir(), "out"+format.Extension)
		w, err := Create(path, net.Network, info)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if beside, err := os.ReadFile(path + "-metadata.json"); err == nil {
			b = append(b, beside...)
		}
		if format.Extension == ".zip" {
			b = unpack(t, b)
		}
		text := strings.NewReplacer("&amp;", "&", `\u0026`, "&").Replace(string(b))
		for _, want := range []string{"drawn", "f00d", "2026-01-31", "hmm", "toy@0123456789abcdef", "tick=15s & more", "Retrace 0.1", "© OpenStreetMap contributors (ODbL)"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", format.Extension, want)
			}
		}
	}
}

func unpack(t *testing.T, b []byte) []byte {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, e := range z.File {
		r, err := e.Open()
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, part...)
	}
	return all
}
