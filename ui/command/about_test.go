package command

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"retrace/engine/trajectory/write"
)

// Whatever is written says, in itself or beside it, on which network it was made,
// how, and whose the data is: tables, geographic files, pictures and reports.
func TestEveryOutputSaysWhereItComesFrom(t *testing.T) {
	b := newBench(t)
	b.keepRecoveries()
	names := []string{"map.png", "map.svg", "map.pdf", "report.html"}
	for _, f := range write.Formats() {
		b.run(OK, "export", "-o", b.file("out"+f.Extension))
		names = append(names, "out"+f.Extension)
	}
	for _, name := range names[:3] {
		b.run(OK, "render", "--network", "sample", "--recovery", b.file("out.gpkg"), "--size", "300x200", "-o", b.file(name))
	}
	b.run(OK, "report", "-o", b.file("report.html"), "--pictures", "1")
	out, _ := b.run(OK, "--json", "networks")
	_, fingerprint, ok := strings.Cut(out, `ingerprint":"`)
	if !ok {
		t.Fatalf("the networks are %s", out)
	}
	for _, name := range names {
		text := plainText(t, []byte(b.text(name)))
		if beside, err := os.ReadFile(b.file(name) + "-metadata.json"); err == nil {
			text += string(beside)
		}
		for _, want := range []string{fingerprint[:40], "sample", "hmm", "tick=15s", "OpenStreetMap contributors", "Retrace"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
}

// plainText is all text of a file: that of an archive unpacked, and that in
// UTF-16 read.
func plainText(t *testing.T, b []byte) string {
	text := string(b)
	if z, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err == nil {
		for _, e := range z.File {
			r, err := e.Open()
			if err != nil {
				t.Fatal(err)
			}
			part, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			text += string(part)
		}
	}
	for _, m := range regexp.MustCompile(`<FEFF([0-9A-F]+)>`).FindAllSubmatch(b, -1) { // of PDF
		raw, err := hex.DecodeString(string(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		var wide []uint16
		for i := 0; i+1 < len(raw); i += 2 {
			wide = append(wide, binary.BigEndian.Uint16(raw[i:]))
		}
		text += string(utf16.Decode(wide)) + "\n"
	}
	return text
}
