package render

import (
	"strconv"
	"strings"
)

// Words are what a map says, in the language of its reader.
type Words struct {
	InputPoint, SkippedPoint, RecoveredPath, OnDeck, BelowDeck, InTunnel string
	Unsure, Alternative, PinnedRoad, ForbiddenRoad, Truth                string
	Legend                                                               string // heads it where no trip does
	Differs, OtherSide                                                   string // where two ways are compared

	Probability, Speed, Time, Class string // headings of the colour scale
	DeckOrGround                    string // before the margin, e.g. "Deck or ground? Margin"
	Start, End                      string
	LinkCounts, LinkSpeeds          string    // headings of the classes of links
	NoSpeed                         string    // of a link
	Decimal                         string    // sign; empty: a point
	Classes                         [6]string // motorway, primary, secondary, tertiary, residential, service
}

// English are the words in English.
func English() *Words {
	return &Words{
		InputPoint: "input point", SkippedPoint: "input point left out", RecoveredPath: "recovered path",
		OnDeck: "on an elevated deck", BelowDeck: "below a deck", InTunnel: "in a tunnel",
		Unsure: "deck or ground unsure", Alternative: "alternative", PinnedRoad: "pinned road", ForbiddenRoad: "not on this road", Truth: "true path",
		Legend: "Legend", Differs: "where the ways differ", OtherSide: "the other way there",
		Probability: "probability of the road", Speed: "speed, km/h", Time: "time", Class: "road class",
		DeckOrGround: "Deck or ground? Margin", Start: "start", End: "end",
		LinkCounts: "trips on a road", LinkSpeeds: "mean speed, km/h", NoSpeed: "speed not known",
		Classes: [6]string{"motorway, trunk road", "primary road", "secondary road", "tertiary road", "residential street", "service road"},
	}
}

// fraction is a number with some digits, with the decimal sign of the language.
func (w *Words) fraction(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if w.Decimal != "" {
		s = strings.Replace(s, ".", w.Decimal, 1)
	}
	return s
}
