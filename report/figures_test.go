package report

import (
	"strings"
	"testing"
	"time"

	"retrace/engine/roadnet"
)

// german writes figures as in German.
type german struct{ plain }

func (german) Length(m float64) string { return strings.Replace(plain{}.Length(m), ".", ",", 1) }
func (german) Fraction(v float64, d int) string {
	return strings.Replace(plain{}.Fraction(v, d), ".", ",", 1)
}
func (german) At(ms int64, zone *time.Location) string {
	return time.UnixMilli(ms).In(zone).Format("02.01.2006 15:04:05")
}

func TestFiguresFollowTheLanguage(t *testing.T) {
	for _, c := range []struct {
		figures             Figures
		length, share, date string
	}{
		{nil, "6.6" + narrow + "km", "0.43", "1970-01-02 00:00:00"},
		{german{}, "6,6" + narrow + "km", "0,43", "02.01.1970 00:00:00"},
	} {
		w := newWords(roadnet.Info{}, nil, c.figures)
		if got := w.length(6630); got != c.length {
			t.Errorf("a length is %q, want %q", got, c.length)
		}
		if got := w.share(0.43); got != c.share {
			t.Errorf("a probability is %q, want %q", got, c.share)
		}
		if got := w.at(86_400_000); got != c.date {
			t.Errorf("an instant is %q, want %q", got, c.date)
		}
	}
}
