package render

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fadedScene has a selected trip and a faded one.
func fadedScene(t *testing.T) *Scene {
	s := townScene(t)
	one, two := townTrip(t), townTrip(t)
	other := *two.Trajectory
	other.ID = "t2"
	two.Trajectory = &other
	s.Trips = []Trip{one, two}
	s.Selection = Item{Kind: TripItem, Trip: "t1"}
	return s
}

func TestSVGIsWellFormedAndDrawsAll(t *testing.T) {
	var out bytes.Buffer
	if err := WriteSVG(&out, fadedScene(t), window(15.5), DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(&out)
	count := map[string]int{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			count[e.Name.Local]++
		}
	}
	if count["path"] < 100 || count["g"] != 1 {
		t.Errorf("elements %v, want paths of everything and one faded group", count)
	}
}

func TestPDFHoldsTogether(t *testing.T) {
	var out bytes.Buffer
	if err := WritePDF(&out, fadedScene(t), window(15.5), DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	doc := out.Bytes()
	start := regexp.MustCompile(`startxref\n(\d+)\n`).FindSubmatch(doc)
	if start == nil {
		t.Fatal("no table of objects")
	}
	at, _ := strconv.Atoi(string(start[1]))
	rows := strings.Split(string(doc[at:]), "\n")
	objects := 0
	for _, row := range rows[3:] {
		offset, ok := strings.CutSuffix(row, " 00000 n ")
		if !ok {
			break
		}
		objects++
		n, err := strconv.Atoi(offset)
		if err != nil || !bytes.HasPrefix(doc[n:], fmt.Appendf(nil, "%d 0 obj\n", objects)) {
			t.Fatalf("object %d is not where the table says", objects)
		}
	}
	if objects != 6 {
		t.Errorf("%d objects, want catalog, pages, page, content, one faded form and the information", objects)
	}
	for i, content := range streams(t, doc) {
		for _, line := range strings.Split(content, "\n") {
			if strings.Contains(line, "NaN") || strings.Contains(line, "Inf") {
				t.Fatalf("stream %d: %s", i, line)
			}
		}
	}
}

// streams are the contents of a document, unpacked.
func streams(t *testing.T, doc []byte) []string {
	var out []string
	for _, m := range regexp.MustCompile(`/Length (\d+) >>\nstream\n`).FindAllSubmatchIndex(doc, -1) {
		n, _ := strconv.Atoi(string(doc[m[2]:m[3]]))
		z, err := zlib.NewReader(bytes.NewReader(doc[m[1] : m[1]+n]))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(content))
	}
	if len(out) != 2 {
		t.Fatalf("%d streams, want 2", len(out))
	}
	return out
}
