package ui

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2/lang"

	"retrace/assets"
)

// spoken finds every text that the window says: the literal texts given to
// lang.L, lang.N (plural: true) and named.
func spoken(t *testing.T) map[string]bool {
	t.Helper()
	texts := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "command" {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			text, plural, ok := textOf(call)
			if ok && text == "" {
				t.Errorf("%s: a text that is no literal cannot be translated", path)
			}
			if ok {
				texts[text] = texts[text] || plural
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// textOf is the text of a call that says something; ok false for other calls.
func textOf(call *ast.CallExpr) (text string, plural, ok bool) {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		pkg, isIdent := f.X.(*ast.Ident)
		if !isIdent || pkg.Name != "lang" || (f.Sel.Name != "L" && f.Sel.Name != "N") {
			return "", false, false
		}
		plural = f.Sel.Name == "N"
	case *ast.Ident:
		if f.Name != "named" {
			return "", false, false
		}
	default:
		return "", false, false
	}
	literal, isLiteral := call.Args[0].(*ast.BasicLit)
	if !isLiteral {
		id, isIdent := call.Args[0].(*ast.Ident)
		return "", plural, !(isIdent && id.Name == "text") // named itself
	}
	text, err := strconv.Unquote(literal.Value)
	return text, plural, err == nil
}

func catalogue(t *testing.T, language string) map[string]any {
	t.Helper()
	data, err := assets.Translations.ReadFile("translations/" + language + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatalf("%s: %v", language, err)
	}
	return c
}

// forms are the forms of a catalogue's entry by plural category.
func forms(entry any) map[string]string {
	out := map[string]string{}
	switch e := entry.(type) {
	case string:
		out["other"] = e
	case map[string]any:
		for k, v := range e {
			if s, ok := v.(string); ok {
				out[k] = s
			}
		}
	}
	return out
}

func TestEveryTextIsTranslated(t *testing.T) {
	texts := spoken(t)
	if len(texts) < 300 {
		t.Fatalf("only %d texts were found", len(texts))
	}
	field := regexp.MustCompile(`{{\.\w+}}`)
	for _, language := range []string{"en", "de", "pt", "zh"} {
		c := catalogue(t, language)
		for text, plural := range texts {
			if reserved := []string{"id", "hash", "description", "leftdelim", "rightdelim", "zero", "one", "two", "few", "many", "other"}; slices.Contains(reserved, strings.ToLower(text)) {
				t.Errorf("%q has a meaning of its own to the reader of the translations, which then reads none", text)
			}
			f := forms(c[text])
			if f["other"] == "" || (plural && language != "zh" && f["one"] == "") {
				t.Errorf("%s: no translation of %q", language, text)
				continue
			}
			want := field.FindAllString(text, -1)
			sort.Strings(want)
			for form, s := range f {
				got := field.FindAllString(s, -1)
				sort.Strings(got)
				if strings.Join(got, "") != strings.Join(want, "") {
					t.Errorf("%s: %q (%s) has other fields than %q", language, s, form, text)
				}
			}
		}
		for text := range c {
			if _, ok := texts[text]; !ok {
				t.Errorf("%s: %q is said nowhere", language, text)
			}
		}
	}
}

func TestChosenLanguageIsSpoken(t *testing.T) {
	if err := speak("de"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := speak("en"); err != nil {
			t.Error(err)
		}
	}()
	if got := lang.L("Open the sample"); got != "Beispiel öffnen" {
		t.Errorf("German says %q", got)
	}
	if got := lang.N("{{.N}} trips", 1, map[string]any{"N": 1}); got != "1 Fahrt" {
		t.Errorf("one trip is %q", got)
	}
	if err := speak("tlh"); err == nil {
		t.Error("a language that is not there gives no error")
	}
}

func TestLanguagesOfTheSystemAreUnderstood(t *testing.T) {
	for _, c := range []struct{ locales, want string }{
		{"", "en"}, {"C", "en"}, {"fr-FR", "en"}, {"de-AT", "de en"}, {"gsw-CH", "de en"}, {"pt-BR", "en pt"}, {"pt-AO", "en pt"},
		{"zh-TW", "en zh"}, {"zh-Hans-CN", "en zh"}, {"fr-FR de-DE", "de en"}, {"en-GB", "en"},
	} {
		got := slices.Sorted(maps.Keys(understoodBy(strings.Fields(c.locales))))
		if strings.Join(got, " ") != c.want {
			t.Errorf("on a system of %q: %v, want %s", c.locales, got, c.want)
		}
	}
}
