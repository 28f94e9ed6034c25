package osmimport

import (
	"fmt"
	"strings"
)

// FormatError says where a file cannot be read, and what to do about it.
type FormatError struct {
	Path    string
	Offset  int64 // byte in the file, or in its uncompressed content where Line is set
	Line    int   // from 1; 0: the file has no lines
	Problem string
	Advice  string
	Err     error // may be nil
}

// Error is one sentence with file, place, problem and advice.
func (e *FormatError) Error() string {
	place := fmt.Sprintf("at byte %d", e.Offset)
	if e.Line > 0 {
		place = fmt.Sprintf("line %d", e.Line)
	}
	s := fmt.Sprintf("%s: %s: %s", e.Path, place, e.Problem)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Advice != "" {
		s += "; " + e.Advice
	}
	return s
}

// Unwrap is the cause, or nil.
func (e *FormatError) Unwrap() error { return e.Err }

// EmptyError says that extracts could be read, and hold no road for cars.
type EmptyError struct {
	Paths  []string
	Report Report // tells what they hold instead
}

// Error names the files, what was read and left out, and what to do.
func (e *EmptyError) Error() string {
	s := fmt.Sprintf("%s: no road for cars among %d ways", strings.Join(e.Paths, ", "), e.Report.Read.Ways)
	for _, items := range [][]Item{e.Report.Dropped, e.Report.Oddities} {
		if len(items) > 0 {
			s += fmt.Sprintf("; %d %s", items[0].Count, items[0].What)
		}
	}
	return s + "; take an extract with roads and all their nodes"
}

// Advice that fits many errors.
const (
	adviceDamaged = "the file is damaged or was cut short, fetch it again"
	adviceLimit   = "no extract needs that much: fetch it again, from another place"
)
