package osmimport

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"retrace/engine/basemap"
)

// dataDir is where real extracts lie, if they are there.
func dataDir(t testing.TB) string {
	dir := os.Getenv("RETRACE_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no shared data here (see RETRACE_DATA)")
	}
	return filepath.Join(dir, "data")
}

// Every real extract imports, with what is known to be wrong with it told.
func TestRealExtracts(t *testing.T) {
	dir := filepath.Join(dataDir(t), "osm")
	for name, c := range map[string]struct {
		segments int // at least
		zone     string
		odd      string // must be reported
		kinds    []basemap.Kind
	}{
		"bangkok.osm.pbf":           {3000, "Asia/Bangkok", oddUnsorted, nil},
		"beijing-yizhuang.osm.pbf":  {3000, "Asia/Shanghai", "", nil},
		"cairo.osm.gz":              {3000, "Africa/Cairo", "", nil},
		"campo-grande.osm.gz":       {20000, "America/Campo_Grande", oddMissing, nil},
		"columbus.osm.pbf":          {50000, "America/New_York", oddUnsorted, nil},
		"copenhagen.osm.pbf":        {10000, "Europe/Copenhagen", "", []basemap.Kind{basemap.Building, basemap.Water}},
		"frankfurter-kreuz.osm.pbf": {3000, "Europe/Berlin", "", nil},
		"heidelberg.osm.pbf":        {30000, "Europe/Berlin", oddBox, nil},
		"helsinki.osm.pbf":          {4000, "Europe/Helsinki", "", []basemap.Kind{basemap.Building, basemap.Green}},
		"imperial-county.osm.pbf":   {50000, "America/Los_Angeles", "", []basemap.Kind{basemap.Waterway}},
		"liechtenstein.osm.pbf":     {10000, "Europe/Vaduz", "", []basemap.Kind{basemap.Building, basemap.Water, basemap.Place, basemap.Rail}},
		"london.osm.pbf":            {10000, "Europe/London", "", []basemap.Kind{basemap.Building, basemap.Rail}},
		"malta.osm.pbf":             {50000, "Europe/Malta", "", []basemap.Kind{basemap.BuiltUp, basemap.Place}},
		"manila.osm.gz":             {1500, "Asia/Manila", "", nil},
		"mannheim.osm.pbf":          {90000, "Europe/Berlin", "", nil},
		"maribor.osm.gz":            {10000, "Europe/Ljubljana", oddMissing, nil},
		"milan.osm.pbf":             {80000, "Europe/Rome", "", nil},
		"monaco.osm.pbf":            {4000, "Europe/Paris", "", []basemap.Kind{basemap.Building}},
		"portland.osm.pbf":          {30000, "America/Los_Angeles", "", nil},
		"porto-alegre.osm.pbf":      {30000, "America/Sao_Paulo", "", nil},
		"porto.osm.pbf":             {140000, "Europe/Lisbon", "", nil},
		"queens.osm.pbf":            {6000, "America/New_York", "", []basemap.Kind{basemap.Building}},
		"sao-paulo.osm.pbf":         {9000, "America/Sao_Paulo", "", nil},
		"shanghai-center.osm.gz":    {1500, "Asia/Shanghai", oddLayer, nil},
		"shenzhen.osm.gz":           {2000, "Asia/Shanghai", oddNegative, nil},
		"taipei.osm.gz":             {5000, "Asia/Taipei", "", nil},
		"west-oakland.osm.bz2":      {900, "America/Los_Angeles", "", nil},
		"yokohama.osm.gz":           {5000, "Asia/Tokyo", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && c.segments > 4000 {
				t.Skip("large ones take long")
			}
			r := mustImport(t, filepath.Join(dir, name))
			info := r.Network.Info()
			if info.Segments < c.segments || info.TimeZone != c.zone {
				t.Errorf("%d segments in %s; want %d in %s", info.Segments, info.TimeZone, c.segments, c.zone)
			}
			if c.odd != "" && count(r.Report.Oddities, c.odd) == 0 {
				t.Errorf("not told: %s: %+v", c.odd, r.Report.Oddities)
			}
			for _, k := range c.kinds {
				if r.Basemap.Len(k) == 0 {
					t.Errorf("no %s", k)
				}
			}
			if r.Report.Read.Nodes == 0 || r.Report.Read.Ways == 0 || r.Report.Seconds <= 0 || r.Report.Length <= 0 {
				t.Errorf("an incomplete report: %+v", r.Report.Read)
			}
		})
	}
}

// A network of pure geometry is one too.
func TestWorldwide(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(dataDir(t), "worldwide", "*", "network.osm.pbf"))
	if err != nil || len(paths) != 48 {
		t.Fatalf("%d networks, %v; want 48", len(paths), err)
	}
	if testing.Short() {
		paths = paths[:6]
	}
	for _, path := range paths {
		r := mustImport(t, path)
		if r.Network.NumSegments() < 200 || r.Network.Info().TimeZone == "" {
			t.Errorf("%s: %d segments in %q", path, r.Network.NumSegments(), r.Network.Info().TimeZone)
		}
		if len(r.Report.Dropped) != 0 {
			t.Errorf("%s: dropped %+v", path, r.Report.Dropped)
		}
	}
}

// Cancelling the import of a real extract is answered within 0.2 s, whenever
// it comes.
func TestCancelReal(t *testing.T) {
	var paths []string
	for _, name := range []string{"porto.osm.pbf", "milan.osm.pbf", "maribor.osm.gz", "mannheim.osm.pbf"} {
		paths = append(paths, filepath.Join(dataDir(t), "osm", name))
	}
	for after := time.Duration(0); after < 1300*time.Millisecond; after += 170 * time.Millisecond {
		stopsInTime(t, after.String(), func() time.Duration {
			ctx, cancel := context.WithTimeout(context.Background(), after)
			defer cancel()
			start := time.Now()
			if _, err := Import(ctx, paths, Options{}); err == nil {
				return 0
			}
			return time.Since(start) - after
		})
	}
}

func BenchmarkImportPorto(b *testing.B) {
	path := filepath.Join(dataDir(b), "osm", "porto.osm.pbf")
	for b.Loop() {
		mustImport(b, path)
	}
}
