package render

import (
	"math"

	"retrace/engine/roadnet"
)

// TileSize is the edge of a tile in image pixels, and the width of the world at
// zoom 0 in logical pixels.
const TileSize = 512

// MinZoom and MaxZoom bound the zoom of a viewport.
const (
	MinZoom = 1.0
	MaxZoom = 20.0
)

const (
	maxLatitude     = 85.0511287798066 // where the square of Web Mercator ends
	earthCircle     = 40075016.68557849
	degreesToRadian = math.Pi / 180
)

// Mercator is a place on the square of Web Mercator (EPSG:3857): 0, 0 is its
// north-west corner, 1, 1 its south-east corner.
type Mercator struct{ X, Y float64 }

// MercatorOf projects a point; latitudes beyond the square are moved to its edge.
func MercatorOf(p roadnet.Point) Mercator {
	lat := math.Max(-maxLatitude, math.Min(maxLatitude, p.Lat))
	y := math.Log(math.Tan(math.Pi/4 + lat*degreesToRadian/2))
	return Mercator{X: p.Lon/360 + 0.5, Y: 0.5 - y/(2*math.Pi)}
}

// Point projects back.
func (m Mercator) Point() roadnet.Point {
	y := (0.5 - m.Y) * 2 * math.Pi
	return roadnet.Point{Lon: (m.X - 0.5) * 360, Lat: math.Atan(math.Sinh(y)) / degreesToRadian}
}

// Viewport is the part of the world that an image shows. North is up.
type Viewport struct {
	Center        roadnet.Point
	Zoom          float64
	Width, Height int     // image pixels
	Scale         float64 // image pixels for each logical pixel, 1 to 4
}

// WorldSize is the width of the whole world in image pixels.
func (v Viewport) WorldSize() float64 { return TileSize * math.Exp2(v.Zoom) * v.Scale }

// origin is the place of the image's top left corner in world pixels.
func (v Viewport) origin() (x, y, world float64) {
	world = v.WorldSize()
	c := MercatorOf(v.Center)
	return c.X*world - float64(v.Width)/2, c.Y*world - float64(v.Height)/2, world
}

// Pixel is where a point lies in the image, in image pixels from its top left.
func (v Viewport) Pixel(p roadnet.Point) (x, y float64) {
	ox, oy, world := v.origin()
	m := MercatorOf(p)
	return m.X*world - ox, m.Y*world - oy
}

// Point is the place under an image pixel.
func (v Viewport) Point(x, y float64) roadnet.Point {
	ox, oy, world := v.origin()
	return Mercator{(ox + x) / world, (oy + y) / world}.Point()
}

// Bounds is the box that the image shows, in degrees.
func (v Viewport) Bounds() roadnet.Bounds {
	nw, se := v.Point(0, 0), v.Point(float64(v.Width), float64(v.Height))
	return roadnet.Bounds{MinLon: nw.Lon, MinLat: se.Lat, MaxLon: se.Lon, MaxLat: nw.Lat}
}

// MetresPerPixel is the size of a logical pixel on the ground at the centre.
func (v Viewport) MetresPerPixel() float64 {
	return earthCircle * math.Cos(v.Center.Lat*degreesToRadian) / (TileSize * math.Exp2(v.Zoom))
}

// Fit moves the viewport so that the whole box shows with a margin in logical
// pixels on every side.
func (v Viewport) Fit(b roadnet.Bounds, margin float64) Viewport {
	nw := MercatorOf(roadnet.Point{Lon: b.MinLon, Lat: b.MaxLat})
	se := MercatorOf(roadnet.Point{Lon: b.MaxLon, Lat: b.MinLat})
	v.Center = Mercator{(nw.X + se.X) / 2, (nw.Y + se.Y) / 2}.Point()
	w := math.Max(float64(v.Width)/v.Scale-2*margin, 1)
	h := math.Max(float64(v.Height)/v.Scale-2*margin, 1)
	across := math.Max((se.X-nw.X)/w, (se.Y-nw.Y)/h)
	v.Zoom = fitZoom
	if across > 0 {
		v.Zoom = clampZoom(math.Log2(1 / (across * TileSize)))
	}
	return v
}

// ZoomAt changes the zoom so that the place under an image pixel stays there.
func (v Viewport) ZoomAt(zoom, x, y float64) Viewport {
	ox, oy, world := v.origin()
	at := Mercator{(ox + x) / world, (oy + y) / world}
	v.Zoom = clampZoom(zoom)
	world = v.WorldSize()
	return v.centred(at.X*world-x, at.Y*world-y, world)
}

// Pan moves the map by image pixels, right and down.
func (v Viewport) Pan(x, y float64) Viewport {
	ox, oy, world := v.origin()
	return v.centred(ox-x, oy-y, world)
}

// centred is the viewport whose top left lies at x, y in world pixels; its
// centre stays in the world.
func (v Viewport) centred(x, y, world float64) Viewport {
	in := func(c float64) float64 { return math.Max(0, math.Min(1, c)) }
	v.Center = Mercator{in((x + float64(v.Width)/2) / world), in((y + float64(v.Height)/2) / world)}.Point()
	return v
}

// fitZoom is the zoom at which a box without any extent shows.
const fitZoom = 17.0

func clampZoom(z float64) float64 { return math.Max(MinZoom, math.Min(MaxZoom, z)) }
