package report

import (
	_ "embed"
	"html/template"
	"time"

	"retrace/internal/sheet"
)

//go:embed page.html
var pageText string

// newPage makes the template of the page.
func newPage(w words) (*template.Template, error) {
	return template.New("page").Funcs(template.FuncMap{"say": w.say, "count": w.count, "doubts": doubtTable, "cell": sheet.Cell}).Parse(pageText)
}

// doubtsView is a table of places in doubt.
type doubtsView struct {
	Rows  []doubtRow
	Left  int  // that are not in it
	Trips bool // it is of several trips
}

func doubtTable(rows []doubtRow, left int, trips bool) doubtsView {
	return doubtsView{rows, left, trips}
}

// headView is what stands at the beginning and the end of the page.
type headView struct {
	Language, Title, Network, Zone string
	Alone                          bool
	Trips                          int
	Written                        string
	About                          []fact
	Attribution                    string
}

// head says what the report is of and where it comes from.
func (w *Writer) head(now time.Time) headView {
	info := w.net.Info()
	v := headView{Language: w.opt.Language, Title: w.opt.Title, Network: info.Name, Zone: w.words.zone.String(), Alone: w.sums.trips == 1, Trips: w.sums.trips,
		Written: w.words.at(now.UnixMilli()), Attribution: info.Attribution}
	if v.Language == "" {
		v.Language = "en"
	}
	if v.Title == "" {
		v.Title = w.words.say("Recovered trips")
		if v.Alone {
			v.Title = w.sums.kept[0].trip.Recovery.Trajectory
		}
	}
	for _, m := range w.about.Members() {
		v.About = append(v.About, fact{w.words.say(memberName(m[0])), m[1]})
	}
	return v
}

// memberName is the name of what is known of where recoveries come from, for
// people.
func memberName(name string) string {
	switch name {
	case "generator":
		return "Made by"
	case "method":
		return "Method"
	case "model":
		return "Model"
	case "settings":
		return "Settings"
	case "network":
		return "Network"
	case "network_fingerprint":
		return "Fingerprint of the network"
	case "network_data_date":
		return "Date of the map data"
	}
	return "Map data"
}
