// Package state is what the window shows, apart from its widgets: the network,
// the trips, what is selected, shown, sorted, played and undone. Panels read it
// and hear of changes; commands change it. Nothing here knows of a window, and
// everything belongs on one goroutine, the window's.
package state

import (
	"time"

	"retrace/engine/basemap"
	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

// Topic is a part of the state that a panel may watch.
type Topic uint32

// The topics.
const (
	Network    Topic = 1 << iota // the network that is shown, and which there are
	Trips                        // the trips, their recoveries and whether they are shown
	Selection                    // what is selected, marked and hovered over
	Layers                       // what the map shows and its colours
	Time                         // the clock of playback
	Panels                       // which panels are open
	Problems                     // what import and reading found
	History                      // what can be undone and redone
	Tasks                        // work that runs beside
	Search                       // the search text of the trips list
	Settings                     // theme, text size and how trips are recovered
	Notices                      // messages
	Device                       // what recovers, and on what
	Flows                        // who drove where: what is counted, and what it is counted from
	Comparing                    // two recoveries of a trip side by side
	Everything Topic = 1<<iota - 1
)

// Model is the state of one window.
type Model struct {
	watchers []watcher
	depth    int
	dirty    Topic

	net      *roadnet.Network
	base     *basemap.Map
	networks []roadnet.Info
	ways     ways // of the network that they were wanted of last

	trips    []*Trip
	byID     map[string]*Trip
	revision int // counts changes to trips, for what is computed from them

	selected render.Item
	hovered  render.Item
	marked   map[string]bool
	marking  int    // counts changes to marked
	current  string // the trip that points, spans and the strip are of
	choices  int    // counts what the user shows and hides
	solo     string // the only trip shown; empty: all that are not hidden
	narrow   narrowing

	layers   render.Layers
	colourBy render.ColourBy
	search   string

	clock     Clock
	drawn     drawn
	fleet     *Fleet // of the trips as they were when it was asked for
	zone      *time.Location
	zoneName  string // of zone
	traffic   Traffic
	screen    flow.Screen
	panels    PanelSet
	settings  Options
	computing Computing
	problems  []Problem
	history   history
	notices   []Notice
	doubts    doubts
	unsaved   Unsaved

	comparison Comparison
	notice     int
}

type watcher struct {
	topics Topic
	f      func()
}

// New makes an empty state.
func New() *Model {
	return &Model{
		byID: map[string]*Trip{}, marked: map[string]bool{},
		layers: render.BasicLayers, panels: defaultPanels(), settings: DefaultOptions(),
		clock: Clock{Speed: 10}, doubts: doubts{built: -1},
	}
}

// Watch has f called after every change to one of the topics.
func (m *Model) Watch(topics Topic, f func()) {
	m.watchers = append(m.watchers, watcher{topics, f})
}

// Change runs f, which may change many things, and tells the watchers once.
func (m *Model) Change(f func()) {
	m.depth++
	f()
	m.depth--
	m.flush()
}

// touch notes that topics have changed and tells the watchers, unless a Change
// is under way.
func (m *Model) touch(topics Topic) {
	m.dirty |= topics
	m.flush()
}

func (m *Model) flush() {
	for m.depth == 0 && m.dirty != 0 {
		topics := m.dirty
		m.dirty = 0
		m.depth++ // what watchers change is told in the next round
		for _, w := range m.watchers {
			if w.topics&topics != 0 {
				w.f()
			}
		}
		m.depth--
	}
}

// Touch tells the watchers of topics that are kept elsewhere, as tasks are.
func (m *Model) Touch(topics Topic) { m.touch(topics) }

// Network is the network that is shown, nil where there is none.
func (m *Model) Network() *roadnet.Network { return m.net }

// Basemap is what is drawn behind the network; it may be nil.
func (m *Model) Basemap() *basemap.Map { return m.base }

// Networks lists what the workspace holds.
func (m *Model) Networks() []roadnet.Info { return m.networks }

// SetNetworks says what the workspace holds.
func (m *Model) SetNetworks(infos []roadnet.Info) {
	m.networks = infos
	m.touch(Network)
}

// SetNetwork shows another network. What is selected on the old one is not any
// more; trips stay.
func (m *Model) SetNetwork(net *roadnet.Network, base *basemap.Map) {
	m.Change(func() {
		m.net, m.base = net, base
		m.Select(render.Item{})
		for _, t := range m.trips {
			t.measure(net)
		}
		m.revision++
		m.touch(Network | Trips)
	})
}
