package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLongestStretchOfATripWithinAnAreaIsKept(t *testing.T) {
	rows := "trip,time,lon,lat\n"
	add := func(trip string, lon float64, n int) {
		for range n {
			rows += trip + ",2024-05-06T00:00:" + seconds(&rows) + "Z," + degrees(lon) + ",0.500000\n"
		}
	}
	add("long", 0.5, 12)
	add("long", 2, 3)
	add("long", 0.6, 11)
	add("short", 0.5, 9)
	file := filepath.Join(t.TempDir(), "trips.csv")
	if err := os.WriteFile(file, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := (area{0, 0, 1, 1}).stretches(t.Context(), file, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 1+12 || !strings.HasPrefix(lines[1], "long,") || !strings.Contains(lines[12], ",0.500000,") {
		t.Errorf("got %q, want the first twelve samples of the long trip", lines)
	}
}

// seconds is the next second of a table, as two digits.
func seconds(rows *string) string {
	n := strings.Count(*rows, "\n")
	return string([]byte{byte('0' + n/10), byte('0' + n%10)})
}

func TestAnAreaThatIsNoneIsRefused(t *testing.T) {
	for _, text := range []string{"", "1,2,3", "1,2,3,north"} {
		if _, err := parseArea(text); err == nil || !strings.Contains(err.Error(), "-area") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
