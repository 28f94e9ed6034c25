package report

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"image/png"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/mapview/render"
)

// The sizes of pictures, logical pixels, and how many image pixels one of them
// takes, so that they print well.
const (
	wideWidth, wideHeight   = 920, 560
	smallWidth, smallHeight = 452, 320
	pictureScale            = 1.5
	closest                 = 17.0 // zoom
	around                  = 15.6 // zoom of a picture of one place
)

// painter draws the maps of a report.
type painter struct {
	base     *render.Base
	net      *roadnet.Network
	basemap  *basemap.Map
	mapWords *render.Words
}

// picture is a map in the page.
type picture struct {
	Data          template.URL
	Width, Height int // logical pixels
	Caption       string
}

func viewport(width, height int) render.Viewport {
	return render.Viewport{Width: int(float64(width) * pictureScale), Height: int(float64(height) * pictureScale), Scale: pictureScale}
}

// draw draws what a viewport shows.
func (p *painter) draw(scene *render.Scene, v render.Viewport, opt render.Options, caption string) (picture, error) {
	scene.Network, scene.Basemap = p.net, p.basemap
	opt.Words = p.mapWords
	var b bytes.Buffer
	b.WriteString("data:image/png;base64,")
	encoder := base64.NewEncoder(base64.StdEncoding, &b)
	if err := png.Encode(encoder, fewColours(p.base.Picture(scene, v, opt))); err != nil {
		return picture{}, err
	}
	if err := encoder.Close(); err != nil {
		return picture{}, err
	}
	return picture{template.URL(b.String()), int(float64(v.Width) / v.Scale), int(float64(v.Height) / v.Scale), caption}, nil
}

func sceneOf(t Trip) *render.Scene {
	return &render.Scene{Trips: []render.Trip{{Trajectory: t.Trajectory, Recovery: t.Recovery}}}
}

// whole draws a whole trip.
func (p *painter) whole(t Trip, caption string) (picture, error) {
	scene := sceneOf(t)
	box, ok := scene.Trips[0].Bounds(p.net)
	if !ok {
		box = p.net.Info().Bounds
	}
	return p.draw(scene, besideLegend(box), render.DefaultOptions(), caption)
}

// legendWidth is left free at the right of a picture with a legend, logical
// pixels.
const legendWidth = 210

// besideLegend shows a box at the left of the legend.
func besideLegend(box roadnet.Bounds) render.Viewport {
	v := near(viewport(wideWidth-legendWidth, wideHeight).Fit(box, 40))
	wide := viewport(wideWidth, wideHeight)
	wide.Zoom = v.Zoom
	wide.Center = v.Point(float64(wide.Width)/2, float64(v.Height)/2)
	return wide
}

// stretch draws a trip between two instants, with something of it chosen.
func (p *painter) stretch(t Trip, from, to int64, chosen render.Item, caption string) (picture, error) {
	scene := sceneOf(t)
	scene.Selection = chosen
	box, ok := boxBetween(t.Recovery.Ticks, from, to)
	if !ok {
		return p.whole(t, caption)
	}
	opt := render.DefaultOptions()
	opt.Legend = false
	return p.draw(scene, near(viewport(smallWidth, smallHeight).Fit(box, 46)), opt, caption)
}

// place draws a trip around one place.
func (p *painter) place(t Trip, at roadnet.Point, chosen render.Item, caption string) (picture, error) {
	scene := sceneOf(t)
	scene.Selection = chosen
	v := viewport(smallWidth, smallHeight)
	v.Center, v.Zoom = at, around
	opt := render.DefaultOptions()
	opt.Legend = false
	return p.draw(scene, v, opt, caption)
}

// near keeps a viewport from coming too close to be understood.
func near(v render.Viewport) render.Viewport {
	v.Zoom = min(v.Zoom, closest)
	return v
}

// boxBetween is the box around the ticks between two instants, and one more at
// either end.
func boxBetween(ticks []trajectory.Tick, from, to int64) (box roadnet.Bounds, ok bool) {
	if len(ticks) == 0 {
		return box, false
	}
	first, last := tickAt(ticks, from), tickAt(ticks, to)
	if first > 0 && ticks[first].Time > from {
		first--
	}
	for i := first; i <= last; i++ {
		one := roadnet.Bounds{MinLon: ticks[i].Lon, MaxLon: ticks[i].Lon, MinLat: ticks[i].Lat, MaxLat: ticks[i].Lat}
		if !ok {
			box, ok = one, true
			continue
		}
		box = roadnet.Bounds{MinLon: min(box.MinLon, one.MinLon), MinLat: min(box.MinLat, one.MinLat),
			MaxLon: max(box.MaxLon, one.MaxLon), MaxLat: max(box.MaxLat, one.MaxLat)}
	}
	return box, ok
}
