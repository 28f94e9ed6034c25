package sheet

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFormulasBecomeTexts(t *testing.T) {
	for s, want := range map[string]string{
		"trip 1":      "trip 1",
		"":            "",
		"O'Hare":      "O'Hare",
		"'quoted'":    "'quoted'",
		"=1+1":        "'=1+1",
		"+49 30":      "'+49 30",
		"-5":          "'-5",
		"@SUM(A1)":    "'@SUM(A1)",
		"\t=1":        "'\t=1",
		"\rx":         "'\rx",
		"\nx":         "'\nx",
		" =1":         "' =1",
		"＝1":          "'＝1",
		"'=1":         "''=1",
		"\ufeff'  @x": "'\ufeff'  @x",
	} {
		if got := Cell(s); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}

func TestNumbersStay(t *testing.T) {
	for s, want := range map[string]string{"-8.61": "-8.61", "-1e-7": "-1e-7", "-1+cmd": "'-1+cmd", "-": "'-", "=1": "'=1", "+5": "'+5", "-Inf": "'-Inf"} {
		if got := Field(s); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}

// Whatever a text is, it comes back, and no cell begins with what a formula does.
func TestEveryTextComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("''==+-@\t\r\n ＝\u00a0ab1"))).Draw(t, "text")
		c := Cell(s)
		if got := Text(c); got != s {
			t.Errorf("%q becomes %q and comes back as %q", s, c, got)
		}
		if strings.IndexAny(strings.TrimLeft(c, blank), begin) == 0 {
			t.Errorf("%q becomes the formula %q", s, c)
		}
	})
}
