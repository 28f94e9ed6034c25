package work

import (
	"encoding/json"
	"fmt"
	"time"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/read"
)

// Choice says how a file is read where its own content is not followed. The
// zero value follows it.
type Choice struct {
	Dialect   *read.Dialect `json:",omitempty"` // of a table; nil: guessed
	Separator string        `json:",omitempty"` // of a table that is guessed
	Encoding  string        `json:",omitempty"` // by its name on the web
	Zone      string        `json:",omitempty"` // of times that name none, like Europe/Lisbon; empty: UTC
	CRS       string        `json:",omitempty"` // EPSG:25832, GCJ-02, BD-09; empty: WGS 84
}

// options are the settings of the reader.
func (c Choice) options(cleaning Cleaning, net *roadnet.Network) (read.Options, error) {
	opt := read.Options{Dialect: c.Dialect, Separator: c.Separator, Encoding: c.Encoding, CRS: c.CRS, Clean: cleaning.rules(net)}
	if c.Zone != "" {
		zone, err := time.LoadLocation(c.Zone)
		if err != nil {
			return opt, fmt.Errorf("there is no time zone %q: give one like Europe/Lisbon", c.Zone)
		}
		opt.Zone = zone
	}
	return opt, nil
}

// Group is the files of a drop that are written alike, and how they are read.
type Group struct {
	Paths      []string
	Kind       read.Kind
	Choice     Choice
	Remembered bool // the choice is the one of an earlier drop
	shape      string
}

// Tabular reports whether the files are tables of text, whose columns are
// guessed.
func (g *Group) Tabular() bool { return g.Kind == read.CSV || g.Kind == read.Porto }

// Intake is what a drop holds to be read, and how.
type Intake struct {
	Groups   []*Group
	Cleaning Cleaning
	names    map[string]string // of unpacked files, as people know them
}

// Name is how people know the file at path.
func (in *Intake) Name(path string) string {
	if name, ok := in.names[path]; ok {
		return name
	}
	return path
}

// tabular reports whether a file of the drop is a table of text.
func (in *Intake) tabular() bool {
	for _, g := range in.Groups {
		if g.Tabular() {
			return true
		}
	}
	return false
}

// memory is what was chosen before, kept in the workspace.
type memory struct {
	Shapes   map[string]Choice
	Cleaning Cleaning
}

// memoryKey is the workspace's setting that holds it.
const memoryKey = "reading"

// recall is what was chosen before.
func (d *Desk) recall() memory {
	m := memory{}
	if data, ok := d.Setting(memoryKey); ok {
		if err := json.Unmarshal(data, &m); err != nil {
			d.fail(lang.L("How files were read before cannot be read."), err)
			m = memory{}
		}
	}
	if m.Shapes == nil {
		m.Shapes = map[string]Choice{}
	}
	m.Cleaning = m.Cleaning.complete()
	return m
}

// maxShapes bounds how many shapes are remembered.
const maxShapes = 500

// keepChoices remembers how a drop is read.
func (d *Desk) keepChoices(in *Intake) {
	m := d.recall()
	m.Cleaning = in.Cleaning
	if len(m.Shapes) > maxShapes {
		m.Shapes = map[string]Choice{}
	}
	for _, g := range in.Groups {
		if g.Tabular() && g.shape != "" {
			m.Shapes[g.shape] = g.Choice
		}
	}
	data, err := json.Marshal(m)
	if err == nil {
		d.KeepSetting(memoryKey, data)
	}
	d.fail(lang.L("How the files are read cannot be kept."), err)
}
