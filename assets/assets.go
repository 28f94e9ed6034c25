// Package assets holds what is built into the program: icons, translations the
// manual, licences and the bundles of models.
package assets

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed icons/*.svg
var icons embed.FS

// Translations holds one JSON file a language under translations/.
//
//go:embed translations/*.json
var Translations embed.FS

//go:embed models/*/manifest.json models/*/*.onnx models/*/golden/*/*.npy
var models embed.FS

// DefaultModel is the name of the bundle that is used unless another is named.
const DefaultModel = "universal"

// Model is the folder of a bundle that is built in.
func Model(name string) (fs.FS, error) {
	if _, err := fs.Stat(models, "models/"+name+"/manifest.json"); err != nil {
		return nil, fmt.Errorf("no model %q is built in: %w", name, err)
	}
	return fs.Sub(models, "models/"+name)
}

//go:embed manual/*.md
var manual embed.FS

// Manual is the manual in a language, as Markdown.
func Manual(language string) (string, error) {
	data, err := manual.ReadFile("manual/" + language + ".md")
	if err != nil {
		return "", fmt.Errorf("the manual in language %q: %w", language, err)
	}
	return string(data), nil
}

//go:embed licences.txt
var licences string

// Licences are the licences of every part of the program, one after another,
// each below the names of its parts. The command tools/licences writes them.
func Licences() string { return licences }

// Icon is the SVG of one icon by its file name without ending.
func Icon(name string) ([]byte, error) {
	data, err := icons.ReadFile("icons/" + name + ".svg")
	if err != nil {
		return nil, fmt.Errorf("icon %q: %w", name, err)
	}
	return data, nil
}

//go:embed icon.png
var appIcon []byte

// AppIcon is the program's own icon as a PNG, drawn from icon.svg by make icon.
func AppIcon() []byte { return appIcon }
