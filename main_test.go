package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// The rules of the house, checked over the source as it stands: which room may
// import what, and what no library does. CONTRIBUTING.md says why.

// libraries says in which rooms a library may be used, tests included; the
// others may be used in all. A room stands for those below it too, "." for the
// main package alone. The longest name that fits counts.
func libraries() map[string][]string {
	return map[string][]string{
		"fyne.io":                         {".", "ui", "mapview"},
		"fyne.io/fyne/v2/app":             {"."},
		"github.com/yalue/onnxruntime_go": {"engine/ort"},
		"go.etcd.io/bbolt":                {"storage"},
		"github.com/paulmach/osm":         {"osmimport"},
		"github.com/alecthomas/kong":      {"ui/command"},
		"github.com/godbus/dbus":          {"ui/system"}, // the session bus is the only socket but the display's
		"github.com/ncruces/zenity":       {"ui/system"},
		"retrace/engine/ort":              {".", "engine/ort"}, // main hands the model on, so all else is tested without the library
	}
}

// without says which rooms do without a library that the room above may use.
func without() map[string][]string {
	return map[string][]string{
		"fyne.io": {"mapview/render", "ui/command", "ui/sample", "ui/system"}, // they work where there is no window
	}
}

// rooms says what the packages of a room may import from this module. The
// longest name that fits counts; a package that none fits has no room yet.
func rooms() map[string][]string {
	centre := []string{"engine/roadnet", "engine/basemap", "engine/trajectory"}
	return map[string][]string{
		".":                    {"ui", "ui/command", "engine", "engine/device", "engine/ort", "assets", "internal/userdata"},
		"assets":               {},
		"internal":             {"internal"},
		"engine":               {"engine", "internal"},
		"engine/roadnet":       {},
		"engine/basemap":       {"engine/roadnet"},
		"engine/trajectory":    append(centre, "internal"),
		"engine/simulate/city": {},
		"osmimport":            append(centre, "osmimport", "internal"),
		"storage":              append(centre, "storage", "internal"),
		"mapview/render":       append(centre, "mapview/render", "assets"),
		"mapview":              append(centre, "mapview", "assets"),
		"report":               append(centre, "engine/mapcheck", "mapview/render", "internal"),
		"ui":                   {"ui", "mapview", "report", "engine", "osmimport", "storage", "assets", "internal"},
		"ui/system":            {},
		"ui/command":           {"ui/sample", "mapview/render", "report", "engine", "osmimport", "storage", "assets", "internal"},
		"tools":                {"tools/foreign", "tools/trial", "engine", "osmimport", "storage", "mapview/render", "ui/sample", "assets", "internal"},
	}
}

// panics lists the files that may panic, and why.
func panics() map[string]string {
	return map[string]string{
		"ui/command/command.go":                 "the parser ends a help flag by a call that must not return",
		"engine/trajectory/read/arrowmemory.go": "the interface of what gives memory knows no errors; the reader turns it into one",
	}
}

const module = "retrace"

func TestSourceKeepsTheRules(t *testing.T) {
	files, err := readSource(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("only %d files were found: the test looks in the wrong place", len(files))
	}
	for _, broken := range check(files) {
		t.Error(broken)
	}
}

func TestEveryRoomIsOnTheMap(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := readSource(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range packages(files) {
		if room != "." && !strings.Contains(string(text), "`"+room+"/`") {
			t.Errorf("the map of rooms in CONTRIBUTING.md does not name `%s/`", room)
		}
	}
}

// TestRulesCanBeBroken shows that each rule finds what breaks it.
func TestRulesCanBeBroken(t *testing.T) {
	for name, c := range map[string]struct{ file, source string }{
		"fyne in the engine":      {"engine/match/a.go", `import "fyne.io/fyne/v2"`},
		"fyne in a test":          {"engine/match/a_test.go", `import "fyne.io/fyne/v2"`},
		"fyne in drawing":         {"mapview/render/a.go", `import "fyne.io/fyne/v2"`},
		"fyne/app in ui":          {"ui/a.go", `import "fyne.io/fyne/v2/app"`},
		"bbolt in ui":             {"ui/work/a.go", `import "go.etcd.io/bbolt"`},
		"osm in the engine":       {"engine/roadnet/a.go", `import "github.com/paulmach/osm/osmpbf"`},
		"onnxruntime in ui":       {"ui/a.go", `import "github.com/yalue/onnxruntime_go"`},
		"storage in the import":   {"osmimport/a.go", `import "retrace/storage"`},
		"import in the engine":    {"engine/a.go", `import "retrace/osmimport"`},
		"engine in storage":       {"storage/a.go", `import "retrace/engine/match"`},
		"ui in the map":           {"mapview/a.go", `import "retrace/ui/state"`},
		"window in commands":      {"ui/command/a.go", `import "retrace/ui"`},
		"a room not on the list":  {"other/a.go", ``},
		"test help in a product":  {"engine/match/a.go", `import "retrace/engine/roadnet/roadnettest"`},
		"testing in a product":    {"engine/match/a.go", `import "testing"`},
		"a new room below engine": {"engine/new/a.go", `import "retrace/storage"`},
		"panic":                   {"engine/a.go", `func f() { panic("x") }`},
		"log.Fatal":               {"storage/a.go", `import "log"; func f() { log.Fatalf("x") }`},
		"fmt.Print":               {"osmimport/a.go", `import "fmt"; func f() { fmt.Println("x") }`},
		"os.Exit":                 {"ui/a.go", `import "os"; func f() { os.Exit(1) }`},
		"init":                    {"ui/a.go", `func init() {}`},
		"a variable that changes": {"ui/a.go", `var n int; func f() { n++ }`},
		"a map that changes":      {"ui/a.go", `var m = map[int]int{}; func f() { m[1] = 2 }`},
		"a lock":                  {"ui/a.go", `import "sync"; var mu sync.Mutex`},
	} {
		source := fstest.MapFS{c.file: {Data: []byte("package a;" + c.source)}}
		files, err := readSource(source)
		if err != nil {
			t.Fatal(name, err)
		}
		if len(check(files)) == 0 {
			t.Errorf("%s breaks no rule", name)
		}
	}
}

// sourceFile is one Go file of the module.
type sourceFile struct {
	path    string // from the top of the module
	room    string // folder
	test    bool
	program bool
	fset    *token.FileSet
	syntax  *ast.File
}

// readSource parses all Go files, whatever system they are for.
func readSource(root fs.FS) ([]sourceFile, error) {
	var files []sourceFile
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || name == "out") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(base, ".go") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		f := sourceFile{path: name, room: path.Dir(name), fset: token.NewFileSet()}
		if f.syntax, err = parser.ParseFile(f.fset, name, text, parser.SkipObjectResolution); err != nil {
			return err
		}
		f.program = f.syntax.Name.Name == "main"
		f.test = strings.HasSuffix(base, "_test.go") || strings.HasSuffix(f.room, "test")
		files = append(files, f)
		return nil
	})
	return files, err
}

func packages(files []sourceFile) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.room)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// check lists what breaks a rule.
func check(files []sourceFile) []string {
	var broken []string
	for _, f := range files {
		report := func(at token.Pos, format string, args ...any) {
			broken = append(broken, fmt.Sprintf("%s: %s", f.fset.Position(at), fmt.Sprintf(format, args...)))
		}
		f.checkImports(report)
		if !f.test && !f.program {
			f.checkDeclarations(report)
			f.checkCalls(report)
		}
	}
	return append(broken, checkVariables(files)...)
}

type reporter func(at token.Pos, format string, args ...any)

// below reports whether a name is another or lies below it.
func below(name, above string) bool { return name == above || strings.HasPrefix(name, above+"/") }

// longest finds the entry with the longest name that is or lies above a name.
func longest(table map[string][]string, name string) (string, bool) {
	found, ok := "", false
	for above := range table {
		if below(name, above) && (!ok || len(above) > len(found)) {
			found, ok = above, true
		}
	}
	return found, ok
}

func (f *sourceFile) checkImports(report reporter) {
	room, ok := longest(rooms(), f.room)
	if !ok {
		report(f.syntax.Pos(), "the room %s is new: say in main_test.go what it may import", f.room)
		return
	}
	for _, spec := range f.syntax.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			report(spec.Pos(), "%v", err)
			continue
		}
		if inner, ok := strings.CutPrefix(name, module+"/"); ok {
			f.checkRoom(report, spec.Pos(), room, inner)
			continue
		}
		f.checkLibrary(report, spec.Pos(), name)
	}
}

// checkRoom checks an import from this module. Tests may put rooms together.
func (f *sourceFile) checkRoom(report reporter, at token.Pos, room, name string) {
	if f.test {
		return
	}
	if strings.HasSuffix(name, "test") {
		report(at, "%s is for tests", name)
	}
	allowed := rooms()[room]
	if !slices.ContainsFunc(allowed, func(above string) bool { return f.reaches(name, above) }) {
		report(at, "the room %s does not import %s", f.room, name)
	}
}

// reaches reports whether leave to import a room covers a name. The main
// package may import just what it names.
func (f *sourceFile) reaches(name, above string) bool {
	if f.room == "." {
		return name == above
	}
	return below(name, above)
}

func (f *sourceFile) checkLibrary(report reporter, at token.Pos, name string) {
	if name == "testing" && !f.test {
		report(at, "testing is for tests")
	}
	library, ok := longest(libraries(), name)
	if !ok {
		return
	}
	in := func(room string) bool { return room == f.room || room != "." && below(f.room, room) }
	if !slices.ContainsFunc(libraries()[library], in) || slices.ContainsFunc(without()[library], in) {
		report(at, "the room %s does not import %s", f.room, name)
	}
}

// checkDeclarations checks for functions that run before main.
func (f *sourceFile) checkDeclarations(report reporter) {
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			report(fn.Pos(), "init: make it a function that is called")
		}
	}
}

// checkCalls checks for calls that a library leaves to the program.
func (f *sourceFile) checkCalls(report reporter) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch fn := call.Fun.(type) {
		case *ast.Ident:
			if fn.Name == "panic" && panics()[f.path] == "" || fn.Name == "print" || fn.Name == "println" {
				report(call.Pos(), "%s: return an error instead", fn.Name)
			}
		case *ast.SelectorExpr:
			if from, ok := fn.X.(*ast.Ident); ok && forProgram(from.Name, fn.Sel.Name) {
				report(call.Pos(), "%s.%s: return an error instead", from.Name, fn.Sel.Name)
			}
		}
		return true
	})
}

func forProgram(from, name string) bool {
	switch from {
	case "log":
		return strings.HasPrefix(name, "Fatal") || strings.HasPrefix(name, "Panic") || strings.HasPrefix(name, "Print")
	case "fmt":
		return strings.HasPrefix(name, "Print")
	case "os":
		return name == "Exit"
	}
	return false
}

// checkVariables checks that the variables of packages never change: they are
// errors, embedded files and the like.
func checkVariables(files []sourceFile) []string {
	var broken []string
	for _, room := range packages(files) {
		globals := map[string]bool{}
		for _, f := range files {
			if f.room == room && !f.test {
				f.globals(globals, func(at token.Pos, what string) {
					broken = append(broken, fmt.Sprintf("%s: %s", f.fset.Position(at), what))
				})
			}
		}
		for _, f := range files {
			if f.room == room && !f.test {
				broken = append(broken, f.writes(globals)...)
			}
		}
	}
	return broken
}

// globals adds the names of the variables declared at the top of a file.
func (f *sourceFile) globals(names map[string]bool, report func(token.Pos, string)) {
	for _, d := range f.syntax.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			if sel, ok := spec.Type.(*ast.SelectorExpr); ok {
				if from, ok := sel.X.(*ast.Ident); ok && (from.Name == "sync" || from.Name == "atomic") {
					report(spec.Pos(), "a lock that all share: put it where it belongs")
				}
			}
			for _, name := range spec.Names {
				names[name.Name] = true
			}
		}
	}
	delete(names, "_")
}

// writes lists where a file writes to one of the variables. A variable of a
// function must not have the name of one.
func (f *sourceFile) writes(globals map[string]bool) []string {
	var broken []string
	report := func(e ast.Expr) {
		if name := rootName(e); globals[name] {
			broken = append(broken, fmt.Sprintf("%s: the variable %s of the package is written", f.fset.Position(e.Pos()), name))
		}
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				for _, e := range s.Lhs {
					report(e)
				}
			}
		case *ast.IncDecStmt:
			report(s.X)
		case *ast.UnaryExpr:
			if s.Op == token.AND {
				report(s.X)
			}
		}
		return true
	})
	return broken
}

// rootName is the variable that an expression is a part of.
func rootName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return rootName(e.X)
	case *ast.IndexExpr:
		return rootName(e.X)
	case *ast.ParenExpr:
		return rootName(e.X)
	case *ast.StarExpr:
		return rootName(e.X)
	}
	return ""
}
