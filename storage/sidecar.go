package storage

import (
	"encoding/json"
	"os"
	"runtime"
	"syscall"
	"time"
)

// sidecar is the small file beside a workspace that says who holds it. The lock
// itself is the operating system's and ends with its holder; the sidecar only
// gives it a name, so that one left behind by a killed program does no harm.
type sidecar struct {
	path   string
	holder Holder
}

func sidecarPath(path string) string { return path + ".lock" }

// writeSidecar names this program as holder. A reader does not overwrite the
// word of a holder who lives. Where the folder cannot be written, others get no
// name, and that is all.
func writeSidecar(path string, program string, writing bool) *sidecar {
	host, _ := os.Hostname()
	s := &sidecar{sidecarPath(path), Holder{
		PID: os.Getpid(), Host: host, Program: program, Since: time.Now().UTC().Round(0), Writing: writing}}
	if !writing && readSidecar(path) != nil {
		return s
	}
	text, err := json.Marshal(s.holder)
	if err != nil {
		return s
	}
	temp := s.path + ".tmp"
	if os.WriteFile(temp, text, 0o644) == nil && os.Rename(temp, s.path) != nil {
		os.Remove(temp)
	}
	return s
}

// remove takes the word back if it is still this holder's.
func (s *sidecar) remove() {
	if s == nil {
		return
	}
	if h := parseSidecar(s.path); h != nil && h.PID == s.holder.PID && h.Since.Equal(s.holder.Since) {
		os.Remove(s.path)
	}
}

// readSidecar is the holder named beside a workspace, nil if there is none or
// if it is known to be gone.
func readSidecar(path string) *Holder {
	h := parseSidecar(sidecarPath(path))
	if h == nil {
		return nil
	}
	if host, _ := os.Hostname(); h.Host == host && !alive(h.PID) {
		return nil
	}
	return h
}

func parseSidecar(path string) *Holder {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	h := &Holder{}
	if json.Unmarshal(text, h) != nil || h.PID <= 0 {
		return nil
	}
	return h
}

// alive reports whether a process of this number runs here.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return os.IsPermission(err) // Windows does not open another user's
	}
	defer p.Release()
	if runtime.GOOS == "windows" {
		return true // FindProcess would have failed
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || os.IsPermission(err)
}
