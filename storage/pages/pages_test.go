package pages

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// content is what the sample file holds: bucket, key, value.
type content map[string]map[string]string

func sampleContent() content {
	c := content{"many": {}, "big": {}, "small": {"a": "1", "b": ""}, "empty": {}}
	for i := range 3000 {
		c["many"][fmt.Sprintf("key %05d", i*7%3000)] = fmt.Sprint("value ", i)
	}
	for i := range 6 {
		c["big"][fmt.Sprint(i)] = string(bytes.Repeat([]byte{byte('a' + i)}, 50_000*i))
	}
	return c
}

// sampleFile makes a bbolt file in several transactions, with free pages.
func sampleFile(t testing.TB, c content) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	db, err := bbolt.Open(path, 0o644, &bbolt.Options{Timeout: time.Second, PageSize: 4096})
	if err != nil {
		t.Fatal(err)
	}
	for name, entries := range c {
		err := db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte(name))
			for k, v := range entries {
				if err == nil {
					err = b.Put([]byte(k), []byte(v))
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func open(file []byte) *File { return Open(bytes.NewReader(file), int64(len(file)), 4096) }

func deep(string) bool { return true }

// entries counts how often each key with its value is found.
func entries(t testing.TB, f *File) (map[string]int, []Problem) {
	t.Helper()
	found := map[string]int{}
	problems, err := f.Entries(func(e Entry) error {
		if v, err := e.Value(e.Size()); err == nil {
			found[string(e.Key)+"\x00"+string(v)]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, problems
}

func (c content) missing(found map[string]int) int {
	n := 0
	for _, b := range c {
		for k, v := range b {
			if found[k+"\x00"+v] == 0 {
				n++
			}
		}
	}
	return n
}

func TestWholeFileHasNoProblems(t *testing.T) {
	c := sampleContent()
	f := open(sampleFile(t, c))
	if p := f.Check(deep); len(p) > 0 {
		t.Error(p)
	}
	if p := f.Check(func(string) bool { return false }); len(p) > 0 {
		t.Error(p)
	}
	found, problems := entries(t, f)
	if n := c.missing(found); n > 0 || len(problems) > 0 {
		t.Error(n, "missing", problems)
	}
	for k, n := range found {
		if n != 1 {
			t.Errorf("%.20q was found %d times", k, n)
		}
	}
	if f.FreeBytes() <= 0 || f.FreeBytes() >= f.size {
		t.Error(f.FreeBytes())
	}
}

func TestEveryBrokenHeadIsNoticed(t *testing.T) {
	file := sampleFile(t, sampleContent())
	for _, at := range []int{16, 24, 40, 64, 79, 4096 + 16, 4096 + 79} {
		broken := bytes.Clone(file)
		broken[at] ^= 1
		if Plausible(bytes.NewReader(broken), int64(len(broken))) {
			t.Errorf("byte %d: it is still plausible", at)
		}
		if len(open(broken).Check(deep)) == 0 {
			t.Errorf("byte %d: no problem", at)
		}
	}
	if !Plausible(bytes.NewReader(file), int64(len(file))) {
		t.Error("a whole file is not plausible")
	}
}

// TestLostTreesAreFoundByTheirLeaves breaks the root and each branch, and finds
// all entries nonetheless.
func TestLostTreesAreFoundByTheirLeaves(t *testing.T) {
	c := sampleContent()
	file := sampleFile(t, c)
	whole := open(file)
	for id := uint64(2); id < whole.pages; id++ {
		var room page
		p, err := whole.page(id, true, &room)
		if err != nil || p.leaf && id != whole.meta.root {
			continue
		}
		broken := bytes.Clone(file)
		clear(broken[int64(id)*4096:][:64])
		f := open(broken)
		found, problems := entries(t, f)
		free, _ := whole.free()
		if used := !free.pages.has(id); used && len(problems) == 0 {
			t.Errorf("page %d is broken, and no problem", id)
		}
		lost := c.missing(found)
		if id == whole.meta.root {
			lost -= 2 // the bucket "small" lies in the root's page
		}
		if lost > 0 {
			t.Errorf("without page %d %d entries are missing", id, lost)
		}
	}
}

// TestMutatedFilesAreReadSafely checks that nothing in a file makes reading it
// fail or run away.
func TestMutatedFilesAreReadSafely(t *testing.T) {
	file := sampleFile(t, sampleContent())
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		broken := bytes.Clone(file)
		for range 1 + rng.IntN(20) {
			page := rng.IntN(len(broken) / 4096)
			broken[page*4096+rng.IntN(200)] = byte(rng.Uint32()) // heads and tables
		}
		f := open(broken[:len(broken)-rng.IntN(2)*rng.IntN(len(broken))])
		f.Check(deep)
		entries(t, f)
		f.FreeBytes()
	}
}

func FuzzOpen(f *testing.F) {
	file := sampleFile(f, content{"many": {"a": "1", "b": "2"}, "big": {"x": string(make([]byte, 5000))}})
	f.Add(file[:6*4096])
	f.Add(file[:2*4096])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		f := open(data)
		f.Check(deep)
		entries(t, f)
		f.FreeBytes()
	})
}
