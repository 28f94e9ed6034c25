package osmimport

import (
	"testing"

	"retrace/engine/roadnet"
)

func TestTimeZone(t *testing.T) {
	places := []struct {
		name     string
		lon, lat float64
		want     string
	}{
		{"Porto", -8.61, 41.15, "Europe/Lisbon"},
		{"Taipei", 121.54, 25.04, "Asia/Taipei"},
		{"Basel, at three borders", 7.59, 47.56, "Europe/Zurich"},
		{"Columbus", -83, 39.96, "America/New_York"},
		{"Imperial County, at a border", -115.5, 32.7, "America/Los_Angeles"},
		{"Nogales, Arizona, at a border of another offset", -110.94, 31.345, "America/Phoenix"},
		{"Sao Paulo", -46.63, -23.55, "America/Sao_Paulo"},
		{"Vaduz, too small for the index", 9.52, 47.14, "Europe/Vaduz"},
		{"Phoenix within the Navajo Nation's neighbourhood", -112.07, 33.45, "America/Phoenix"},
		{"the open Atlantic", -30, 0, "Etc/GMT+2"},
	}
	for _, p := range places {
		got, err := timeZone(roadnet.Point{Lon: p.lon, Lat: p.lat})
		if err != nil || got != p.want {
			t.Errorf("%s: got %q, %v, want %q", p.name, got, err, p.want)
		}
	}
}

func BenchmarkTimeZone(b *testing.B) {
	for b.Loop() {
		if _, err := timeZone(roadnet.Point{Lon: 7.59, Lat: 47.56}); err != nil {
			b.Fatal(err)
		}
	}
}
