package read

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Coordinates in the systems that files come in.
func TestCoordinateSystems(t *testing.T) {
	mercator := 6378137 * math.Log(math.Tan(math.Pi/4+52.5*math.Pi/360))
	for _, c := range []struct {
		name                   string
		x, y, lon, lat, within float64
	}{
		{"", 13.5, 52.5, 13.5, 52.5, 0},
		{"EPSG:4326", 13.5, 52.5, 13.5, 52.5, 0},
		{"EPSG:32633", 500_000, 0, 15, 0, 1e-9},
		{"25833", 500_000, 0, 15, 0, 1e-9},
		{"EPSG:3857", 13.5 * math.Pi / 180 * 6378137, mercator, 13.5, 52.5, 1e-7},
		// As published with the coordtransform library, whose inverse stops after one step.
		{"GCJ-02", 116.404, 39.915, 116.39775550083061, 39.91359571849836, 2e-5},
		{"bd09", 116.41036949371029, 39.92133699351021, 116.39775550083061, 39.91359571849836, 2e-5},
		{"GCJ-02", 13.5, 52.5, 13.5, 52.5, 0}, // not in China
	} {
		p, err := projectionOf(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if lon, lat := p.apply(c.x, c.y); !(math.Abs(lon-c.lon) <= c.within && math.Abs(lat-c.lat) <= c.within) {
			t.Errorf("%s: %v %v, want %v %v", c.name, lon, lat, c.lon, c.lat)
		}
	}
	for _, name := range []string{"EPSG:1", "Mars"} {
		if _, err := projectionOf(name); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	csv := "trip,time,x,y\na,2024-01-02T08:00:00Z,500000,0\n"
	readText(t, "a.csv", csv, Options{CRS: "EPSG:32633"}).check(t, "a/ 0102T080000,15,0\n")
}

// In all of China, going back to WGS 84 undoes the shift to a centimetre.
func TestShiftsOfChinaAreUndone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lon, lat := rapid.Float64Range(74, 134).Draw(rt, "lon"), rapid.Float64Range(18, 53).Draw(rt, "lat")
		dx, dy := shiftGCJ(lon, lat)
		back, up := gcj02(lon+dx, lat+dy)
		if math.Abs(back-lon) > 1e-7 || math.Abs(up-lat) > 1e-7 {
			rt.Fatalf("%v %v became %v %v", lon, lat, back, up)
		}
	})
}

// Definitions as .prj files hold them.
func TestDefinitionsOfCoordinateSystems(t *testing.T) {
	for text, want := range map[string]float64{
		"": 500_000,
		`GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`: 500_000,
		`PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["GCS_WGS_1984"],UNIT["Meter",1.0]]`:                                                                          15,
		`PROJCS["anything",GEOGCS["x",AUTHORITY["EPSG","4326"]],UNIT["metre",1],AUTHORITY["EPSG","32633"]]`:                                                 15,
		`PROJCS["ETRS_1989_UTM_Zone_33N",GEOGCS["x"]]`:                                                                                                      15,
	} {
		p, err := projectionOfWKT(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if lon, _ := p.apply(500_000, 0); math.Abs(lon-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", text, lon, want)
		}
	}
	if _, err := projectionOfWKT(`PROJCS["Mars_2000",GEOGCS["x"]]`); err == nil || !strings.Contains(err.Error(), "MARS_2000") {
		t.Errorf("error %v", err)
	}
}
