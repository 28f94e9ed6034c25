package storage

import (
	"context"
	"fmt"
	"iter"
)

// maxKey is the longest key of a setting in bytes.
const maxKey = 1024

// Setting reads a setting; false where it was never set.
func (w *Workspace) Setting(key string) ([]byte, bool, error) {
	if key == "" {
		return nil, false, nil
	}
	value, err := w.get(bucketSettings, []byte(key))
	if err != nil || value == nil {
		return nil, false, err
	}
	payload, err := decodeRecord(w, record{[]byte(key), value}, frameSetting, KindSetting, unkeyed(asIs))
	return payload, err == nil, err
}

func asIs(b []byte) ([]byte, error) { return b, nil }

// SetSetting keeps a setting; a nil value removes it. Like all that writes it
// waits for the disk, and for a compaction under way.
func (w *Workspace) SetSetting(key string, value []byte) error {
	if key == "" || len(key) > maxKey {
		return fmt.Errorf("the key of a setting takes 1 to %d bytes, not %d", maxKey, len(key))
	}
	return w.update(context.Background(), func(c *change) error {
		if value == nil {
			return c.bucket(bucketSettings).Delete([]byte(key))
		}
		return c.put(bucketSettings, frameSetting, []byte(key), value)
	})
}

// HistoryEntry is one command of the history.
type HistoryEntry struct {
	Number uint64
	Entry  []byte // JSON
}

// AppendHistory adds one command (JSON) to the history and returns its number.
// Numbers rise.
func (w *Workspace) AppendHistory(entry []byte) (uint64, error) {
	var number uint64
	err := w.update(context.Background(), func(c *change) (err error) {
		if number, err = c.bucket(bucketHistory).NextSequence(); err != nil {
			return err
		}
		return c.put(bucketHistory, frameHistory, numberKey(number), entry)
	})
	return number, err
}

// History goes through the commands from number from on.
func (w *Workspace) History(ctx context.Context, from uint64) iter.Seq2[HistoryEntry, error] {
	return decoded(w, ctx, bucketHistory, frameHistory, numberKey(from), KindHistory,
		func(key, payload []byte) (HistoryEntry, error) { return HistoryEntry{keyNumber(key), payload}, nil })
}

// TrimHistory removes the commands from number from on: those that were undone
// and then overtaken.
func (w *Workspace) TrimHistory(from uint64) error {
	return w.update(context.Background(), func(c *change) error {
		return c.removeBetween(bucketHistory, numberKey(from), []byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
	})
}
