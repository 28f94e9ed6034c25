package ui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/test"

	"retrace/mapview/render"
	"retrace/ui/state"
)

// user does things at random on the real widgets: clicks, keys, drags, drops.
type user struct {
	*stage
	rand  *rand.Rand
	files []string
	done  []string // the latest actions, to be told where something breaks
}

// TestRandomActions does whatever comes for twenty seconds and checks after each action
// that the window is whole. RETRACE_RANDOM=1h goes on for longer; make random
// takes another seed each time, or that of a run that failed: TIME=1h SEED=7.
func TestRandomActions(t *testing.T) {
	long, err := time.ParseDuration(setting("RETRACE_RANDOM", "20s"))
	if err != nil {
		t.Fatalf("RETRACE_RANDOM: %v", err)
	}
	seed, err := strconv.ParseUint(setting("RETRACE_SEED", "1"), 10, 64)
	if err != nil {
		t.Fatalf("RETRACE_SEED: %v", err)
	}
	if testing.Short() {
		long = 2 * time.Second
	}
	u := newUser(t, t.TempDir(), seed)
	n := 0
	for end := time.Now().Add(long); time.Now().Before(end) && !t.Failed(); n++ {
		u.act()
	}
	t.Logf("RETRACE_SEED=%d: %d actions", seed, n)
	u.opensAsLeft()
}

func setting(name, otherwise string) string {
	if text := os.Getenv(name); text != "" {
		return text
	}
	return otherwise
}

func newUser(t *testing.T, dir string, seed uint64) *user {
	t.Helper()
	t.Setenv("HOME", dir) // where files are saved by chance
	extract, trips := townExtract(t, dir), townTrips(t, dir, 12)
	s := openStage(t, filepath.Join(dir, "w.retrace"), 1200, 800, 1, extract, trips)
	s.until("the trips are read", func() bool { return len(s.m.Trips()) == 12 })
	s.idle()
	s.actions.Do("recoverall")
	s.idle()
	s.desk.Preview = s.preview
	u := &user{stage: s, rand: rand.New(rand.NewPCG(seed, 1)), files: []string{extract, trips}}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("RETRACE_SEED=%d; the last actions:\n%s", seed, strings.Join(u.done, "\n"))
		}
	})
	return u
}

// note tells what is about to be done.
func (u *user) note(format string, args ...any) {
	u.done = append(u.done, fmt.Sprintf(format, args...))
	u.done = u.done[max(len(u.done)-60, 0):]
}

// act does one thing, lets the window do what comes of it, and checks it.
func (u *user) act() {
	defer func() {
		if p := recover(); p != nil {
			u.t.Fatalf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if u.top() != nil && u.rand.IntN(4) == 0 {
		u.note("leave the dialog")
		u.typed(fyne.KeyEscape)
	}
	acts := []struct {
		weight int
		act    func()
	}{{24, u.tapWidget}, {14, u.tapAnywhere}, {20, u.typeKey}, {14, u.typeLetter}, {12, u.doAction}, {5, u.drag}, {4, u.wheel},
		{3, u.resizeWindow}, {2, u.dropFiles}, {6, u.selectItem}, {3, u.change}, {2, u.playOn}, {2, u.capture}}
	total := 0
	for _, a := range acts {
		total += a.weight
	}
	pick := u.rand.IntN(total)
	for _, a := range acts {
		if pick -= a.weight; pick < 0 {
			a.act()
			break
		}
	}
	u.settle()
	u.check()
}

// settle lets the window take what goroutines have made: all of it, or only what
// is there already.
func (u *user) settle() {
	if _, files := u.dialog.(*dialog.FileDialog); files && u.top() != nil {
		u.note("leave the dialog of files")
		u.dismiss(u.top())
	}
	if u.rand.IntN(3) > 0 {
		u.idle()
	}
	for {
		select {
		case f := <-u.queue:
			f()
		default:
			return
		}
	}
}

func (u *user) top() fyne.CanvasObject { return u.win.Canvas().Overlays().Top() }

// anywhere is a place in the window.
func (u *user) anywhere() fyne.Position {
	size := u.win.Canvas().Size()
	return fyne.NewPos(u.rand.Float32()*size.Width, u.rand.Float32()*size.Height)
}

// tapWidget taps one of the widgets that can be seen.
func (u *user) tapWidget() {
	var root fyne.CanvasObject = u.root
	if top := u.top(); top != nil {
		root = top
	}
	var all []fyne.CanvasObject
	for _, o := range test.LaidOutObjects(root) {
		if _, ok := o.(fyne.Tappable); ok {
			all = append(all, o)
		}
	}
	if len(all) == 0 {
		return
	}
	o := all[u.rand.IntN(len(all))]
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(u.rand.Float32()*o.Size().Width, u.rand.Float32()*o.Size().Height)
	u.note("tap %T at %v", o, at)
	test.TapCanvas(u.win.Canvas(), at)
}

func (u *user) tapAnywhere() {
	at := u.anywhere()
	test.MoveMouse(u.win.Canvas(), at)
	u.note("tap at %v", at)
	test.TapCanvas(u.win.Canvas(), at)
	if u.rand.IntN(4) == 0 {
		u.note("tap again")
		test.TapCanvas(u.win.Canvas(), at)
	}
}

func (u *user) typeKey() {
	names := []fyne.KeyName{fyne.KeyEscape, fyne.KeyReturn, fyne.KeySpace, fyne.KeyUp, fyne.KeyDown, fyne.KeyLeft, fyne.KeyRight, fyne.KeyTab,
		fyne.KeyHome, fyne.KeyEnd, fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyDelete, fyne.KeyBackspace, fyne.KeyF1, fyne.KeyF10}
	name := names[u.rand.IntN(len(names))]
	u.note("key %s", name)
	if name == fyne.KeyTab {
		u.win.Canvas().FocusNext()
		return
	}
	u.typed(name)
}

func (u *user) typeLetter() {
	letters := []rune("abcdefghilmnoprstxz[]?+-0123<=>. ")
	r := letters[u.rand.IntN(len(letters))]
	u.note("letter %q", r)
	if f := u.win.Canvas().Focused(); f != nil {
		f.TypedRune(r)
		return
	}
	u.press(r)
}

// doAction does something by its key with Ctrl, or by the menu.
func (u *user) doAction() {
	a := u.actions[u.rand.IntN(len(u.actions))]
	if a.ID == "quit" {
		return
	}
	u.note("action %s", a.ID)
	u.perform(a.ID)
}

func (u *user) drag() {
	at, by := u.anywhere(), u.anywhere()
	u.note("drag from %v to %v", at, by)
	test.Drag(u.win.Canvas(), at, by.X-at.X, by.Y-at.Y)
}

func (u *user) wheel() {
	at, by := u.anywhere(), u.rand.Float32()*400-200
	u.note("wheel at %v by %v", at, by)
	test.Scroll(u.win.Canvas(), at, 0, by)
}

func (u *user) resizeWindow() {
	size := fyne.NewSize(640+u.rand.Float32()*1200, 420+u.rand.Float32()*700)
	u.note("resize to %v", size)
	u.win.Resize(size)
}

func (u *user) dropFiles() {
	if u.previewing() || len(u.m.Trips()) > 30 {
		return
	}
	file := u.files[u.rand.IntN(len(u.files))]
	u.note("drop %s", filepath.Base(file))
	u.stage.drop(file)
}

// selectItem selects what another trip, or nothing, has.
func (u *user) selectItem() {
	trips := u.m.Trips()
	if len(trips) == 0 || u.rand.IntN(5) == 0 {
		u.note("select nothing")
		u.onSelect(render.Item{})
		return
	}
	t := trips[u.rand.IntN(len(trips))]
	item := render.Item{Kind: render.SampleItem, Trip: t.ID(), Index: u.rand.IntN(len(t.Trajectory().Samples))}
	if r := t.Shown(); r != nil && len(r.Ticks) > 0 && u.rand.IntN(2) == 0 {
		item.Kind, item.Index = render.TickItem, u.rand.IntN(len(r.Ticks))
	}
	u.note("select %+v", item)
	u.onSelect(item)
}

// change sets something that the whole window depends on.
func (u *user) change() {
	switch u.rand.IntN(3) {
	case 0:
		o := u.m.Options()
		o.TextScale = []float32{0.9, 1, 1.15, 1.3, 1.5}[u.rand.IntN(5)]
		u.note("text at %v", o.TextScale)
		u.desk.SetOptions(o)
	case 1:
		tab := state.Tab(u.rand.IntN(state.NumTabs))
		u.note("tab %d", tab)
		u.m.ShowTab(tab)
	default:
		by := render.ColourBy(u.rand.IntN(5))
		u.note("colour by %d", by)
		u.m.SetColourBy(by)
	}
}

func (u *user) playOn() {
	u.note("play on")
	u.m.Advance(time.Duration(u.rand.IntN(5000)) * time.Millisecond)
}

func (u *user) capture() {
	u.note("draw")
	u.win.Canvas().Capture()
}

// check says what is wrong with the window.
func (u *user) check() {
	u.checkState()
	u.checkKeys()
	u.checkTables()
}

// checkState has what is selected, marked and shown be there.
func (u *user) checkState() {
	m := u.m
	if t := m.Current(); t != nil && m.Trip(t.ID()) != t {
		u.t.Errorf("the current trip %s is not there", t.ID())
	}
	if item := m.Selected(); item.Trip != "" {
		t := m.Trip(item.Trip)
		if t == nil {
			u.t.Errorf("selected is %+v of a trip that is not there", item)
		} else if item.Kind == render.SampleItem && item.Index >= len(t.Trajectory().Samples) {
			u.t.Errorf("selected is %+v of %d points", item, len(t.Trajectory().Samples))
		}
	}
	if solo := m.Solo(); solo != "" && m.Trip(solo) == nil {
		u.t.Errorf("%s is shown alone and not there", solo)
	}
	seen := map[string]bool{}
	for _, t := range m.Trips() {
		if seen[t.ID()] || m.Trip(t.ID()) != t {
			u.t.Errorf("trip %s is listed twice, or not known by its id", t.ID())
		}
		seen[t.ID()] = true
		if t.Status == state.Queued && len(u.tasks.Running()) == 0 {
			u.t.Errorf("trip %s waits for a recovery that is not under way", t.ID())
		}
	}
	if c := m.Count(); c.Recovered+c.Outside+c.Failed+c.Pending != c.All || c.All != len(m.Trips()) {
		u.t.Errorf("%+v of %d trips", c, len(m.Trips()))
	}
}

// checkKeys has the keys be with something that can be seen.
func (u *user) checkKeys() {
	if f := u.win.Canvas().Focused(); f != nil && !u.canBeSeen(f.(fyne.CanvasObject)) {
		u.t.Errorf("the keys are with a %T that cannot be seen", f)
	}
}

// checkTables has each table that is shown have rows that can be read.
func (u *user) checkTables() {
	for tab := range state.Tab(state.NumTabs) {
		table := u.dock.Table(tab)
		for row := range min(table.List.Count(), 5) {
			for c := range table.Columns {
				table.Cell(row, c)
			}
			table.List.Selected(row)
		}
	}
}

// opensAsLeft closes the window, opens the workspace again and compares.
func (u *user) opensAsLeft() {
	for u.previewing() {
		u.previews.panel.Decide(false)
	}
	u.idle()
	kept := u.desk.Kept() && !u.desk.Sample()
	before := u.said()
	u.end()
	if !kept || u.t.Failed() {
		return
	}
	again := &user{stage: openStage(u.t, u.path, 1200, 800, 1, "none")}
	again.idle()
	if after := again.said(); after != before {
		u.t.Errorf("left with\n%s\nopened with\n%s", before, after)
	}
}

// said says in a text what is kept of the trips.
func (u *user) said() string {
	var b strings.Builder
	for _, t := range u.m.Trips() {
		fmt.Fprintf(&b, "%s %q hidden %t, %d pins, %d checked, recovered %t\n", t.ID(), t.Title(), t.Hidden, len(t.Pins), len(t.Checked), t.Recovery() != nil)
	}
	return b.String()
}
