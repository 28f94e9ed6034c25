package render

import (
	"bytes"
	"sync"
	"unicode"

	"eliasnaur.com/font/noto/sans/arabic/regular"
	japanese "eliasnaur.com/font/noto/sans/jp/regular"
	"eliasnaur.com/font/roboto/robotoitalic"
	"eliasnaur.com/font/roboto/robotomedium"
	"eliasnaur.com/font/roboto/robotoregular"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
)

// weight is a cut of the map's typeface.
type weight uint8

const (
	regularWeight weight = iota
	mediumWeight
	italicWeight
	numWeights
)

// fonts finds for a text the faces that can show it: Roboto first (Latin,
// Greek, Cyrillic), then Noto Sans Arabic and Noto Sans JP, which come with the
// program, then what the system has. A text with a letter that none of them
// knows is not shown at all.
type fonts struct {
	own    [numWeights]*font.Face // loaded when first wanted
	more   []*font.Face           // loaded when first wanted
	loaded bool                   // more is complete
	system *fontscan.FontMap      // nil until first wanted, and where the system has none
	asked  bool
}

func newFonts() *fonts { return &fonts{} }

// The fonts that are part of the program. They are read once and shared: they
// take megabytes, and are safe for use by several goroutines, which faces are not.
var (
	robotoFonts = [numWeights]func() *font.Font{parsed(robotoregular.TTF), parsed(robotomedium.TTF), parsed(robotoitalic.TTF)}
	moreFonts   = []func() *font.Font{parsed(regular.TTF), parsed(japanese.TTF)}
)

// parsed reads a font when it is first wanted; nil where it cannot be read.
func parsed(ttf []byte) func() *font.Font {
	return sync.OnceValue(func() *font.Font {
		face, err := font.ParseTTF(bytes.NewReader(ttf))
		if err != nil {
			return nil
		}
		return face.Font
	})
}

// roboto is the program's own face of a weight.
func (f *fonts) roboto(w weight) *font.Face {
	if shared := robotoFonts[w](); f.own[w] == nil && shared != nil {
		f.own[w] = font.NewFace(shared)
	}
	return f.own[w]
}

// choice is a set of faces for one text, in order of preference.
type choice []*font.Face

// ResolveFace makes a choice a font map of the shaper.
func (c choice) ResolveFace(r rune) *font.Face {
	for _, face := range c {
		if shows(face, r) {
			return face
		}
	}
	return c[0]
}

// choose picks the faces for a text; nil where some letter has none. A text is
// shown in one face where any has all its letters.
func (f *fonts) choose(text []rune, w weight) choice {
	own := f.roboto(w)
	if covers(own, text) {
		return choice{own}
	}
	f.load()
	all := append(choice{own}, f.more...)
	for _, face := range all {
		if covers(face, text) {
			return choice{face}
		}
	}
	for _, r := range text {
		if shows(all.ResolveFace(r), r) {
			continue
		}
		face := f.fromSystem(r)
		if face == nil {
			return nil
		}
		if covers(face, text) {
			return choice{face}
		}
		all = append(all, face)
	}
	return all
}

// load makes the program's further faces; most maps never want them.
func (f *fonts) load() {
	if f.loaded {
		return
	}
	f.loaded = true
	for _, read := range moreFonts {
		if shared := read(); shared != nil {
			f.more = append(f.more, font.NewFace(shared))
		}
	}
}

// silent drops what the font scanner has to say about broken system fonts.
type silent struct{}

func (silent) Printf(string, ...any) {}

// fromSystem is a face of the system that shows a letter, or nil.
func (f *fonts) fromSystem(r rune) *font.Face {
	if !f.asked {
		f.asked = true
		m := fontscan.NewFontMap(silent{})
		if m.UseSystemFonts("") == nil {
			m.SetQuery(fontscan.Query{Families: []string{"sans-serif"}})
			f.system = m
		}
	}
	if f.system == nil {
		return nil
	}
	if face := f.system.ResolveFace(r); shows(face, r) {
		return face
	}
	return nil
}

func covers(face *font.Face, text []rune) bool {
	for _, r := range text {
		if !shows(face, r) {
			return false
		}
	}
	return face != nil
}

// shows reports whether a face has a glyph for a letter; marks that only steer
// the shaping need none.
func shows(face *font.Face, r rune) bool {
	if face == nil {
		return false
	}
	if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
		return true
	}
	_, ok := face.NominalGlyph(r)
	return ok
}
