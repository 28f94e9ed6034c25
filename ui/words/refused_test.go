package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every reason for which a reader or a rule of cleaning refuses a row is said in the
// language of the window.
func TestReasonsOfReadersAreTranslated(t *testing.T) {
	given := map[string]bool{}
	note := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil && strings.Contains(text, " ") {
				given[text] = true
			}
		}
	}
	for _, room := range []string{"read", "clean"} {
		files, err := filepath.Glob("../../engine/trajectory/" + room + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			geometry := filepath.Base(file) == "geometry.go" // whose errors are reasons
			ast.Inspect(source, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && geometry && isNew(call) {
					note(call.Args[0])
				}
				for _, e := range reasonsOf(n) {
					note(e)
				}
				return true
			})
		}
	}
	known := refusals()
	for reason := range given {
		if known[reason] == "" {
			t.Errorf("%q is not said in the window's words", reason)
		}
	}
	if len(given) < 30 {
		t.Errorf("only %d reasons were found: the test looks in the wrong place", len(given))
	}
	for reason := range known {
		if !given[reason] {
			t.Errorf("%q is a reason that no reader gives", reason)
		}
	}
}

// reasonsOf are the expressions of a piece of source that give a reason.
func reasonsOf(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && strings.EqualFold(key.Name, "reason") {
			return []ast.Expr{n.Value}
		}
	case *ast.ReturnStmt:
		if len(n.Results) == 3 {
			return n.Results[1:2]
		}
	case *ast.CallExpr:
		switch f := n.Fun.(type) {
		case *ast.SelectorExpr:
			if f.Sel.Name == "tell" || f.Sel.Name == "leftOut" {
				return n.Args
			}
		case *ast.Ident:
			if f.Name == "filter" {
				return n.Args
			}
		}
	case *ast.ValueSpec:
		if name := n.Names[0].Name; strings.HasPrefix(name, "bad") || slices.Contains([]string{"noFix", "noPosition", "noTime", "tooMany", "noteNotTrips", "SameFile"}, name) {
			return n.Values
		}
	}
	return nil
}

// isNew reports whether a call makes an error of a text.
func isNew(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && f.Sel.Name == "New"
}

func TestAReasonThatIsNotKnownStaysAsItIs(t *testing.T) {
	if got := Refused()("struck by lightning"); got != "struck by lightning" {
		t.Errorf("said as %q", got)
	}
}
