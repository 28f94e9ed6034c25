package write

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// fullTexts is the table of an archive of shapefiles in which the texts stand
// that are too long for them.
const fullTexts = "full-texts.csv"

// shortener shortens texts to what a shapefile has room for, each to a text of
// its own, and keeps the long ones.
type shortener struct {
	short map[string]string // by the long text
	taken map[string]bool   // what was shortened to
	long  []string          // in the order in which they came
}

func newShortener() *shortener {
	return &shortener{short: map[string]string{}, taken: map[string]bool{}}
}

// fit is a text in no more than so many bytes. The ends of those that begin alike
// are numbered.
func (s *shortener) fit(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if short, known := s.short[text]; known {
		return short
	}
	for n := 1; ; n++ {
		end := fmt.Sprintf("~%d", n)
		at := most - len(end)
		for at > 0 && !utf8.RuneStart(text[at]) {
			at--
		}
		short := text[:at] + end
		if s.taken[short] {
			continue
		}
		text = strings.Clone(text)
		s.short[text], s.taken[short] = short, true
		s.long = append(s.long, text)
		return short
	}
}

// note says what was done; empty: nothing.
func (s *shortener) note() string {
	if len(s.long) == 0 {
		return ""
	}
	return fmt.Sprintf("%d texts are longer than the 254 bytes that a shapefile has for them: they are shortened, and stand whole in %s in the archive", len(s.long), fullTexts)
}

// write writes the table of the long texts.
func (s *shortener) write(to io.Writer) error {
	w := csv.NewWriter(to)
	if err := w.Write([]string{"shortened", "full"}); err != nil {
		return err
	}
	for _, text := range s.long {
		if err := w.Write([]string{s.short[text], text}); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
