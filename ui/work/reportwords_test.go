package work

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every word that a report says can be said in the language of the window.
func TestWordsOfReportsAreTranslated(t *testing.T) {
	words := reportWords()
	files, err := filepath.Glob("../../report/*")
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?:say |say\(|what :?= )"([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
			said++
			if words[m[1]] == "" {
				t.Errorf("%s says %q, which is not translated", file, m[1])
			}
		}
	}
	if said < 80 {
		t.Errorf("only %d words were found: the test looks in the wrong place", said)
	}
}
