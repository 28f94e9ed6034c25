package work

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
	"retrace/internal/atomicfile"
	"retrace/mapview/render"
	"retrace/report"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// Format is one way to write recoveries.
type Format struct {
	Name  string
	File  string        // the name that is proposed
	Layer write.Layer   // of a file of one layer; empty: all that the format holds
	Page  bool          // a report for people
	Words *render.Words // of its maps
}

// Formats are the ways to write recoveries.
func Formats() []Format {
	return []Format{
		{Name: lang.L("GeoPackage: points, paths, spans and links"), File: "recovered.gpkg"},
		{Name: lang.L("GeoJSON: points, paths, spans and links"), File: "recovered.geojson"},
		{Name: lang.L("GPX: points"), File: "recovered.gpx"},
		{Name: lang.L("KML: points, played by time"), File: "recovered.kml"},
		{Name: lang.L("MF-JSON: points"), File: "recovered.mfjson"},
		{Name: lang.L("Shapefiles in an archive: points, paths, spans and links"), File: "recovered.zip"},
		{Name: lang.L("GeoParquet: points"), File: "points.parquet", Layer: write.Points},
		{Name: lang.L("GeoParquet: driven paths"), File: "paths.parquet", Layer: write.Path},
		{Name: lang.L("CSV: points"), File: "points.csv", Layer: write.Points},
		{Name: lang.L("CSV: driven paths"), File: "paths.csv", Layer: write.Path},
		{Name: lang.L("CSV: elevated spans"), File: "spans.csv", Layer: write.Spans},
		{Name: lang.L("CSV: gaps with their risks"), File: "gaps.csv", Layer: write.Gaps},
		{Name: lang.L("CSV: counts and speeds by link"), File: "links.csv", Layer: write.Links},
		{Name: lang.L("Report: a page with maps, curves and tables"), File: "report.html", Page: true},
	}
}

// Export writes the recoveries of trips to a file.
func (d *Desk) Export(path string, f Format, trips []*state.Trip) {
	net := d.state.Network()
	if net == nil || len(trips) == 0 {
		return
	}
	about := write.About{Network: net.Info(), Version: d.version}
	bm := d.state.Basemap()
	var jobs []written
	for _, t := range trips {
		if t.IsShown() {
			jobs = append(jobs, written{t.Journey(), t.Finding()})
		}
	}
	title := lang.L("Writing {{.File}}", map[string]any{"File": filepath.Base(path)})
	d.tasks.Start(title, func(ctx context.Context, show func(task.Progress)) error {
		for _, j := range jobs {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			about.Add(j.finding.Recovery())
		}
		out, err := create(path, f, net, bm, about)
		if err != nil {
			return err
		}
		return exportTrips(ctx, out, jobs, show)
	}, func(err error) {
		if err != nil {
			d.fail(lang.L("{{.File}} was not written.", map[string]any{"File": filepath.Base(path)}), err)
			return
		}
		d.state.Notify(state.Info, lang.N("{{.N}} trips written to {{.File}}.", len(jobs), map[string]any{"N": words.Count(len(jobs)), "File": path}), "")
	})
}

// tripWriter takes recovered trips one after another.
type tripWriter interface {
	Write(report.Trip) error
	Close() error
	Abort()
}

// recoveries writes the recoveries of trips.
type recoveries struct{ write.Writer }

func (w recoveries) Write(t report.Trip) error { return w.Writer.Write(t.Recovery) }

// written is a trip that is to be written.
type written struct {
	journey *state.Journey
	finding *state.Finding
}

func exportTrips(ctx context.Context, out tripWriter, trips []written, show func(task.Progress)) error {
	defer out.Abort()
	for i, t := range trips {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := out.Write(report.Trip{Trajectory: t.journey.Trajectory(), Recovery: t.finding.Recovery()}); err != nil {
			return err
		}
		show(task.Progress{Done: int64(i + 1), Total: int64(len(trips))})
	}
	return out.Close()
}

func create(path string, f Format, net *roadnet.Network, bm *basemap.Map, about write.About) (tripWriter, error) {
	if f.Page {
		return report.Create(path, net, report.Options{Version: about.Version, Basemap: bm, Language: reportLanguage(), Say: sayOfReport(), Figures: words.InUse(), Words: f.Words})
	}
	layer := f.Layer
	if layer == "" {
		layer = write.Points
	}
	w, err := write.CreateAs(path, filepath.Ext(path), layer, net, about)
	return recoveries{w}, err
}

// PictureFormat is "png", "svg" or "pdf" by a file's ending, else empty.
func PictureFormat(path string) string {
	switch ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."); ending {
	case "png", "svg", "pdf":
		return ending
	}
	return ""
}

// SavePicture writes a map as the window shows it, with word on where it comes
// from. The scene is its own.
func (d *Desk) SavePicture(path string, scene *render.Scene, view render.Viewport, look render.Options) {
	scene.About = render.Provenance(scene, "Retrace "+d.version, time.Now())
	title := lang.L("Writing {{.File}}", map[string]any{"File": filepath.Base(path)})
	d.tasks.Start(title, func(context.Context, func(task.Progress)) error {
		return whole(path, func(w io.Writer) error { return writePicture(w, PictureFormat(path), scene, view, look) })
	}, func(err error) {
		if err != nil {
			d.fail(lang.L("{{.File}} was not written.", map[string]any{"File": filepath.Base(path)}), err)
			return
		}
		d.state.Notify(state.Info, lang.L("The map is written to {{.File}}.", map[string]any{"File": path}), "")
	})
}

func writePicture(w io.Writer, format string, scene *render.Scene, view render.Viewport, look render.Options) error {
	switch format {
	case "svg":
		return render.WriteSVG(w, scene, view, look)
	case "pdf":
		return render.WritePDF(w, scene, view, look)
	case "png":
		return render.WritePNG(w, scene, view, look)
	}
	return fmt.Errorf("a map is written as .png, .svg or .pdf, not as %q", format)
}

// whole writes a file that is complete or not there.
func whole(path string, write func(io.Writer) error) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Commit()
}

// HasWorkspace reports whether there is a workspace to copy.
func (d *Desk) HasWorkspace() bool { return d.ws != nil }

// SaveCopy writes the workspace, or what is whole of it, to another file.
func (d *Desk) SaveCopy(path string) {
	ws := d.ws
	if ws == nil {
		return
	}
	if info, err := os.Stat(path); err == nil && info.Size() == 0 {
		os.Remove(path) // made by the file dialog; a copy needs a name that is free
	}
	lost := 0
	d.tasks.Start(lang.L("Saving a copy"), func(ctx context.Context, _ func(task.Progress)) error {
		d.keeper.wait()
		damage, err := ws.SalvageTo(ctx, path)
		lost = len(damage)
		return err
	}, func(err error) {
		if err != nil {
			d.fail(lang.L("The copy was not written."), err)
			return
		}
		text, level := lang.L("A copy of the workspace is in {{.File}}.", map[string]any{"File": path}), state.Info
		if lost > 0 {
			level = state.Warn
			text += " " + lang.N("{{.N}} things were damaged and are not in it.", lost, map[string]any{"N": lost})
		}
		d.state.Notify(level, text, "")
	})
}
