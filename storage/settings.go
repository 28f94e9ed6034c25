package storage

import (
	"context"
	"fmt"
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
	return w.update(context.Background(), func(c *change) error { return c.setSetting(key, value) })
}

func (c *change) setSetting(key string, value []byte) error {
	if value == nil {
		return c.bucket(bucketSettings).Delete([]byte(key))
	}
	return c.put(bucketSettings, frameSetting, []byte(key), value)
}
