package command

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"

	"retrace/engine/roadnet"
	"retrace/internal/atomicfile"
	"retrace/mapview/render"
)

// pictureFormats are the extensions of pictures.
func pictureFormats() []string { return []string{".png", ".svg", ".pdf"} }

// isPicture reports whether a picture can be written under a name.
func isPicture(path string) bool {
	for _, f := range pictureFormats() {
		if strings.EqualFold(filepath.Ext(path), f) {
			return true
		}
	}
	return false
}

// writePicture draws a scene into a file, whose extension chooses the format.
func writePicture(path string, scene *render.Scene, v render.Viewport, opt render.Options) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	w := bufio.NewWriter(f)
	switch strings.ToLower(filepath.Ext(path)) {
	case ".svg":
		err = render.WriteSVG(w, scene, v, opt)
	case ".pdf":
		err = render.WritePDF(w, scene, v, opt)
	default:
		err = render.WritePNG(w, scene, v, opt)
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return f.Commit()
}

// fitMargin is left free around what a picture shows, logical pixels.
const fitMargin = 40

// wholeView shows all trips of a scene, or else its whole network.
func wholeView(scene *render.Scene, width, height int) render.Viewport {
	v := render.Viewport{Width: width, Height: height, Scale: 1}
	var box roadnet.Bounds
	found := false
	for _, t := range scene.Trips {
		b, ok := t.Bounds(scene.Network)
		switch {
		case !ok:
		case !found:
			box, found = b, true
		default:
			box = roadnet.Bounds{MinLon: min(box.MinLon, b.MinLon), MinLat: min(box.MinLat, b.MinLat),
				MaxLon: max(box.MaxLon, b.MaxLon), MaxLat: max(box.MaxLat, b.MaxLat)}
		}
	}
	if !found {
		box = scene.Network.Info().Bounds
	}
	return v.Fit(box, fitMargin)
}
