package storage_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"retrace/storage"
)

// keysBefore finds the numbers that keys begin with, by what stands behind them
// in the file: the head of a value of a kind, after a tail of the key.
func keysBefore(file []byte, kind byte, tail int) [][]byte {
	var keys [][]byte
	head := []byte{'R', 'T', 'R', '1', 1, kind}
	for at := 0; ; {
		i := bytes.Index(file[at:], head)
		if i < 0 {
			return keys
		}
		keys = append(keys, file[at+i-tail-8:at+i-tail])
		at += i + len(head)
	}
}

// TestBrokenKeysLeadNowhereTwice changes keys where opening does not look at
// them: a loop that goes on at a key must not come back to where it was.
func TestBrokenKeysLeadNowhereTwice(t *testing.T) {
	s := newSample(t)
	for name, keys := range map[string]struct {
		kind byte
		tail int
	}{"recoveries": {7, len("hmm")}, "trajectories": {5, 0}, "chunks": {3, 6}} {
		for _, every := range []int{1, 2, 7} {
			for _, with := range []byte{0, 1, 0xFF} {
				what := fmt.Sprintf("every %d. key of the %s is %d", every, name, with)
				file := bytes.Clone(s.file)
				found := keysBefore(file, keys.kind, keys.tail)
				if len(found) < 2 {
					t.Fatalf("%d keys of %s found", len(found), name)
				}
				for i := 0; i < len(found); i += every {
					copy(found[i], bytes.Repeat([]byte{with}, 8))
				}
				verifyInTime(t, what, file)
			}
		}
	}
}

// verifyInTime opens and reads a broken file, which must come to an end and say
// what is broken.
func verifyInTime(t *testing.T, what string, file []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	done := make(chan error, 1)
	go func() {
		w, err := storage.Open(path, storage.Options{})
		if err != nil {
			done <- err
			return
		}
		defer w.Close()
		if _, err = w.Verify(ctx, nil); err == nil && len(w.Damage()) == 0 {
			err = fmt.Errorf("no damage is told")
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	case <-ctx.Done():
		t.Fatalf("%s: opening does not come to an end", what)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, file) {
		t.Errorf("%s: the broken file was written to, %v", what, err)
	}
}

// TestBrokenIndexGivesNobodyElsesTrip lets an id lead to the number of another
// trajectory, as a flipped bit would.
func TestBrokenIndexGivesNobodyElsesTrip(t *testing.T) {
	s := newSample(t)
	entry := func(i, number int) []byte {
		return binary.BigEndian.AppendUint64([]byte(s.trips[i].ID), uint64(number))
	}
	for what, number := range map[string]int{"another's": 8, "nobody's": 1 << 40} {
		file := bytes.ReplaceAll(s.file, entry(42, 43), entry(42, number))
		if bytes.Equal(file, s.file) {
			t.Fatal("no entry of the index found")
		}
		if lost := s.broken(t, "a number is "+what, file); lost != 2 {
			t.Errorf("a number is %s: %d things lost instead of a trajectory and its recovery", what, lost)
		}
	}
}
