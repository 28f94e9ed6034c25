package command

import (
	"strconv"
	"strings"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/recovered"
	"retrace/mapview/render"
)

type renderCommand struct {
	Network  string `required:"" placeholder:"NAME|FILE" help:"A network of the workspace, a network file, or an extract."`
	Recovery string `placeholder:"FILE" help:"Recoveries to show, as retrace recover wrote them: .gpkg or .geojson; of a .csv the points."`
	Output   string `short:"o" required:"" placeholder:"MAP" help:"Picture to write: .png, .svg or .pdf."`
	View     string `placeholder:"VIEW" help:"What to show: longitude,latitude,zoom or west,south,east,north. Default: all recoveries, else the whole network."`
	Size     string `default:"1600x1000" placeholder:"1600x1000" help:"Width and height in pixels."`
	Theme    string `default:"light" enum:"light,dark" placeholder:"light|dark" help:"Colours. Default: light."`
}

func (renderCommand) Help() string {
	return "Examples:\n" +
		"  retrace render --network porto -o porto.png\n" +
		"  retrace render --network porto --recovery recovered.gpkg --view -8.62,41.15,15 --theme dark -o trips.pdf"
}

// mostPixels bounds the edges of a picture.
const mostPixels = 16384

func (c *renderCommand) Run(s *session) error {
	if !isPicture(c.Output) {
		return usage("%s: the extension says no picture that can be written (%s)", c.Output, strings.Join(pictureFormats(), ", "))
	}
	v, err := parseSize(c.Size)
	if err != nil {
		return err
	}
	view, err := parseView(c.View)
	if err != nil {
		return err
	}
	net, bm, err := s.network(c.Network)
	if err != nil {
		return err
	}
	scene := render.Scene{Network: net, Basemap: bm}
	if c.Recovery != "" {
		s.progress.show("reading recoveries", "")
		all, err := recovered.Read(s.ctx, c.Recovery, net)
		if err != nil {
			return err
		}
		for _, r := range all {
			scene.Trips = append(scene.Trips, render.Trip{Trajectory: &trajectory.Trajectory{ID: r.Trajectory}, Recovery: r})
		}
	}
	s.progress.show("drawing the map", "")
	opt := render.DefaultOptions()
	opt.Dark = c.Theme == "dark"
	scene.About = render.Provenance(&scene, "Retrace "+s.version, time.Now())
	if err := writePicture(c.Output, &scene, view(&scene, v), opt); err != nil {
		return err
	}
	s.progress.clear()
	if s.globals.JSON {
		return s.printJSON(map[string]any{"file": c.Output, "network": net.Info().Name, "recoveries": len(scene.Trips)})
	}
	return s.ctx.Err()
}

// parseSize reads a width and a height.
func parseSize(text string) (render.Viewport, error) {
	w, h, _ := strings.Cut(text, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if err1 != nil || err2 != nil || min(width, height) < 16 || max(width, height) > mostPixels {
		return render.Viewport{}, usage("--size %s: want a width and a height of 16 to %d pixels, like 1600x1000", text, mostPixels)
	}
	return render.Viewport{Width: width, Height: height, Scale: 1}, nil
}

// viewer chooses what a viewport of a size shows of a scene.
type viewer func(*render.Scene, render.Viewport) render.Viewport

// parseView reads a centre and a zoom, or a box. Empty: all there is.
func parseView(text string) (viewer, error) {
	if text == "" {
		return func(s *render.Scene, v render.Viewport) render.Viewport { return wholeView(s, v.Width, v.Height) }, nil
	}
	var n []float64
	for field := range strings.SplitSeq(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return nil, usage("--view %s: %q is no number", text, field)
		}
		n = append(n, x)
	}
	onEarth := func(lon, lat float64) bool { return lon >= -180 && lon <= 180 && lat >= -85 && lat <= 85 }
	switch {
	case len(n) == 3 && onEarth(n[0], n[1]) && n[2] >= render.MinZoom && n[2] <= render.MaxZoom:
		return func(_ *render.Scene, v render.Viewport) render.Viewport {
			v.Center, v.Zoom = roadnet.Point{Lon: n[0], Lat: n[1]}, n[2]
			return v
		}, nil
	case len(n) == 4 && onEarth(n[0], n[1]) && onEarth(n[2], n[3]) && n[0] < n[2] && n[1] < n[3]:
		return func(_ *render.Scene, v render.Viewport) render.Viewport {
			return v.Fit(roadnet.Bounds{MinLon: n[0], MinLat: n[1], MaxLon: n[2], MaxLat: n[3]}, 0)
		}, nil
	}
	return nil, usage("--view %s: want longitude,latitude,zoom (zoom %v to %v) or west,south,east,north, in degrees",
		text, render.MinZoom, render.MaxZoom)
}
