package report

import (
	"cmp"
	"slices"
	"strconv"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
)

// What a trip gets at most: the rest is counted.
const (
	mostSpanPictures  = 6
	mostPlacePictures = 6
	mostRows          = 300
	mostWarnings      = 50
)

// tripView is a trip as the page shows it.
type tripView struct {
	Alone          bool // the report is of this trip
	Number         int
	ID             string
	Facts          []fact
	Whole          *picture
	Curves         []curve
	Parts          []partRow
	Spans          []spanRow
	SpansLeft      int
	SpanPictures   []picture
	SpanPlacesLeft int
	Doubts         []doubtRow
	DoubtsLeft     int
	PlacePictures  []picture
	PlacesLeft     int
	Warnings       []string
	WarningsLeft   int
	PicturesWanted bool
	Made           string
}

// trip gathers what is shown of a trip. One of many gets fewer pictures.
func (w *Writer) trip(k kept, p *painter, alone bool) (*tripView, error) {
	r := k.trip.Recovery
	v := &tripView{Alone: alone, Number: k.number, ID: r.Trajectory, Facts: w.words.tripFacts(k.trip, k.facts), Curves: w.words.curves(r),
		Parts: w.partRows(k.trip), PicturesWanted: w.opt.Pictures > 0, Made: made(r.Provenance)}
	v.Warnings, v.WarningsLeft = first(r.Warnings, mostWarnings)
	spans := r.Spans
	if spans, v.SpansLeft = first(spans, mostRows); len(spans) > 0 {
		for i, s := range spans {
			v.Spans = append(v.Spans, w.spanRow(i, s))
		}
	}
	doubts := k.doubts
	doubts, v.DoubtsLeft = first(doubts, mostRows)
	for i, d := range doubts {
		v.Doubts = append(v.Doubts, w.doubtRow(i, d))
	}
	if !v.PicturesWanted {
		return v, nil
	}
	spanPictures, placePictures := mostSpanPictures, mostPlacePictures
	if !alone {
		spanPictures, placePictures = 2, 2
	}
	whole, err := p.whole(k.trip, w.words.say("The whole trip"))
	if err != nil {
		return nil, err
	}
	v.Whole = &whole
	if v.SpanPictures, v.SpanPlacesLeft, err = w.spanPictures(k.trip, p, spanPictures); err != nil {
		return nil, err
	}
	v.PlacePictures, v.PlacesLeft, err = w.placePictures(k.trip, doubts, p, placePictures)
	return v, err
}

// first is the beginning of a list, and how much is left of it.
func first[T any](list []T, most int) ([]T, int) {
	if len(list) <= most {
		return list, 0
	}
	return list[:most], len(list) - most
}

// made says how a recovery was made.
func made(p trajectory.Provenance) string {
	text := p.Method
	for _, s := range []string{p.Model, p.Device, p.Settings} {
		if s != "" {
			text += ", " + s
		}
	}
	return text
}

// partRow is an unbroken part of the path: what was reported of it and what was
// driven.
type partRow struct {
	Number                   int
	Begin, End               string
	Points                   int
	Reported, Driven, Factor string
	Speed                    string
}

func (w *Writer) partRows(t Trip) []partRow {
	r := t.Recovery
	var rows []partRow
	ticks := r.Ticks
	for i, part := range r.Parts {
		n := 0
		for n < len(ticks) && int(ticks[n].Part) == i {
			n++
		}
		own := ticks[:n]
		ticks = ticks[n:]
		if n == 0 || len(rows) == mostRows {
			continue
		}
		points, straight := reportedLine(t.Trajectory.Samples, own)
		driven := facts.PartLength(w.net, part)
		row := partRow{Number: i + 1, Begin: w.words.at(own[0].Time), End: w.words.clock(own[n-1].Time), Points: points, Reported: w.words.length(straight), Driven: w.words.length(driven), Factor: "–", Speed: "–"}
		if straight > 0 {
			row.Factor = w.words.figures.Fraction(driven/straight, 2)
		}
		if seconds := float64(own[n-1].Time-own[0].Time) / 1000; seconds > 0 {
			row.Speed = w.words.speed(driven / seconds)
		}
		rows = append(rows, row)
	}
	return rows
}

// reportedLine is how many reported points belong to some ticks, and the length
// of the line between them. Where they are not known, the places on the road are
// taken.
func reportedLine(samples []trajectory.Sample, ticks []trajectory.Tick) (points int, metres float64) {
	var last roadnet.Point
	for _, k := range ticks {
		if !k.Observed {
			continue
		}
		at := roadnet.Point{Lon: k.Lon, Lat: k.Lat}
		i, found := slices.BinarySearchFunc(samples, k.Time, func(s trajectory.Sample, at int64) int { return cmp.Compare(s.Time, at) })
		if found {
			at = roadnet.Point{Lon: samples[i].Lon, Lat: samples[i].Lat}
		}
		if points > 0 {
			metres += roadnet.Distance(last, at)
		}
		points, last = points+1, at
	}
	return points, metres
}

// spanRow is a stretch on or below an elevated road.
type spanRow struct {
	Number              int
	Enter, Exit, Length string
	Road, Where, Runner string
	Probability, Margin string
	Doubtful            bool
}

func (w *Writer) spanRow(i int, s trajectory.Span) spanRow {
	return spanRow{Number: i + 1, Enter: w.words.at(s.Enter), Exit: w.words.clock(s.Exit), Length: w.words.length(s.To - s.From), Road: w.words.say(s.Road), Where: w.words.deck(s.Kind),
		Runner: w.words.say(s.RunnerUp), Probability: w.words.share(float64(s.Probability)), Margin: w.words.share(float64(s.Margin)), Doubtful: s.Margin < trajectory.UncertainMargin}
}

// doubtRow is a place in doubt.
type doubtRow struct {
	Number                        int
	TripNumber                    int
	Trip, Time, What, Road, Place string
	Risk, Error                   string
}

// off is an expected error; a dash where it is not known.
func (w words) off(metres float64) string {
	if metres == 0 {
		return "–"
	}
	return w.length(metres)
}

func (w *Writer) doubtRow(i int, d doubt) doubtRow {
	return doubtRow{Number: i + 1, TripNumber: d.number, Trip: d.trip, Time: w.words.at(d.time), What: d.what, Road: d.road, Place: place(d.at), Risk: w.words.share(d.risk), Error: w.words.off(d.off)}
}

// group are spans that follow one another and are drawn together.
type group struct {
	from, to int // indices of the first and the last
	sure     float64
	metres   float64
}

// together is how near spans are that are drawn together, metres along the path.
const together = 200

// groups puts spans together, the most doubtful first.
func groups(spans []trajectory.Span) []group {
	var all []group
	for i, s := range spans {
		if n := len(all); n > 0 {
			last, before := &all[n-1], spans[i-1]
			if s.Part == before.Part && s.From-before.To < together && s.To-spans[last.from].From < 2000 {
				last.to, last.sure, last.metres = i, min(last.sure, float64(s.Margin)), last.metres+s.To-s.From
				continue
			}
		}
		all = append(all, group{i, i, float64(s.Margin), s.To - s.From})
	}
	slices.SortStableFunc(all, func(a, b group) int {
		return cmp.Or(cmp.Compare(min(a.sure, trajectory.UncertainMargin), min(b.sure, trajectory.UncertainMargin)), cmp.Compare(b.metres, a.metres))
	})
	return all
}

// spanPictures are the elevated places of a trip.
func (w *Writer) spanPictures(t Trip, p *painter, most int) (list []picture, left int, err error) {
	spans := t.Recovery.Spans
	all, left := first(groups(spans), most)
	for _, g := range all {
		caption := strconv.Itoa(g.from + 1)
		if g.to > g.from {
			caption += "–" + strconv.Itoa(g.to+1)
		}
		a, b := spans[g.from], spans[g.to]
		caption += ": " + w.words.say(a.Road) + ", " + w.words.deck(a.Kind) + ", " + w.words.clock(a.Enter) + "–" + w.words.clock(b.Exit)
		one, err := p.stretch(t, a.Enter, b.Exit, render.Item{}, caption)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, one)
	}
	return list, left, nil
}

// placePictures are the places in doubt that are no elevated ones, which have
// pictures of their own.
func (w *Writer) placePictures(t Trip, doubts []doubt, p *painter, most int) (list []picture, left int, err error) {
	for i, d := range doubts {
		if d.span >= 0 {
			continue
		}
		if len(list) == most {
			left++
			continue
		}
		chosen := render.Item{Kind: render.PlaceItem, At: d.at}
		if d.tick >= 0 {
			chosen = render.Item{Kind: render.TickItem, Trip: t.Trajectory.ID, Index: d.tick}
		}
		one, err := p.place(t, d.at, chosen, strconv.Itoa(i+1)+": "+d.what+", "+w.words.clock(d.time))
		if err != nil {
			return nil, 0, err
		}
		list = append(list, one)
	}
	return list, left, nil
}
