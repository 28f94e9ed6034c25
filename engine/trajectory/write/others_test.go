package write

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What is written is read by GDAL, which most programs read with, without a word
// of complaint: as many features as there are, in WGS 84, with their times.
func TestFilesAreReadByGDAL(t *testing.T) {
	if _, err := exec.LookPath("ogrinfo"); err != nil {
		t.Skip("needs ogrinfo (Debian: gdal-bin)")
	}
	net, r := drawn(t)
	for name, want := range map[string][]string{
		"out.gpkg":    {"Layer name: points", "Layer name: links", "time (DateTime) = 2024/01/02 08:01:15+00", "Layer name: layer_styles"},
		"out.geojson": {"Feature Count: 13", "time (DateTime) = 2024/01/02 08:01:15+00"},
		"out.gpx":     {"Layer name: tracks", "Layer name: track_points", "Feature Count: 6", "time (DateTime) = 2024/01/02 08:01:15+00"},
		"out.kml":     {"Feature Count: 1", "Geometry: "},
		"out.zip":     {"Layer name: points", "Layer name: path", "Layer name: spans", "Layer name: links", "Feature Count: 6", `ID["EPSG",4326]`, "time (String) = 2024-01-02T08:01:15Z", "prob (Real) = 0.750000"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, name, net, r)
			if filepath.Ext(path) == ".zip" {
				path = "/vsizip/" + path
			}
			out, err := exec.Command("ogrinfo", "-al", "-ro", path).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			text := string(out)
			for _, w := range want {
				if !strings.Contains(text, w) {
					t.Errorf("ogrinfo does not say %q:\n%s", w, text)
				}
			}
			if strings.Contains(text, "Warning") || strings.Contains(text, "ERROR") {
				t.Errorf("ogrinfo complains:\n%s", text)
			}
		})
	}
}
