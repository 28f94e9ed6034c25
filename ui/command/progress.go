package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// progress shows on standard error how far a command is: one line that is
// written over on a terminal, one line for each phase elsewhere.
type progress struct {
	mu       sync.Mutex
	w        io.Writer
	quiet    bool
	terminal bool
	phase    string
	shown    bool
	last     time.Time
}

func newProgress(w io.Writer, quiet bool) *progress {
	p := &progress{w: w, quiet: quiet}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// show says what is being done and how far it is. Done and total may be zero.
func (p *progress) show(phase, detail string) {
	if p.quiet {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.terminal {
		if phase != p.phase {
			fmt.Fprintln(p.w, phase)
		}
		p.phase = phase
		return
	}
	if phase == p.phase && time.Since(p.last) < 100*time.Millisecond {
		return
	}
	p.phase, p.last, p.shown = phase, time.Now(), true
	fmt.Fprintf(p.w, "\r\x1b[K%s %s", phase, detail)
}

// clear takes the line away.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown, p.phase = false, ""
}

// share is a part of a whole in per cent; empty where the whole is not known.
func share(done, total int64) string {
	if total <= 0 {
		return ""
	}
	return fmt.Sprintf("%d %%", min(100, 100*done/total))
}

// count writes a number with commas between the thousands.
func count[T ~int | ~int64 | ~uint32](n T) string {
	s := fmt.Sprint(n)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// plural writes a number and its noun.
func plural[T ~int | ~int64](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// size writes a number of bytes.
func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}
