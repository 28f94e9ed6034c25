package read

import (
	"context"
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Known remembers files by their content, so that the same file is not read
// twice. Several readings may share one, also at the same time.
type Known struct {
	mu     sync.Mutex
	bySize map[int64][]*knownFile
}

// knownFile is a file that was read. Its sum is taken when another one of the
// same size comes.
type knownFile struct {
	path    string
	changed time.Time
	sum     [sha256.Size]byte
	has     bool // the sum is known
}

// NewKnown remembers nothing yet.
func NewKnown() *Known { return &Known{bySize: map[int64][]*knownFile{}} }

// Forget forgets all files, so that they are read again.
func (k *Known) Forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.bySize = map[int64][]*knownFile{}
}

// add remembers a file that was read.
func (k *Known) add(path string, info fs.FileInfo) {
	if info.Size() == 0 || !info.Mode().IsRegular() {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.bySize[info.Size()] = append(k.bySize[info.Size()], &knownFile{path: path, changed: info.ModTime()})
}

// seen is the path under which the same content was read before; empty where it
// was not.
func (k *Known) seen(ctx context.Context, path string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	same := k.bySize[info.Size()]
	if len(same) == 0 {
		return "", nil
	}
	sum, err := sumOf(ctx, path)
	if err != nil {
		return "", err
	}
	return sameSum(ctx, same, sum), ctx.Err()
}

// sameSum is the path of the file with a sum; empty: none has it.
func sameSum(ctx context.Context, files []*knownFile, sum [sha256.Size]byte) string {
	for _, f := range files {
		if f.sumUp(ctx) && f.sum == sum {
			return f.path
		}
	}
	return ""
}

// anyOf reports whether a file of a size was read before.
func (k *Known) anyOf(size int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.bySize[size]) > 0
}

// seenSum is seen for content of which the sum is known, as that of a file in an
// archive.
func (k *Known) seenSum(ctx context.Context, size int64, sum [sha256.Size]byte) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return sameSum(ctx, k.bySize[size], sum)
}

// addSum remembers content that was read, by its sum.
func (k *Known) addSum(path string, size int64, sum [sha256.Size]byte) {
	if size == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.bySize[size] = append(k.bySize[size], &knownFile{path: path, sum: sum, has: true})
}

// sumUp takes the sum of a file, which is possible as long as it lies there as
// it was read.
func (f *knownFile) sumUp(ctx context.Context) bool {
	if f.has {
		return true
	}
	info, err := os.Stat(f.path)
	if err != nil || !info.ModTime().Equal(f.changed) {
		return false
	}
	f.sum, err = sumOf(ctx, f.path)
	f.has = err == nil
	return f.has
}

// sumOf is the checksum of a file's content; of a shapefile with its attributes.
func sumOf(ctx context.Context, path string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	content := io.Reader(f)
	if strings.EqualFold(filepath.Ext(path), ".shp") {
		if table, err := sibling(path, ".dbf"); err == nil {
			defer table.Close()
			content = io.MultiReader(f, table)
		}
	}
	return sumAll(&source{ctx: ctx, r: content})
}

// sumAll is the checksum of all that a stream holds.
func sumAll(r io.Reader) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	_, err = io.Copy(h, r)
	h.Sum(sum[:0])
	return sum, err
}

// Seen is a file that was read, told by its content.
type Seen struct {
	Path string // under which it was read
	Size int64  // bytes
	Sum  []byte // SHA-256 of its content
}

// List lists the files that were read and still lie as they were read, so that
// they are known again another time. It reads those whose sum was not taken yet.
func (k *Known) List(ctx context.Context) ([]Seen, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var list []Seen
	for size, files := range k.bySize {
		for _, f := range files {
			if f.sumUp(ctx) {
				list = append(list, Seen{f.path, size, f.sum[:]})
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	slices.SortFunc(list, func(a, b Seen) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// Remember adds files that were read another time.
func (k *Known) Remember(list []Seen) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range list {
		f := &knownFile{path: s.Path, has: len(s.Sum) == sha256.Size}
		copy(f.sum[:], s.Sum)
		k.bySize[s.Size] = append(k.bySize[s.Size], f)
	}
}
