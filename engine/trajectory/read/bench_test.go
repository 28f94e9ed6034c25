package read

import (
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
