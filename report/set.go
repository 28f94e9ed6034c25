package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
	"retrace/mapview/render"
)

// What a report of many trips shows at most.
const (
	mostLinks   = 20_000 // on the map
	mostBusiest = 20     // in the table
	mostFaults  = 100    // of the map
)

// setView is what the page shows of all trips together.
type setView struct {
	Facts          []fact
	Map            *linkMap
	Busiest        []linkRow
	Faults         []faultRow
	FaultsLeft     int
	Doubts         []doubtRow
	DoubtsLeft     int
	Shown, Trips   int // trips with pictures
	ByDoubt        bool
	PicturesWanted bool
}

// set gathers what is shown of all trips.
func (w *Writer) set(p *painter) (*setView, error) {
	v := &setView{Facts: w.words.setFacts(&w.sums), DoubtsLeft: w.sums.doubts - len(w.sums.most), Shown: len(w.sums.kept), Trips: w.sums.trips,
		ByDoubt: len(w.sums.kept) < w.sums.trips, PicturesWanted: w.opt.Pictures > 0}
	for i, d := range w.sums.most {
		v.Doubts = append(v.Doubts, w.doubtRow(i, d))
	}
	roads := w.driven()
	v.Busiest = w.busiest(roads)
	v.Faults, v.FaultsLeft = w.faults()
	if len(roads) == 0 || !v.PicturesWanted {
		return v, nil
	}
	var err error
	v.Map, err = w.linkMap(roads, p)
	return v, err
}

// road is a road that was driven on, both directions together.
type road struct {
	line   roadnet.LineID
	drives int
	metres float64 // over seconds, of the drives whose speed is known
	hours  float64
}

// driven lists the roads that were driven on, the busiest first.
func (w *Writer) driven() []road {
	at := map[roadnet.LineID]int{}
	var list []road
	w.links.Each(func(l write.Link) bool {
		id, _ := w.net.LineOf(l.Segment)
		i, known := at[id]
		if !known {
			i = len(list)
			at[id] = i
			list = append(list, road{line: id})
		}
		r := &list[i]
		r.drives += l.Trips
		if l.Mean > 0 {
			km := w.net.Length(l.Segment) / 1000 * float64(l.Speeds)
			r.metres, r.hours = r.metres+km*1000, r.hours+km/l.Mean
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b road) int { return cmp.Or(cmp.Compare(b.drives, a.drives), cmp.Compare(a.line, b.line)) })
	return list
}

// linkRow is a road in the table of the busiest: all of it that was driven on.
type linkRow struct{ Road, Class, Place, Drives, Length, Speed string }

// busiest lists the roads with the busiest places, all pieces of a name together.
func (w *Writer) busiest(roads []road) []linkRow {
	type named struct {
		road
		length float64
		at     roadnet.Segment
	}
	at := map[string]int{}
	var all []named
	for _, r := range roads {
		forward, backward, has, _ := w.net.LineSegments(r.line)
		if !has {
			forward = backward
		}
		s := w.net.Segment(forward)
		key := s.Name + "\x00" + s.Ref
		if s.Name == "" && s.Ref == "" {
			key = strconv.FormatInt(s.Way, 10)
		}
		i, known := at[key]
		if !known {
			i = len(all)
			at[key] = i
			all = append(all, named{road: r, at: s})
		} else {
			all[i].metres, all[i].hours = all[i].metres+r.metres, all[i].hours+r.hours
		}
		all[i].length += s.Length
	}
	var rows []linkRow
	for _, n := range all[:min(len(all), mostBusiest)] {
		row := linkRow{Road: w.words.road(n.at), Class: w.words.say(n.at.Class.String()), Drives: w.words.count(n.drives), Length: w.words.length(n.length), Speed: "–",
			Place: place(w.net.At(roadnet.Position{Segment: n.at.ID, Ratio: 0.5}))}
		if n.hours > 0 {
			row.Speed = w.words.speed(n.metres / 3600 / n.hours)
		}
		rows = append(rows, row)
	}
	return rows
}

// faultRow is a place where the map seems to be wrong.
type faultRow struct{ What, Road, Trips, Length, From, To string }

// faults lists what several trips say against the map, and how much is not listed.
func (w *Writer) faults() (rows []faultRow, left int) {
	all := w.check.Findings()
	for _, f := range all[:min(len(all), mostFaults)] {
		row := faultRow{What: w.words.say("a road that the map lacks"), Road: "–", Trips: w.words.count(f.Trips), Length: w.words.length(f.Length),
			From: place(f.Line[0]), To: place(f.Line[len(f.Line)-1])}
		if f.Road != nil {
			row.What, row.Road = w.words.say("a one-way road driven against"), w.words.road(w.net.Segment(*f.Road))
		}
		rows = append(rows, row)
	}
	return rows, len(all) - len(rows)
}

// linkMap is a map of how often each road was driven: lines over a picture.
type linkMap struct {
	Picture       picture
	Width, Height int // of the lines' own units
	Classes       []linkClass
	Drawn, All    int
}

// linkClass are the roads that were driven so often, rarest first.
type linkClass struct {
	Label  string
	Colour string
	Wide   float64
	Paths  string // as SVG has them
}

// linkColours get darker, so that they are told apart in grey as well.
func linkColours() []string { return []string{"#a6c8e0", "#6baed6", "#3182bd", "#08519c", "#052a54"} }

// linkMap draws the counts.
func (w *Writer) linkMap(roads []road, p *painter) (*linkMap, error) {
	drawn := roads[:min(len(roads), mostLinks)]
	v := near(viewport(wideWidth, wideHeight).Fit(w.boxOf(drawn), 30))
	opt := render.DefaultOptions()
	opt.Legend = false
	pic, err := p.draw(&render.Scene{}, v, opt, w.words.say("How often each road was driven, both directions together"))
	if err != nil {
		return nil, err
	}
	m := &linkMap{Picture: pic, Width: v.Width, Height: v.Height, Drawn: len(drawn), All: len(roads)}
	limits := classLimits(roads[0].drives, len(linkColours()))
	paths := make([]strings.Builder, len(limits))
	for _, r := range slices.Backward(drawn) {
		i, _ := slices.BinarySearch(limits, r.drives)
		appendPath(&paths[i], w.net.LineCoords(r.line), v)
	}
	from := 1
	for i, to := range limits {
		label := w.words.count(from) + "–" + w.words.count(to)
		if from == to {
			label = w.words.count(from)
		}
		skip := len(linkColours()) - len(limits)
		m.Classes = append(m.Classes, linkClass{Label: label, Colour: linkColours()[i+skip], Wide: pictureScale * (1.6 + 1.1*float64(i+skip)), Paths: paths[i].String()})
		from = to + 1
	}
	return m, nil
}

// classLimits are the most drives of each class, which grow by a factor.
func classLimits(most, classes int) []int {
	var limits []int
	for i := 1; i <= classes; i++ {
		limit := int(math.Round(math.Pow(float64(most), float64(i)/float64(classes))))
		if n := len(limits); n == 0 || limit > limits[n-1] {
			limits = append(limits, limit)
		}
	}
	return limits
}

// boxOf is the box around roads.
func (w *Writer) boxOf(roads []road) roadnet.Bounds {
	box := w.net.LineBounds(roads[0].line)
	for _, r := range roads {
		b := w.net.LineBounds(r.line)
		box = roadnet.Bounds{MinLon: min(box.MinLon, b.MinLon), MinLat: min(box.MinLat, b.MinLat), MaxLon: max(box.MaxLon, b.MaxLon), MaxLat: max(box.MaxLat, b.MaxLat)}
	}
	return box
}

// appendPath draws a line, without points that cannot be told apart.
func appendPath(b *strings.Builder, coords []roadnet.Coord, v render.Viewport) {
	lastX, lastY := math.Inf(1), math.Inf(1)
	for i, c := range coords {
		x, y := v.Pixel(c.Point())
		if i > 0 && i+1 < len(coords) && math.Hypot(x-lastX, y-lastY) < 1 {
			continue
		}
		command := byte('L')
		if i == 0 {
			command = 'M'
		}
		fmt.Fprintf(b, "%c%.1f %.1f", command, x, y)
		lastX, lastY = x, y
	}
}
