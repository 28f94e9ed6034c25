package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"go.etcd.io/bbolt"

	"retrace/engine/roadnet"
)

// networkLoader reads the columns of a network straight from the memory map,
// on all cores.
type networkLoader struct {
	manifest *manifest
	data     []any // of the columns; nil: not asked for
	failed   map[Kind]error
}

// chunkJob is one chunk to decode.
type chunkJob struct {
	key, value []byte
	column     int
	at         int // index of its first element
	err        error
}

// loadColumns reads the parts of a network of the given kinds. A network that
// is not whole is an error; of other parts the loader keeps it.
func (w *Workspace) loadColumns(ctx context.Context, name string, of ...Kind) (*networkLoader, error) {
	l := &networkLoader{failed: map[Kind]error{}}
	var damaged error
	err := w.view(func(tx *bbolt.Tx) (err error) {
		l.manifest, damaged = getManifest(tx, name)
		if l.manifest == nil || damaged != nil {
			return nil
		}
		return l.load(ctx, tx, of)
	})
	switch {
	case err != nil:
		return nil, err
	case damaged != nil:
		return nil, w.noteDamage(Damage{KindNetwork, name, damaged.Error()})
	case l.manifest == nil:
		return nil, &NotFoundError{KindNetwork, name}
	}
	for kind, reason := range l.failed {
		l.failed[kind] = w.noteDamage(Damage{kind, name, reason.Error()})
	}
	return l, l.failed[KindNetwork]
}

// load decodes all chunks within the transaction.
func (l *networkLoader) load(ctx context.Context, tx *bbolt.Tx, of []Kind) error {
	jobs := l.jobs(tx.Bucket([]byte(bucketChunks)), of)
	for _, j := range jobs {
		prefetch(j.value)
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				l.decode(&jobs[i])
			}
		})
	}
	group.Wait()
	for _, j := range jobs {
		if c := l.manifest.Columns[j.column]; j.err != nil && l.failed[c.Of] == nil {
			l.failed[c.Of] = fmt.Errorf("column %q: %w", c.Name, j.err)
		}
	}
	return ctx.Err()
}

// jobs finds the chunks of the columns asked for and makes room for them. A
// column of which a chunk is missing gets neither.
func (l *networkLoader) jobs(b *bbolt.Bucket, of []Kind) []chunkJob {
	var jobs []chunkJob
	l.data = make([]any, len(l.manifest.Columns))
	cursor := b.Cursor()
	for i, c := range l.manifest.Columns {
		if !slices.Contains(of, c.Of) || l.failed[c.Of] != nil {
			continue
		}
		found, err := l.columnJobs(cursor, i, c)
		if err != nil {
			l.failed[c.Of] = fmt.Errorf("column %q: %w", c.Name, err)
			continue
		}
		l.data[i] = newColumn(c.Type, c.Count)
		jobs = append(jobs, found...)
	}
	return jobs
}

// columnJobs finds the chunks of one column, all of which must have their
// right size.
func (l *networkLoader) columnJobs(cursor *bbolt.Cursor, column int, c manifestColumn) ([]chunkJob, error) {
	var jobs []chunkJob
	per := chunkSize / c.Type.size()
	for chunk := range c.chunks() {
		key := chunkKey(l.manifest.Generation, column, chunk)
		k, v := cursor.Seek(key)
		if !bytes.Equal(k, key) {
			return nil, fmt.Errorf("piece %d is missing", chunk)
		}
		want := min(per, c.Count-chunk*per) * c.Type.size()
		if len(v) != frameHeader+want {
			return nil, fmt.Errorf("piece %d has %d bytes instead of %d", chunk, len(v)-frameHeader, want)
		}
		jobs = append(jobs, chunkJob{key: key, value: v, column: column, at: chunk * per})
	}
	return jobs, nil
}

// decode checks a chunk and copies its elements to their place.
func (l *networkLoader) decode(j *chunkJob) {
	broken, err := guard(func() error {
		payload, err := frameChunk.open(j.key, j.value)
		if err != nil {
			return err
		}
		if f, _ := parseFrame(j.value, int64(len(j.value))); f.element != l.manifest.Columns[j.column].Type {
			return fmt.Errorf("its elements are of type %d", f.element)
		}
		decodeElements(l.data[j.column], j.at, payload)
		return nil
	})
	if broken != "" {
		err = errors.New(broken)
	}
	j.err = err
}

// columns are the loaded columns of one kind.
func (l *networkLoader) columns(of Kind) []roadnet.Column {
	var cols []roadnet.Column
	for i, c := range l.manifest.Columns {
		if c.Of == of {
			cols = append(cols, roadnet.Column{Name: c.Name, Data: l.data[i]})
		}
	}
	return cols
}
