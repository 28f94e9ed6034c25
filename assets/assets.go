// Package assets holds what is built into the program: icons, translations and
// the bundles of models.
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

// Icon is the SVG of one icon by its file name without ending.
func Icon(name string) ([]byte, error) {
	data, err := icons.ReadFile("icons/" + name + ".svg")
	if err != nil {
		return nil, fmt.Errorf("icon %q: %w", name, err)
	}
	return data, nil
}
