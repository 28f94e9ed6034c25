package inspector

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/ui/kit"
	"retrace/ui/words"
)

// segment is all that is known of a segment of road, and who drove it.
func (p *Panel) segment(id roadnet.SegmentID) []fyne.CanvasObject {
	net := p.m.Network()
	seg := net.Segment(id)
	note := lang.L("both ways")
	if seg.OneWay {
		note = lang.L("one way")
	}
	content := []fyne.CanvasObject{heading(words.Kind(seg), words.Road(seg), note)}
	if seg.Flags.Has(roadnet.FlagLayerAssumed) {
		content = append(content, chips(lang.L("bridge without a layer: layer 1 assumed"))...)
	}
	content = append(content, gap(10, kit.NewFacts(segmentFacts(net, seg))))
	return append(content, p.driven(id))
}

func segmentFacts(net *roadnet.Network, seg roadnet.Segment) []kit.Fact {
	from := net.Piece(roadnet.Position{Segment: seg.ID})
	to := net.Piece(roadnet.Position{Segment: seg.ID, Ratio: 1})
	facts := []kit.Fact{
		{Name: lang.L("Length"), Value: words.Length(seg.Length)},
		{Name: lang.L("Speed limit"), Value: words.Limit(seg.Limit)},
		{Name: lang.L("Lanes"), Value: lanes(seg.Lanes)},
		{Name: lang.L("Layer"), Value: words.Layer(seg)},
	}
	if seg.Ref != "" && seg.Name != "" {
		facts = append(facts, kit.Fact{Name: lang.L("Number"), Value: seg.Ref})
	}
	if notes := segmentNotes(seg.Flags); notes != "" {
		facts = append(facts, kit.Fact{Name: lang.L("Marks"), Value: notes})
	}
	return append(facts,
		kit.Fact{Name: lang.L("Way"), Value: strconv.FormatInt(seg.Way, 10)},
		kit.Fact{Name: lang.L("From node"), Value: strconv.FormatInt(from.FromNode, 10)},
		kit.Fact{Name: lang.L("To node"), Value: strconv.FormatInt(to.ToNode, 10)},
		kit.Fact{Name: lang.L("Segment"), Value: fmt.Sprint(seg.ID)})
}

func lanes(n uint8) string {
	if n == 0 {
		return lang.L("not known")
	}
	return strconv.Itoa(int(n))
}

// segmentNotes are the marks of a segment in words.
func segmentNotes(f roadnet.Flags) string {
	text := ""
	for _, n := range []struct {
		flag roadnet.Flags
		word string
	}{
		{roadnet.FlagElevated, lang.L("elevated")}, {roadnet.FlagAmbiguous, lang.L("road close below")},
		{roadnet.FlagRoundabout, lang.L("roundabout")}, {roadnet.FlagPrivate, lang.L("private")},
		{roadnet.FlagDestination, lang.L("residents only")}, {roadnet.FlagToll, lang.L("toll")},
		{roadnet.FlagUnpaved, lang.L("unpaved")}, {roadnet.FlagLivingStreet, lang.L("living street")},
	} {
		if f.Has(n.flag) {
			if text != "" {
				text += ", "
			}
			text += n.word
		}
	}
	return text
}
