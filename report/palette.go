package report

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
)

// fewColours makes a picture of the 256 most frequent colours of another: maps
// have large areas of few colours, and get a third as large by it.
func fewColours(img *image.RGBA) *image.Paletted {
	counts := map[[3]uint8]int{}
	for i := 0; i+3 < len(img.Pix); i += 4 {
		counts[[3]uint8(img.Pix[i:i+3])]++
	}
	all := make([][3]uint8, 0, len(counts))
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b [3]uint8) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), slices.Compare(a[:], b[:]))
	})
	chosen := all[:min(len(all), 256)]
	palette := make(color.Palette, len(chosen))
	index := make(map[[3]uint8]uint8, len(all))
	for i, c := range chosen {
		palette[i] = color.RGBA{c[0], c[1], c[2], 255}
		index[c] = uint8(i)
	}
	for _, c := range all[len(chosen):] {
		index[c] = nearest(chosen, c)
	}
	out := image.NewPaletted(img.Rect, palette)
	for i := range out.Pix {
		out.Pix[i] = index[[3]uint8(img.Pix[4*i:4*i+3])]
	}
	return out
}

// nearest is the index of the colour that is most like another.
func nearest(colours [][3]uint8, c [3]uint8) uint8 {
	best, at := math.MaxInt, 0
	for i, d := range colours {
		sum := 0
		for k := range c {
			diff := int(c[k]) - int(d[k])
			sum += diff * diff
		}
		if sum < best {
			best, at = sum, i
		}
	}
	return uint8(at)
}
