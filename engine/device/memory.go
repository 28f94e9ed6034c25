package device

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"retrace/internal/atomicfile"
)

// How long verdicts are believed: not all that a driver depends on can be seen
// from outside, and one that has not answered may only have been slow that day.
const (
	keepFor     = 30 * 24 * time.Hour
	keepHungFor = 24 * time.Hour
)

// Memory is a file that verdicts are remembered in.
type Memory struct {
	Path string // empty: nothing is remembered
}

// record is the file's content.
type record struct {
	Key      string // what the verdicts hold for
	Made     time.Time
	Verdicts []Verdict
}

// Recall gives the verdicts that were found for a key, on all devices or on some;
// false where there are none, or none that can be read.
func (m Memory) Recall(key string) ([]Verdict, bool) {
	if m.Path == "" {
		return nil, false
	}
	text, err := os.ReadFile(m.Path)
	var r record
	if err != nil || json.Unmarshal(text, &r) != nil || r.Key != key || len(r.Verdicts) == 0 {
		return nil, false
	}
	keep := keepFor
	for _, v := range r.Verdicts {
		if v.Hung {
			keep = keepHungFor
		}
	}
	if age := time.Since(r.Made); age < 0 || age > keep {
		return nil, false
	}
	return r.Verdicts, true
}

// Remember keeps the verdicts that were found for a key, in place of all others.
func (m Memory) Remember(key string, verdicts []Verdict) error {
	if m.Path == "" {
		return nil
	}
	text, err := json.MarshalIndent(record{key, time.Now(), verdicts}, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(m.Path), 0o700); err != nil {
		return fmt.Errorf("what was found of the devices cannot be kept: %w", err)
	}
	if err := atomicfile.Write(m.Path, text); err != nil {
		return fmt.Errorf("what was found of the devices cannot be kept: %w", err)
	}
	return nil
}

// Refuse has a device refused that did well when it was probed and hung at work,
// as long as one is that hung then.
func (m Memory) Refuse(name Name, why string) error {
	text, err := os.ReadFile(m.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var r record
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return m.Forget()
	}
	for i, v := range r.Verdicts {
		if v.Device == name {
			r.Verdicts[i] = Verdict{Device: name, Refused: why, Hung: true, Version: v.Version}
		}
	}
	return m.Remember(r.Key, r.Verdicts)
}

// Forget has the devices probed again the next time.
func (m Memory) Forget() error {
	if err := os.Remove(m.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
