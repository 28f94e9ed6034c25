package storage

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"retrace/engine/trajectory"
)

// FuzzRecords decodes records of every kind: whatever a record holds, decoding
// it ends with a value or an error, and what came out can be kept again.
func FuzzRecords(f *testing.F) {
	for seed := range 8 {
		r := rapid.Custom(drawRecovery).Example(seed)
		b, err := encodeRecovery(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		t := &trajectory.Trajectory{ID: "1", Samples: rapid.Custom(drawSamples).Example(seed)}
		if b, err = encodeTrajectory(t); err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		if b, err = encodeRecoverySummary(summarizeRecovery(r)); err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		if b, err = encodeTrajectorySummary(summarizeTrajectory(t)); err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		again(t, b, decodeTrajectorySummary, encodeTrajectorySummary)
		again(t, b, decodeRecoverySummary, encodeRecoverySummary)
		again(t, b, decodeTrajectory, encodeTrajectory)
		again(t, b, decodeRecovery, encodeRecovery)
	})
}

// again checks that what was decoded is encoded and decoded to the same.
func again[T any](t *testing.T, b []byte, decode func([]byte) (T, error), encode func(T) ([]byte, error)) {
	t.Helper()
	v, err := decode(b)
	if err != nil {
		return
	}
	first, err := encode(v)
	if err != nil {
		return // numbers that are too big for the steps they are kept in
	}
	v, err = decode(first)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := encode(v); err != nil || !reflect.DeepEqual(first, second) {
		t.Fatalf("kept as %x and then as %x, %v", first, second, err)
	}
}

// FuzzFrames opens values as they may stand in a file.
func FuzzFrames(f *testing.F) {
	for kind := frameSchema; kind <= frameHeldRecovery; kind++ {
		b, err := frame{kind: kind, element: elementUint32, commit: 1}.seal([]byte("key"), []byte(`{"generation":1,"columns":[]}`))
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte("key"), b)
	}
	f.Fuzz(func(t *testing.T, key, b []byte) {
		for kind := frameSchema; kind <= frameHeldRecovery; kind++ {
			if payload, err := kind.open(key, b); err == nil && len(payload) != len(b)-frameHeader {
				t.Errorf("%d bytes of %d", len(payload), len(b))
			}
		}
		_, _ = parseSchema(b)
		if m, err := parseManifest(key, b); err == nil {
			for _, c := range m.Columns {
				_ = c.chunks() // must not panic
			}
		}
	})
}

// mutate changes a file as a fuzzer or a bad disk would: a seed stands for
// where and how.
func mutate(file []byte, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 1 + rng.IntN(8) {
		at := rng.IntN(len(file))
		switch rng.IntN(5) {
		case 0:
			file[at] ^= 1 << rng.IntN(8)
		case 1: // the head of a page, or its table
			at = at/pageSize*pageSize + rng.IntN(200)
			file[min(at, len(file)-1)] = byte(rng.Uint32())
		case 2:
			clear(file[at:min(len(file), at+rng.IntN(1<<15))])
		case 3: // a page in the place of another
			to, from := at/pageSize*pageSize, rng.IntN(len(file))/pageSize*pageSize
			copy(file[to:], file[from:min(len(file), from+pageSize)])
		case 4:
			if rng.IntN(4) == 0 {
				file = file[:max(1, at)]
			}
		}
	}
	return file
}
