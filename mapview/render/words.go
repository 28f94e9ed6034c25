package render

// Words are what a map says, in the language of its reader.
type Words struct {
	InputPoint, SkippedPoint, RecoveredPath, OnDeck, BelowDeck, InTunnel string
	Unsure, Alternative, PinnedRoad, Truth                               string

	Probability, Speed, Time, Class string // headings of the colour scale
	DeckOrGround                    string // before the margin, e.g. "Deck or ground? Margin"
	Start, End                      string
	LinkCounts, LinkSpeeds          string    // headings of the classes of links
	NoSpeed                         string    // of a link
	Classes                         [6]string // motorway, primary, secondary, tertiary, residential, service
}

// English are the words in English.
func English() *Words {
	return &Words{
		InputPoint: "input point", SkippedPoint: "input point left out", RecoveredPath: "recovered path",
		OnDeck: "on an elevated deck", BelowDeck: "below a deck", InTunnel: "in a tunnel",
		Unsure: "deck or ground unsure", Alternative: "alternative", PinnedRoad: "pinned road", Truth: "true path",
		Probability: "probability of the road", Speed: "speed, km/h", Time: "time", Class: "road class",
		DeckOrGround: "Deck or ground? Margin", Start: "start", End: "end",
		LinkCounts: "trips on a road", LinkSpeeds: "mean speed, km/h", NoSpeed: "speed not known",
		Classes: [6]string{"motorway, trunk", "primary", "secondary", "tertiary", "residential", "service"},
	}
}
