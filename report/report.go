// Package report writes what was recovered as one HTML page that needs nothing
// else: of one trip with maps, curves and tables, of many with sums, counts by
// road and the places in doubt. It is light, and can be printed.
//
// Trips are taken one after another. What stays in memory is a line for each of
// the trips and places that are most in doubt, and the counts by road; the table
// of all trips waits on disk.
package report

import (
	"bufio"
	"fmt"
	"html/template"
	"io"
	"time"

	"retrace/engine/basemap"
	"retrace/engine/mapcheck"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/engine/trajectory/write"
	"retrace/internal/atomicfile"
	"retrace/internal/scratch"
	"retrace/mapview/render"
)

// DefaultPictures is how many trips of a report get pictures, unless told.
const DefaultPictures = 10

// Trip is one recovered trip.
type Trip struct {
	Trajectory *trajectory.Trajectory // as it was reported; nil: not known
	Recovery   *trajectory.Recovery
}

// Options says what a report is called and how large it gets; the zero value is
// ready for use.
type Options struct {
	Title    string
	Version  string                      // of Retrace
	Basemap  *basemap.Map                // drawn behind the roads; may be nil
	Pictures int                         // trips that get pictures, those most in doubt; 0: DefaultPictures, less: none
	Language string                      // of the words, as HTML names it; empty: en
	Say      func(english string) string // gives the words in that language; nil: English
	Words    *render.Words               // those of the maps; nil: English
	Figures  Figures                     // how numbers and dates are written; nil: as in English
	Progress func(done, all int)         // called while trips are drawn; may be nil
}

// Writer takes trips one after another. It is used by one goroutine at a time.
type Writer struct {
	file  *atomicfile.File
	rows  *scratch.File // of the table of all trips
	out   *bufio.Writer
	page  *template.Template
	opt   Options
	net   *roadnet.Network
	about write.About
	words words
	sums  sums
	links *write.LinkCounter
	check *mapcheck.Collector
}

// Create begins a report of trips on a network in the file at path, which stands
// there when it is complete.
func Create(path string, net *roadnet.Network, opt Options) (*Writer, error) {
	if opt.Pictures == 0 {
		opt.Pictures = DefaultPictures
	}
	w := &Writer{opt: opt, net: net, links: write.NewLinkCounter(net), check: mapcheck.New(net, 0),
		about: write.About{Network: net.Info(), Version: opt.Version}, words: newWords(net.Info(), opt.Say, opt.Figures)}
	var err error
	if w.page, err = newPage(w.words); err != nil {
		return nil, err
	}
	if w.file, err = atomicfile.Create(path); err != nil {
		return nil, err
	}
	if w.rows, err = scratch.NewFile("report"); err != nil {
		w.file.Abort()
		return nil, fmt.Errorf("no room on disk for the table of trips: %w", err)
	}
	w.out = bufio.NewWriter(w.rows)
	return w, nil
}

// Write adds one trip.
func (w *Writer) Write(t Trip) error {
	if t.Trajectory == nil {
		t.Trajectory = &trajectory.Trajectory{ID: t.Recovery.Trajectory}
	}
	f := facts.Of(t.Trajectory)
	f.AddRecovery(t.Recovery)
	if f.Points == 0 {
		f = withoutSamples(f, t.Recovery)
	}
	w.about.Add(t.Recovery)
	w.links.Add(t.Recovery)
	w.check.Add(t.Trajectory.Samples, t.Recovery)
	doubts := w.doubtsOf(t)
	w.sums.add(t, f, doubts, max(0, w.opt.Pictures))
	return w.page.ExecuteTemplate(w.out, "row", w.words.tripRow(w.sums.trips, t, f, len(doubts)))
}

// withoutSamples fills in what is known of a trip of which there is but the
// recovery.
func withoutSamples(f facts.Facts, r *trajectory.Recovery) facts.Facts {
	if n := len(r.Ticks); n > 0 {
		f.Start, f.End = r.Ticks[0].Time, r.Ticks[n-1].Time
	}
	for _, k := range r.Ticks {
		if k.Observed {
			f.Points++
		}
	}
	return f
}

// Close writes the report and gives the file its name. Where it fails, nothing is
// left behind.
func (w *Writer) Close() error {
	defer w.Abort()
	if err := w.out.Flush(); err != nil {
		return err
	}
	if _, err := w.rows.Seek(0, io.SeekStart); err != nil {
		return err
	}
	out := bufio.NewWriter(w.file)
	if err := w.write(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return w.file.Commit()
}

// Abort leaves nothing behind. After Close it does nothing.
func (w *Writer) Abort() {
	w.rows.Remove()
	w.file.Abort()
}

// write writes the parts of the page in their order.
func (w *Writer) write(out io.Writer) error {
	page := w.head(time.Now())
	if err := w.page.ExecuteTemplate(out, "head", page); err != nil {
		return err
	}
	base := render.NewBase(w.net, w.opt.Basemap)
	painter := &painter{base: base, net: w.net, basemap: w.opt.Basemap, mapWords: w.opt.Words}
	if w.sums.trips != 1 {
		set, err := w.set(painter)
		if err != nil {
			return err
		}
		if err := w.page.ExecuteTemplate(out, "set", set); err != nil {
			return err
		}
	}
	if err := w.shown(out, painter); err != nil {
		return err
	}
	if w.sums.trips != 1 {
		if err := w.page.ExecuteTemplate(out, "table", nil); err != nil {
			return err
		}
		if _, err := io.Copy(out, w.rows); err != nil {
			return err
		}
		if err := w.page.ExecuteTemplate(out, "end of table", nil); err != nil {
			return err
		}
	}
	return w.page.ExecuteTemplate(out, "foot", page)
}

// shown writes the trips that get pictures.
func (w *Writer) shown(out io.Writer, p *painter) error {
	picked := w.sums.picked()
	for i, t := range picked {
		if w.opt.Progress != nil {
			w.opt.Progress(i, len(picked))
		}
		view, err := w.trip(t, p, w.sums.trips == 1)
		if err != nil {
			return err
		}
		if err := w.page.ExecuteTemplate(out, "trip", view); err != nil {
			return err
		}
	}
	return nil
}
