package preview

import (
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory/read"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/work"
)

// form is how the file is written, each guess with its correction.
type form struct {
	p         *Panel
	object    *fyne.Container
	filling   bool
	separator *kit.Select
	decimal   *kit.Select
	header    *kit.Check
	encoding  *kit.Select
	times     *kit.SelectEntry
	zone      *kit.SelectEntry
	system    *kit.SelectEntry
	swap      *kit.Button
	guess     *kit.Button
	tableOnly []fyne.CanvasObject // rows for files whose columns are guessed
}

const separators = ",;\t| "

func newForm(p *Panel) *form {
	f := &form{p: p}
	f.separator = kit.NewSelect([]string{lang.L("comma"), lang.L("semicolon"), lang.L("tab"), lang.L("bar |"), lang.L("blanks")}, func(string) { f.separated() })
	f.decimal = kit.NewSelect([]string{lang.L("point"), lang.L("comma")}, func(string) {
		f.change(func(d *read.Dialect) { d.DecimalComma = f.decimal.SelectedIndex() == 1 })
	})
	f.header = kit.NewCheck(lang.L("The first row names the columns"), nil, f.headed)
	f.encoding = kit.NewSelect(nil, func(string) { f.encoded() })
	f.times = f.entry(func(text string) { f.change(func(d *read.Dialect) { d.Time = read.TimeFormat(text) }) })
	f.zone = f.entry(func(text string) { p.choose(func(c *work.Choice) { c.Zone = zoneOf(text) }) })
	f.system = f.entry(f.placed)
	f.swap = kit.NewButton(lang.L("Swap longitude and latitude"), "", kit.Normal, f.swapped)
	f.guess = kit.NewButton(lang.L("Guess again"), "again", kit.Quiet, func() { p.choose(func(c *work.Choice) { *c = work.Choice{} }) })
	head := kit.NewLine(4, 0, kit.NewTitle(lang.L("How it is written")), f.guess)
	f.tableOnly = []fyne.CanvasObject{
		row(lang.L("Separator"), f.separator), row(lang.L("Decimal sign"), f.decimal), f.header,
		row(lang.L("Times"), f.times), f.swap,
	}
	f.object = kit.NewColumn(4, head, f.tableOnly[0], f.tableOnly[1], f.tableOnly[2], row(lang.L("Encoding"), f.encoding),
		f.tableOnly[3], row(lang.L("Time zone"), f.zone), row(lang.L("Coordinates"), f.system), f.tableOnly[4])
	return f
}

// labelWidth is how wide the names of the settings are, in pixels.
const labelWidth = 104

func row(name string, o fyne.CanvasObject) fyne.CanvasObject {
	return kit.NewLine(4, 1, kit.NewFixed(labelWidth, 0, kit.NewCutText(name, kit.Style{Colour: look.Muted}, 40)), o)
}

// entry is a choice that may also be typed; it is taken when it is one of the
// list, or with Enter.
func (f *form) entry(take func(string)) *kit.SelectEntry {
	e := kit.NewSelectEntry()
	e.OnSubmitted = func(text string) {
		if !f.filling {
			take(text)
		}
	}
	return e
}

// offer fills a choice that may also be typed.
func (f *form) offer(e *kit.SelectEntry, options []string, text string) {
	e.SetOptions(options)
	e.OnChanged = nil
	if e.Text != text {
		e.SetText(text)
	}
	e.OnChanged = func(s string) {
		if slices.Contains(options, s) {
			e.OnSubmitted(s)
		}
	}
}

// fill shows how a file is read.
func (f *form) fill(g *work.Glance, c work.Choice) {
	f.filling = true
	defer func() { f.filling = false }()
	for _, o := range f.tableOnly {
		o.(interface{ Hide() }).Hide()
	}
	if d := g.Dialect; d != nil {
		for _, o := range f.tableOnly {
			o.(interface{ Show() }).Show()
		}
		f.fillTable(d)
	}
	f.encoding.Options = append([]string{lang.L("as its content tells ({{.Name}})", map[string]any{"Name": g.Encoding})}, encodings()...)
	f.encoding.SetSelectedIndex(1 + slices.Index(encodings(), c.Encoding))
	f.offer(f.zone, f.zones(), zoneText(c.Zone))
	f.offer(f.system, f.systems(), systemText(c.CRS))
	f.object.Refresh()
}

func (f *form) fillTable(d *read.Dialect) {
	if len(d.Separator) == 1 {
		f.separator.SetSelectedIndex(slices.Index([]byte(separators), d.Separator[0]))
	}
	f.decimal.SetSelectedIndex(0)
	if d.DecimalComma {
		f.decimal.SetSelectedIndex(1)
	}
	f.header.Set(d.Header)
	formats := make([]string, 0, 100)
	for _, t := range read.TimeFormats() {
		formats = append(formats, string(t))
	}
	f.offer(f.times, formats, string(d.Time))
}

// encodings are those that tables come in, by their names on the web.
func encodings() []string {
	return []string{"utf-8", "windows-1252", "iso-8859-15", "gb18030", "big5", "shift_jis", "euc-kr", "utf-16le", "utf-16be"}
}

func (f *form) encoded() {
	if i := f.encoding.SelectedIndex(); !f.filling && i >= 0 {
		name := ""
		if i > 0 {
			name = encodings()[i-1]
		}
		f.p.choose(func(c *work.Choice) { c.Encoding = name })
	}
}

// separated cuts the rows elsewhere: the columns are other ones then.
func (f *form) separated() {
	if i := f.separator.SelectedIndex(); !f.filling && i >= 0 {
		f.p.choose(func(c *work.Choice) { c.Dialect, c.Separator = nil, separators[i:i+1] })
	}
}

// headed takes the first row as names, or as data.
func (f *form) headed(on bool) {
	f.change(func(d *read.Dialect) {
		d.Header = on
		for i := range d.Columns {
			d.Columns[i].Name = ""
			if rows := f.p.glance.Rows; on && len(rows) > 0 && i < len(rows[0]) {
				d.Columns[i].Name = rows[0][i]
			}
		}
	})
}

func (f *form) swapped() {
	f.change(func(d *read.Dialect) {
		for i, c := range d.Columns {
			switch c.Role {
			case read.Lon:
				d.Columns[i].Role = read.Lat
			case read.Lat:
				d.Columns[i].Role = read.Lon
			case read.Geometry:
				d.LatFirst = !d.LatFirst
			}
		}
	})
}

// change changes the dialect of the table that is shown.
func (f *form) change(change func(*read.Dialect)) {
	g := f.p.glance
	if f.filling || g == nil || g.Dialect == nil {
		return
	}
	d := *g.Dialect
	d.Columns = slices.Clone(d.Columns)
	change(&d)
	f.p.choose(func(c *work.Choice) { c.Dialect = &d })
}

// placed takes the coordinates as those of another system. Where no column held
// degrees the columns are guessed anew.
func (f *form) placed(text string) {
	f.p.choose(func(c *work.Choice) {
		c.CRS = systemOf(text)
		if g := f.p.glance; g != nil && g.Samples == 0 {
			c.Dialect = nil
		}
	})
}

// zones are the zones that times may be in: UTC, the place's own, this
// computer's.
func (f *form) zones() []string {
	list := []string{utc}
	if net := f.p.acts.Network(); net != nil && net.Info().TimeZone != "" {
		list = append(list, net.Info().TimeZone)
	}
	if local := time.Local.String(); local != "Local" && !slices.Contains(list, local) {
		list = append(list, local)
	}
	return list
}

const utc = "UTC"

func zoneText(zone string) string {
	if zone == "" {
		return utc
	}
	return zone
}

func zoneOf(text string) string {
	if text == utc {
		return ""
	}
	return text
}

const wgs84 = "WGS 84"

// systems are the coordinate systems to choose from, with the place's own zone
// of UTM.
func (f *form) systems() []string {
	list := []string{wgs84, "EPSG:3857", "GCJ-02", "BD-09"}
	if net := f.p.acts.Network(); net != nil {
		list = slices.Insert(list, 2, fmt.Sprintf("EPSG:%d", read.UTM(net.Info().Bounds)))
	}
	return list
}

func systemText(crs string) string {
	if crs == "" {
		return wgs84
	}
	return crs
}

func systemOf(text string) string {
	if text == wgs84 {
		return ""
	}
	return text
}
