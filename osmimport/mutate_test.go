package osmimport

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"retrace/internal/cputime"
)

// mutate changes a copy of data in a few places.
func mutate(rng *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	for range 1 + rng.IntN(4) {
		if len(out) == 0 {
			return out
		}
		at := rng.IntN(len(out))
		n := min(1+rng.IntN(40), len(out)-at)
		switch rng.IntN(7) {
		case 0:
			out[at] ^= 1 << rng.IntN(8)
		case 1:
			out[at] = [...]byte{0, 0x7f, 0x80, 0xff, '"', '<', '&'}[rng.IntN(7)]
		case 2:
			out = out[:at]
		case 3:
			out = append(out[:at], out[at+n:]...)
		case 4:
			out = append(out[:at+n], out[at:]...)
		case 5:
			for i := range n {
				out[at+i] = byte(rng.Uint32())
			}
		case 6:
			other := rng.IntN(len(out))
			copy(out[other:], out[at:at+n])
		}
	}
	return out
}

// mutatePBF changes what lies inside the blocks of a PBF file, and packs it
// again rightly, so that the change gets past the checksums.
func mutatePBF(rng *rand.Rand, data []byte) []byte {
	var out []byte
	for len(data) > 0 {
		n := int(data[3])
		kind, size, _ := parseBlobHeader(data[4 : 4+n])
		b, _ := parseBlob(data[4+n : 4+n+int(size)])
		data = data[4+n+int(size):]
		block := b.raw
		if b.zlib != nil {
			zr, _ := zlib.NewReader(bytes.NewReader(b.zlib))
			block, _ = io.ReadAll(zr)
		}
		if kind == "OSMData" && rng.IntN(2) == 0 {
			block = mutate(rng, block)
			if rng.IntN(2) == 0 {
				block = mutateField(rng, block)
			}
		}
		out = appendFrame(out, kind, block, rng.IntN(2) == 0)
	}
	return out
}

// mutateField changes the inside of one field, and writes its length rightly.
func mutateField(rng *rand.Rand, msg []byte) []byte {
	var out []byte
	for len(msg) > 0 {
		num, typ, n := protowire.ConsumeField(msg)
		if n < 0 {
			return append(out, msg...)
		}
		if typ == protowire.BytesType && rng.IntN(3) == 0 {
			_, _, t := protowire.ConsumeTag(msg)
			inside, _ := protowire.ConsumeBytes(msg[t:])
			if rng.IntN(2) == 0 {
				inside = mutateField(rng, inside)
			} else {
				inside = mutate(rng, inside)
			}
			out = bytesField(out, num, inside)
		} else {
			out = append(out, msg[:n]...)
		}
		msg = msg[n:]
	}
	return out
}

// samples are small files of every format.
func samples() map[string][]byte {
	o := town(7, 9)
	x := encodeXML(o)
	return map[string][]byte{
		"a.osm.pbf": encodePBF(o, pbfOptions{perBlock: 20}),
		"b.osm.pbf": encodePBF(o, pbfOptions{mixed: true, plainNodes: true}),
		"c.osm":     x,
		"d.osm.gz":  gzipped(x),
	}
}

// Thousands of broken files: each is imported or refused, none ends the
// program, takes long or takes much memory.
func TestMutatedFiles(t *testing.T) {
	const limit = 256 << 20
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	rounds := 300
	if testing.Short() {
		rounds = 100
	}
	dir := t.TempDir()
	imported, refused := 0, 0
	for name, data := range samples() {
		for range rounds {
			broken := mutate(rng, data)
			if filepath.Ext(name) == ".pbf" && rng.IntN(4) > 0 {
				broken = mutatePBF(rng, data)
			}
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, broken, 0o600); err != nil {
				t.Fatal(err)
			}
			start := cputime.Used()
			_, err := Import(context.Background(), []string{path}, Options{})
			if took := cputime.Used() - start; took > 5*time.Second {
				t.Errorf("%s: took %v of the processors", name, took)
			}
			switch {
			case err == nil:
				imported++
			case isRefusal(err):
				refused++
			default:
				t.Fatalf("%s: an error without a place: %v", name, err)
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.Sys-m.HeapReleased > limit {
		t.Errorf("%d MiB taken from the system", (m.Sys-m.HeapReleased)>>20)
	}
	if imported == 0 || refused == 0 {
		t.Errorf("%d imported, %d refused: the changes test nothing", imported, refused)
	}
	t.Logf("%d imported, %d refused", imported, refused)
}

// isRefusal reports whether an error is one of those that say where and what.
func isRefusal(err error) bool {
	var format *FormatError
	var empty *EmptyError
	return errors.As(err, &format) || errors.As(err, &empty)
}

// fuzzImport imports data whatever it is.
func fuzzImport(t *testing.T, data []byte) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Import(context.Background(), []string{path}, Options{Limits: Limits{Total: 16 << 20}})
	if err != nil && !isRefusal(err) {
		t.Fatalf("an error without a place: %v", err)
	}
	if err == nil && r.Report.Segments != r.Network.NumSegments() {
		t.Fatal("the report does not fit the network")
	}
}

// FuzzFile takes whole files of any format.
func FuzzFile(f *testing.F) {
	for _, data := range samples() {
		f.Add(data)
	}
	f.Add([]byte("BZh91AY&SY\x01\x02\x03\x04"))
	f.Fuzz(fuzzImport)
}

// FuzzPBFBlock takes the inside of one block of a PBF file.
func FuzzPBFBlock(f *testing.F) {
	o := town(4, 9)
	for _, plain := range []bool{false, true} {
		e := newPBFEncoder(pbfOptions{gran: 100, plainNodes: plain})
		f.Add(e.block(e.nodes(o.Nodes), e.ways(o.Ways), e.relations(o.Relations)))
	}
	f.Fuzz(func(t *testing.T, block []byte) { fuzzImport(t, blobFrame("OSMData", packedRaw(block))) })
}

// FuzzXML takes the inside of an XML file.
func FuzzXML(f *testing.F) {
	x := encodeXML(town(4, 9))
	f.Add(x[bytes.Index(x, []byte("<osm")):])
	f.Add([]byte(`<osm><node id="1" lat="1" lon="2"/><!-- c --><way id="-1" action="delete"><nd ref="1"/><tag k='highway' v="a&amp;&#65;"/></way></osm>`))
	f.Fuzz(func(t *testing.T, body []byte) { fuzzImport(t, append([]byte("<?xml version='1.0'?>"), body...)) })
}

// FuzzPacked takes the content of a gzip file, packed rightly.
func FuzzPacked(f *testing.F) {
	f.Add(encodeXML(town(4, 9)))
	f.Fuzz(func(t *testing.T, content []byte) { fuzzImport(t, gzipped(content)) })
}
