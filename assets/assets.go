// Package assets holds what is built into the program: icons and translations.
package assets

import (
	"embed"
	"fmt"
)

//go:embed icons/*.svg
var icons embed.FS

// Translations holds one JSON file a language under translations/.
//
//go:embed translations/*.json
var Translations embed.FS

// Icon is the SVG of one icon by its file name without ending.
func Icon(name string) ([]byte, error) {
	data, err := icons.ReadFile("icons/" + name + ".svg")
	if err != nil {
		return nil, fmt.Errorf("icon %q: %w", name, err)
	}
	return data, nil
}
