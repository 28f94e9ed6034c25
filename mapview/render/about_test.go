package render

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"hash/crc32"
	"image/png"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"retrace/engine/trajectory"
)

// told is a scene whose picture says where it comes from.
func told(t *testing.T) *Scene {
	s := townScene(t)
	s.Trips = []Trip{townTrip(t), townTrip(t)}
	for i := range s.Trips {
		s.Trips[i].Recovery.Provenance = trajectory.Provenance{Method: "rntrajrec", Model: "世界@abc"}
	}
	s.About = Provenance(s, "Retrace 1.2", time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
	return s
}

func TestProvenanceNamesEachThingOnce(t *testing.T) {
	s := told(t)
	got := map[string][]string{}
	for _, f := range s.About {
		got[f.Name] = append(got[f.Name], f.Value)
	}
	for name, want := range map[string]string{FieldSoftware: "Retrace 1.2", FieldDate: "2026-03-04T05:06:07Z", FieldModel: "世界@abc",
		FieldMethod: "rntrajrec", FieldFingerprint: s.Network.Info().Fingerprint, FieldNetwork: s.Network.Info().Name} {
		if len(got[name]) != 1 || got[name][0] != want {
			t.Errorf("%s is %q, want %q once", name, got[name], want)
		}
	}
}

// pngTexts reads the texts of a PNG, and checks the sum of every chunk.
func pngTexts(t *testing.T, data []byte) map[string]string {
	texts := map[string]string{}
	for at := 8; at+12 <= len(data); {
		n := int(binary.BigEndian.Uint32(data[at:]))
		kind, body := string(data[at+4:at+8]), data[at+8:at+8+n]
		if binary.BigEndian.Uint32(data[at+8+n:]) != crc32.ChecksumIEEE(data[at+4:at+8+n]) {
			t.Errorf("the sum of a chunk %s is wrong", kind)
		}
		name, value, _ := bytes.Cut(body, []byte{0})
		switch kind {
		case "tEXt":
			runes := make([]rune, len(value))
			for i, b := range value {
				runes[i] = rune(b)
			}
			texts[string(name)] = string(runes)
		case "iTXt":
			texts[string(name)] = string(value[4:])
		}
		at += 12 + n
	}
	return texts
}

func TestFilesOfPicturesSayWhereTheyComeFrom(t *testing.T) {
	s, v, opt := told(t), Viewport{Center: at(15, 3), Zoom: 14, Width: 120, Height: 80, Scale: 1}, Options{Layers: LayerRoads}
	var asPNG, asSVG, asPDF bytes.Buffer
	for i, err := range []error{WritePNG(&asPNG, s, v, opt), WriteSVG(&asSVG, s, v, opt), WritePDF(&asPDF, s, v, opt)} {
		if err != nil {
			t.Fatal(i, err)
		}
	}
	if img, err := png.Decode(bytes.NewReader(asPNG.Bytes())); err != nil || img.Bounds().Dx() != 120 {
		t.Errorf("the PNG cannot be read: %v", err)
	}
	texts := pngTexts(t, asPNG.Bytes())
	var svg struct {
		Rights      string `xml:"metadata>RDF>Description>rights"`
		Date        string `xml:"metadata>RDF>Description>date"`
		Description string `xml:"metadata>RDF>Description>description"`
	}
	if err := xml.Unmarshal(asSVG.Bytes(), &svg); err != nil {
		t.Fatal(err)
	}
	for _, f := range s.About {
		if texts[f.Name] != f.Value {
			t.Errorf("the PNG says %s %q, want %q", f.Name, texts[f.Name], f.Value)
		}
		if f.Name == FieldNetwork || f.Name == FieldFingerprint || f.Name == FieldModel {
			if !strings.Contains(svg.Description, f.Name+": "+f.Value) {
				t.Errorf("the SVG does not say %s", f.Name)
			}
			if !strings.Contains(asPDF.String(), "/"+f.Name+" <FEFF"+utf16Hex(f.Value)+">") {
				t.Errorf("the PDF does not say %s", f.Name)
			}
		}
	}
	if svg.Date != "2026-03-04T05:06:07Z" || svg.Rights != valueOf(s.About, FieldCopyright) {
		t.Errorf("the SVG is of %q by %q", svg.Date, svg.Rights)
	}
	if !strings.Contains(asPDF.String(), "/CreationDate (D:20260304050607Z)") {
		t.Error("the PDF has no date")
	}
}

func utf16Hex(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	return strings.ToUpper(hex.EncodeToString(b))
}

// Drawn four times finer a picture shows the same.
func TestFinerPicturesShowTheSame(t *testing.T) {
	s := townScene(t)
	s.Trips = []Trip{townTrip(t)}
	v := window(15)
	v.Width, v.Height = 300, 200
	coarse, fine := Picture(s, v, DefaultOptions()), Picture(s, v.Times(4), DefaultOptions())
	if fine.Rect.Dx() != 1200 || fine.Rect.Dy() != 800 {
		t.Fatalf("four times as fine is %v", fine.Rect)
	}
	far := 0
	for y := range 200 {
		for x := range 300 {
			var sum [3]int
			for dy := range 4 {
				for dx := range 4 {
					p := fine.RGBAAt(4*x+dx, 4*y+dy)
					sum[0], sum[1], sum[2] = sum[0]+int(p.R), sum[1]+int(p.G), sum[2]+int(p.B)
				}
			}
			p := coarse.RGBAAt(x, y)
			for i, c := range []uint8{p.R, p.G, p.B} {
				if d := sum[i]/16 - int(c); d > 70 || d < -70 {
					far++
					break
				}
			}
		}
	}
	if share := float64(far) / 60000; share > 0.02 {
		t.Errorf("%.1f %% of the pixels differ plainly", share*100)
	}
}

// valueOf is the first value of a field.
func valueOf(fields []Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
