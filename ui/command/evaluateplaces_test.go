package command

import (
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// place writes the files of a place on a straight road, with points every second.
func place(t *testing.T, net *roadnettest.Net, truth string) string {
	t.Helper()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, placeTruth))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	input := "id,time,lon,lat\n"
	if truth == "" {
		truth = "t,lon,lat\n"
		for s := range 121 {
			at := net.At(roadnet.Position{Segment: net.Seg("AB"), Ratio: float64(s) / 120})
			where := strconv.FormatFloat(at.Lon, 'f', 7, 64) + "," + strconv.FormatFloat(at.Lat, 'f', 7, 64) + "\n"
			now := time.Unix(1420070400+int64(s), 0).UTC()
			truth += strconv.FormatInt(now.Unix(), 10) + "," + where
			input += "one," + now.Format(time.RFC3339) + "," + where
		}
	}
	if _, err := z.Write([]byte(truth)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, placeInput), []byte(input), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAPlaceHasATruthAtEveryTick(t *testing.T) {
	net := roadnettest.Draw(t, 100, "A---------------B", "AB")
	one, err := caseOfPlace(context.Background(), net.Network, place(t, net, ""), 15*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(one.Dense.Samples) != 9 || len(one.Truth.Ticks) != 9 {
		t.Fatalf("%d points and %d true ticks in 120 s, want one every 15 s", len(one.Dense.Samples), len(one.Truth.Ticks))
	}
	for i, k := range one.Truth.Ticks {
		if k.Time != one.Dense.Samples[i].Time || k.At.Segment != net.Seg("AB") {
			t.Errorf("tick %d is %+v", i, k)
		}
	}
}

func TestAPlaceThatCannotBeReadIsNamed(t *testing.T) {
	net := roadnettest.Draw(t, 100, "A---------------B", "AB")
	for truth, says := range map[string]string{"t,lon,lat\n": "no rows", "t,lon,lat\n1,x,2\n": "row 2", "t\n1\n": "row 2"} {
		_, err := caseOfPlace(context.Background(), net.Network, place(t, net, truth), 15*time.Second)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), placeTruth) {
			t.Errorf("%q: %v", truth, err)
		}
	}
}
