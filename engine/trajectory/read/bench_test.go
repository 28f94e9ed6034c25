package read

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

func BenchmarkCSV(b *testing.B) {
	var s strings.Builder
	s.WriteString("trip,time,lon,lat\n")
	for i := range 100_000 {
		fmt.Fprintf(&s, "trip-%d,2024-01-02T08:%02d:%02dZ,%.6f,%.6f\n", i%500, i/60%60, i%60, 13.5+float64(i)*1e-6, 52.5)
	}
	content := s.String()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		for _, err := range Reader(context.Background(), "a.csv", strings.NewReader(content), Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkGuess(b *testing.B) {
	row := strings.Repeat("2024-01-02T08:00:00Z,13.500001,52.500001,words and words,1704182400,", 30) + "x\n"
	head := []byte(strings.Repeat(row, headSize/len(row)))
	for b.Loop() {
		if _, err := guessDialect(head, "", false); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGeoJSON reads points, each a feature of its own, as Retrace writes them.
func BenchmarkGeoJSON(b *testing.B) {
	var s strings.Builder
	s.WriteString(`{"type":"FeatureCollection","generator":"Retrace","features":[`)
	const rows = 20_000
	for i := range rows {
		if i > 0 {
			s.WriteByte(',')
		}
		fmt.Fprintf(&s, "\n"+`{"type":"Feature","properties":{"kind":"sample","trajectory":"trip-%d","vehicle":"taxi 1","time":"2024-01-02T08:%02d:%02dZ"},"geometry":{"type":"Point","coordinates":[%.6f,52.5]}}`,
			i%500, i/60%60, i%60, 13.5+float64(i)*1e-6)
	}
	s.WriteString("\n]}\n")
	content := s.String()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		for _, err := range Reader(context.Background(), "a.geojson", strings.NewReader(content), Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkSmallFiles reads a thousand small tables out of an archive.
func BenchmarkSmallFiles(b *testing.B) {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for i := range 1000 {
		w, err := z.Create(fmt.Sprintf("%d.csv", i))
		if err != nil {
			b.Fatal(err)
		}
		fmt.Fprintln(w, "trip,time,lon,lat")
		for k := range 30 {
			fmt.Fprintf(w, "t%d,2024-01-02T08:%02d:00Z,%.6f,%.6f\n", i, k, -8.6+float64(i)/1e4+float64(k)/1e5, 41.1+float64(k)/1e5)
		}
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, err := range Reader(context.Background(), "a.zip", bytes.NewReader(packed.Bytes()), Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
