package inspector

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/facts"
	"retrace/mapview/render"
	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/state"
	"retrace/ui/words"
)

// ways are the other ways from one input point to the next: the pointer shows
// one on the map, a click has the trip drive it.
func (p *Panel) ways(t *state.Trip, r *trajectory.Recovery, before, after int) []fyne.CanvasObject {
	var rows []fyne.CanvasObject
	for _, a := range alternativesOf(r, before, after) {
		length := facts.PartLength(p.m.Network(), a.Part)
		row := probabilityRow(p.viaRoad(a.Part), words.Length(length), float64(a.Probability), look.Alternative, false)
		rows = append(rows, p.wayRow(t, a, row, p.longest(a.Part)))
	}
	if len(rows) == 0 {
		return nil
	}
	return []fyne.CanvasObject{clickable(lang.L("Other ways"), lang.L("click to take one"), rows...)}
}

// wayRow is a row that stands for another way: the pointer shows one of its
// roads.
func (p *Panel) wayRow(t *state.Trip, a trajectory.Alternative, row fyne.CanvasObject, road roadnet.SegmentID) fyne.CanvasObject {
	item := render.Item{Kind: render.RoadItem, Segment: road, At: p.m.Network().At(roadnet.Position{Segment: road, Ratio: 0.5})}
	return kit.NewLive(row, func(over bool) {
		if over {
			p.m.Hover(item)
		} else {
			p.m.Hover(render.Item{})
		}
	}, func() { p.acts.TakeWay(t, int(a.FromSample), int(a.ToSample), a.Part.Segments) })
}

// elsewhere are the roads that a recovered point between two inputs may be on:
// that of its path, and where it would be on the other ways of the gap, as far
// along each.
func (p *Panel) elsewhere(t *state.Trip, r *trajectory.Recovery, i, before, after int) []fyne.CanvasObject {
	others := alternativesOf(r, before, after)
	a, b := state.TickOf(r, before), state.TickOf(r, after)
	if len(others) == 0 || a < 0 || b < 0 || r.Ticks[b].Along <= r.Ticks[a].Along {
		return nil
	}
	net, k := p.m.Network(), r.Ticks[i]
	share := (k.Along - r.Ticks[a].Along) / (r.Ticks[b].Along - r.Ticks[a].Along)
	seg := net.Segment(k.At.Segment)
	rows := []fyne.CanvasObject{probabilityRow(words.Road(seg), words.Kind(seg), float64(facts.Places(r)[i].Road), look.Path, true)}
	for _, x := range others {
		at, ok := state.AlongPart(net, x.Part, share)
		if !ok || at.Segment == k.At.Segment {
			continue
		}
		seg := net.Segment(at.Segment)
		away := roadnet.Distance(roadnet.Point{Lon: k.Lon, Lat: k.Lat}, net.At(at))
		row := probabilityRow(words.Road(seg), words.Kind(seg)+", "+words.Length(away), float64(x.Probability), look.Alternative, false)
		rows = append(rows, p.wayRow(t, x, row, at.Segment))
	}
	if len(rows) == 1 {
		return nil
	}
	return []fyne.CanvasObject{clickable(lang.L("Candidates"), lang.L("click to take one"), rows...)}
}

// clickable is a part of the content whose rows can be clicked, and says so.
func clickable(title, hint string, rows ...fyne.CanvasObject) fyne.CanvasObject {
	head := kit.NewLine(8, 0, kit.NewTitle(title), kit.NewText(hint, kit.Style{Colour: look.Muted, Size: look.SizeSmall}))
	all := append([]fyne.CanvasObject{head}, rows...)
	return under(all...)
}

// longest is the longest segment of a way.
func (p *Panel) longest(part trajectory.Part) roadnet.SegmentID {
	net := p.m.Network()
	best := part.Segments[0]
	for _, s := range part.Segments {
		if net.Length(s) > net.Length(best) {
			best = s
		}
	}
	return best
}

// viaRoad names a way by the longest segment on it.
func (p *Panel) viaRoad(part trajectory.Part) string {
	return lang.L("via {{.Road}}", map[string]any{"Road": words.Road(p.m.Network().Segment(p.longest(part)))})
}
