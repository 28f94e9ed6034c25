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

// QGIS loads every layer, draws it in the style that came with it, and makes a
// picture that is not blank.
func TestGeoPackageOpensInQGIS(t *testing.T) {
	if exec.Command("/usr/bin/python3", "-c", "import qgis.core").Run() != nil {
		t.Skip("needs QGIS (Debian: python3-qgis, qgis-providers)")
	}
	net, r := drawn(t)
	cmd := exec.Command("/usr/bin/python3", filepath.Join("testdata", "open_in_qgis.py"), file(t, "out.gpkg", net, r), filepath.Join(t.TempDir(), "map.png"))
	cmd.Env = append(cmd.Environ(), "QT_QPA_PLATFORM=offscreen", "XDG_RUNTIME_DIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"points 6 EPSG:4326 categorizedSymbol #1b1f24 #0072b2", "path 2 EPSG:4326 singleSymbol #0072b2",
		"spans 1 EPSG:4326 categorizedSymbol #cc79a7 #009e73 #0072b2 #0072b2", "links 4 EPSG:4326 singleSymbol #1b1f24", "picture with path and points"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("QGIS does not say %q:\n%s", want, out)
		}
	}
}
