package state

import (
	"slices"

	"retrace/engine/device"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// ShownLayers says which layers the map shows.
func (m *Model) ShownLayers() render.Layers { return m.layers }

// ShowLayer shows or hides layers.
func (m *Model) ShowLayer(l render.Layers, show bool) {
	next := m.layers &^ l
	if show {
		next |= l
	}
	if next != m.layers {
		m.layers = next
		m.touch(Layers)
	}
}

// ColourBy says what the colour of a path means.
func (m *Model) ColourBy() render.ColourBy { return m.colourBy }

// SetColourBy sets what the colour of a path means.
func (m *Model) SetColourBy(c render.ColourBy) {
	if c != m.colourBy {
		m.colourBy = c
		m.touch(Layers)
	}
}

// Panel is one of the panels around the map.
type Panel uint8

// The panels.
const (
	LeftPanel Panel = iota
	InspectorPanel
	StripPanel
	DockPanel
	numPanels = iota
)

// PanelSet says which panels are open and how large they are, in pixels.
type PanelSet struct {
	Open       [numPanels]bool
	LeftWidth  float32
	RightWidth float32
	DockHeight float32
	LayersFold bool // the layers list inside the left panel is folded
	LayersAll  bool // it shows all layers, not the first alone
	Tab        Tab
}

// Tab is one of the tables in the dock.
type Tab uint8

// The tables.
const (
	TripsTab Tab = iota
	PointsTab
	ElevatedTab
	DoubtsTab
	LinksTab
	CrossingsTab
	ProblemsTab
	NumTabs = iota
)

// defaultPanels is how the window opens first.
func defaultPanels() PanelSet {
	return PanelSet{Open: [numPanels]bool{true, true, true, true}, LeftWidth: 212, RightWidth: 300, DockHeight: 188}
}

// PanelSet says which panels are open.
func (m *Model) PanelSet() PanelSet { return m.panels }

// SetPanels opens, folds and resizes panels.
func (m *Model) SetPanels(p PanelSet) {
	if p != m.panels {
		m.panels = p
		m.touch(Panels)
	}
}

// TogglePanel opens a panel or folds it.
func (m *Model) TogglePanel(p Panel) {
	set := m.panels
	set.Open[p] = !set.Open[p]
	m.SetPanels(set)
}

// ShowTab opens the dock on a table.
func (m *Model) ShowTab(t Tab) {
	set := m.panels
	set.Open[DockPanel] = true
	set.Tab = t
	m.SetPanels(set)
}

// Options is what the user sets once.
type Options struct {
	Theme     string  // "system", "light", "dark"
	TextScale float32 // 1: the designed size
	Language  string  // e.g. "de"; empty: the system's
	Tick      int     // seconds between two recovered instants
	Miles     bool    // lengths and speeds in miles rather than in kilometres
	Zone      bool    // show times in the place's own zone rather than UTC
	Method    string  // MethodAuto, MethodCity or one of the engine's
	City      string  // folder of a system that was trained on one network; empty: none
	Device    string  // that the model runs on, or the wish for the best
	Decoder   string  // of the model; empty: the one that the model names
	Gather    bool    // the model knows what the other trips tell of the roads
}

// RecoveryOptions are those options that say how trips are recovered.
type RecoveryOptions struct {
	Method, Device, Decoder string
	City                    string `json:",omitempty"` // folder of a system of one network
	Tick                    int    // seconds
	Gather                  bool
}

// Recovering are the options that say how trips are recovered.
func (o Options) Recovering() RecoveryOptions {
	return RecoveryOptions{Method: o.Method, City: o.City, Device: o.Device, Decoder: o.Decoder, Tick: o.Tick, Gather: o.Gather}
}

// DefaultOptions is what the window starts with.
func DefaultOptions() Options {
	return Options{Theme: "system", TextScale: 1, Tick: 15, Zone: true, Method: MethodAuto, Device: string(device.Auto)}
}

// Options is what the user has set.
func (m *Model) Options() Options { return m.settings }

// SetOptions sets what the user chose.
func (m *Model) SetOptions(o Options) {
	if o != m.settings {
		if now := m.settings.Recovering(); now != o.Recovering() {
			m.holdOptions(now)
		}
		m.settings = o
		m.touch(Settings)
	}
}

// holdOptions has the step that is recorded hold how trips were recovered.
func (m *Model) holdOptions(now RecoveryOptions) {
	if s := m.history.recording; s != nil && s.Options == nil {
		s.Options = &now
		m.noteStep(s)
	}
}

func (m *Model) setRecovering(r RecoveryOptions) {
	o := m.settings
	o.Method, o.Device, o.Decoder, o.City, o.Tick, o.Gather = r.Method, r.Device, r.Decoder, r.City, r.Tick, r.Gather
	m.SetOptions(o)
}

// Problem is something that import, reading or recovery left out or mended.
type Problem struct {
	Source string // "import", "reading", "recovery"
	File   string
	Line   int    // from 1; 0: not a matter of one line
	Object string // e.g. "way 123"
	Rule   string // of cleaning, that did it; empty: none
	What   string
	Count  int64          // how often; 1 where once
	Kept   bool           // taken all the same
	At     *roadnet.Point // where to look at it, nil where nowhere
}

// maxProblems bounds what the table holds; a hostile file has millions.
const maxProblems = 20000

// Problems lists what was found, the latest last.
func (m *Model) Problems() []Problem { return m.problems }

// AddProblems adds to what was found.
func (m *Model) AddProblems(p []Problem) {
	room := max(maxProblems-len(m.problems), 0)
	m.problems = append(m.problems, p[:min(len(p), room)]...)
	m.touch(Problems)
}

// SetImport puts what the import of the network that is shown has found in the place
// of what that of another one had.
func (m *Model) SetImport(p []Problem) {
	m.problems = slices.DeleteFunc(slices.Clone(m.problems), func(x Problem) bool { return x.Source == ImportSource })
	m.problems = append(slices.Clone(p), m.problems...)
	m.touch(Problems)
}

// ImportSource is the source of problems that an import found.
const ImportSource = "import"

// ClearProblems forgets what was found.
func (m *Model) ClearProblems() {
	m.problems = nil
	m.touch(Problems)
}

// Level says how much a notice matters.
type Level uint8

// The levels.
const (
	Info Level = iota
	Warn
	Fault
)

// Notice is a message that needs no answer.
type Notice struct {
	ID     int
	Level  Level
	Text   string
	Detail string // more of it, e.g. a report; empty: nothing more
	Offer  *Offer // something that the user may do about it; nil: nothing
}

// Offer is something that a message offers to do.
type Offer struct {
	Name string
	Run  func()
	Due  func() bool // whether there is still something to do; nil: always
}

// maxNotices bounds how many messages stand at once.
const maxNotices = 4

// Notices lists the messages, the latest last.
func (m *Model) Notices() []Notice { return m.notices }

// Notify shows a message and returns its number.
func (m *Model) Notify(level Level, text, detail string) int {
	return m.NotifyOffer(level, text, detail, nil)
}

// NotifyOffer shows a message that offers to do something; offer may be nil.
func (m *Model) NotifyOffer(level Level, text, detail string, offer *Offer) int {
	m.notice++
	m.notices = append(m.notices, Notice{ID: m.notice, Level: level, Text: text, Detail: detail, Offer: offer})
	if n := len(m.notices); n > maxNotices {
		m.notices = m.notices[n-maxNotices:]
	}
	m.touch(Notices)
	return m.notice
}

// endOffers takes offers away that have nothing to do any more, and messages that
// stood for them alone.
func (m *Model) endOffers() {
	kept := make([]Notice, 0, len(m.notices))
	ended := false
	for _, n := range m.notices {
		over := n.Offer != nil && n.Offer.Due != nil && !n.Offer.Due()
		ended = ended || over
		if over && n.Level == Info {
			continue
		}
		if over {
			n.Offer = nil
		}
		kept = append(kept, n)
	}
	if ended {
		m.notices = kept
		m.touch(Notices)
	}
}

// Dismiss takes a message away.
func (m *Model) Dismiss(id int) {
	for i, n := range m.notices {
		if n.ID == id {
			m.notices = append(m.notices[:i:i], m.notices[i+1:]...)
			m.touch(Notices)
			return
		}
	}
}
