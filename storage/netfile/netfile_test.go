package netfile

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
)

// written is a network, and the file that it is in.
func written(t testing.TB) (*roadnet.Network, string) {
	t.Helper()
	net := roadnettest.GridCity(6)
	values := make([]float32, 3*net.NumSegments())
	for i := range values {
		values[i] = float32(i)
	}
	path := filepath.Join(t.TempDir(), "city.network")
	if err := Write(path, net, &basemap.Map{}, []Roads{{"model", 3, values}}, "retrace test"); err != nil {
		t.Fatal(err)
	}
	return net, path
}

func TestANetworkComesBackAsItWas(t *testing.T) {
	net, path := written(t)
	if !Is(path) {
		t.Error("the file is not known")
	}
	for range 2 { // any number may have it open
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(net.Info(), f.Network.Info()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(net.Columns(), f.Network.Columns(), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		if v := f.Roads("model", 3); len(v) != 3*net.NumSegments() || v[7] != 7 {
			t.Errorf("%d values of roads", len(v))
		}
		if f.Roads("another", 3) != nil || f.Roads("model", 4) != nil {
			t.Error("another model's values are given")
		}
		if bm, err := f.Basemap(); err != nil || bm == nil {
			t.Error(bm, err)
		}
	}
}

// A new file under the name does no harm to those who have the old one open.
func TestAFileMayBeReplacedWhileItIsOpen(t *testing.T) {
	net, path := written(t)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(path, roadnettest.GridCity(3), nil, nil, ""); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(net.Columns(), f.Network.Columns(), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	again, err := Open(path)
	if err != nil || again.Network.NumSegments() >= net.NumSegments() {
		t.Error(err)
	}
	if bm, err := again.Basemap(); bm != nil || err != nil {
		t.Error(bm, err)
	}
}

// No byte of a file can change, and no end of it be missing, without a word.
func TestDamageIsFound(t *testing.T) {
	_, path := written(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	draw := rand.New(rand.NewPCG(seed, 0))
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	head := len(mark) + 12 + int(binary.LittleEndian.Uint32(whole[len(mark)+4:]))
	counts := func(at int) bool { // not between arrays
		for _, a := range f.manifest.Arrays {
			if from := int(ceil(int64(head)) + a.Offset); at >= from && at < from+a.Count*sizes()[a.Type] {
				return true
			}
		}
		return at < head
	}
	for range 200 {
		b := bytes.Clone(whole)
		at := draw.IntN(len(b))
		if !counts(at) {
			continue
		}
		b[at] ^= 1 << draw.IntN(8)
		if damaged(t, b) == nil {
			t.Fatalf("bit changed in byte %d is not found", at)
		}
	}
	for _, n := range []int{0, 1, 20, 28, 500, len(whole) / 2, len(whole) - align} {
		if damaged(t, whole[:n]) == nil {
			t.Errorf("cut behind %d of %d bytes is not found", n, len(whole))
		}
	}
	newer := bytes.Clone(whole)
	newer[len(mark)] = 9
	if err := damaged(t, newer); err == nil || !strings.Contains(err.Error(), "version 9") {
		t.Error(err)
	}
}

func damaged(t *testing.T, b []byte) error {
	path := filepath.Join(t.TempDir(), "x.network")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path)
	return err
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := Open(path); err == nil || Is(path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Whatever the bytes, opening them gives an error or a network.
func FuzzOpen(f *testing.F) {
	_, path := written(f)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:2000])
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "x.network")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = Open(path)
	})
}
