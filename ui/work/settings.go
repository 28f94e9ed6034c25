package work

import (
	"errors"
	"sync"

	"fyne.io/fyne/v2/lang"
)

// settings are those on their way into the workspace: the latest value of each.
type settings struct {
	mu      sync.Mutex
	waiting map[string][]byte
}

// put notes a value; it reports whether none was waiting before.
func (s *settings) put(key string, value []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := len(s.waiting) == 0
	if first {
		s.waiting = map[string][]byte{}
	}
	s.waiting[key] = value
	return first
}

func (s *settings) get(key string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, ok := s.waiting[key]
	return value, ok
}

// take hands over what waits.
func (s *settings) take() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.waiting
	s.waiting = nil
	return all
}

// Setting reads a setting of the workspace; false where there is none.
func (d *Desk) Setting(key string) ([]byte, bool) {
	if value, ok := d.settings.get(key); ok {
		return value, value != nil
	}
	if d.ws == nil {
		return nil, false
	}
	data, ok, err := d.ws.Setting(key)
	if err != nil {
		d.fail(lang.L("The settings cannot be read."), err)
		return nil, false
	}
	return data, ok
}

// KeepSetting keeps a setting where there is a workspace that takes it; nil
// removes it. It returns at once and writes beside the window.
func (d *Desk) KeepSetting(key string, value []byte) {
	if !d.Kept() || !d.settings.put(key, value) {
		return
	}
	ws := d.ws
	d.keeper.add(func() error {
		var errs []error
		for key, value := range d.settings.take() {
			errs = append(errs, ws.SetSetting(key, value))
		}
		return errors.Join(errs...)
	})
}
