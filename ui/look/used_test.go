package look

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every colour that has a name here is one that the window draws with.
func TestEveryColourIsUsed(t *testing.T) {
	var source strings.Builder
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(os.DirFS(".."), name)
		source.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	palette, err := os.ReadFile("palette.go")
	if err != nil {
		t.Fatal(err)
	}
	colours := 0
	for line := range strings.Lines(string(palette)) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || !strings.HasPrefix(strings.TrimSpace(rest), "fyne.ThemeColorName =") {
			continue
		}
		colours++
		if !regexp.MustCompile(`(look\.|: )` + name + `\b`).MatchString(source.String()) {
			t.Errorf("nothing is drawn in %s", name)
		}
	}
	if colours < 10 {
		t.Errorf("only %d colours were found: the test looks in the wrong place", colours)
	}
}
