package kit

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"

	"retrace/ui/look"
)

// secondClick is how soon a click on the same row counts as the second of two.
const secondClick = 400 * time.Millisecond

// place binds the slots to the rows in view and moves them there.
func (f *rowField) place() {
	h, n := f.rows.Height(), f.rows.Count()
	top, view := f.rows.scroll.Offset.Y, f.rows.scroll.Size().Height
	first := max(int(top/h), 0)
	last := min(int((top+view)/h), n-1)
	used := max(last-first+1, 0)
	for len(f.slots) < used {
		f.addSlot()
	}
	width := f.rows.scroll.Size().Width
	for i, slot := range f.slots {
		if i >= used {
			slot.Hide()
			continue
		}
		index := first + i
		slot.row.Bind(index)
		slot.back.SetColour(f.ground(index))
		slot.ring.Hidden = !f.focused || index != f.rows.cursor
		slot.Resize(fyne.NewSize(width, h))
		slot.Move(fyne.NewPos(0, float32(index)*h))
		slot.Show()
	}
}

func (f *rowField) addSlot() {
	slot := &rowSlot{back: NewFill(look.Surface), rule: NewRule(), ring: newRing(), row: f.rows.New()}
	rule := NewBorder(nil, slot.rule, nil, nil)
	slot.Container = container.NewStack(slot.back, rule, slot.row, slot.ring)
	f.slots = append(f.slots, slot)
	f.holder.Add(slot.Container)
}

// ground is the colour behind a row.
func (f *rowField) ground(index int) fyne.ThemeColorName {
	switch {
	case f.rows.Selected != nil && f.rows.Selected(index):
		return look.Selected
	case index == f.hovered:
		return look.Hovered
	}
	return look.Surface
}

func (f *rowField) at(y float32) int {
	i := int(y / f.rows.Height())
	if y < 0 || i >= f.rows.Count() {
		return -1
	}
	return i
}

// Tapped implements fyne.Tappable.
func (f *rowField) Tapped(e *fyne.PointEvent) {
	if c := CanvasOf(f); c != nil {
		c.Focus(f)
	}
	index := f.at(e.Position.Y)
	if index < 0 {
		return
	}
	second := index == f.lastRow && time.Since(f.lastTap) < secondClick
	f.lastRow, f.lastTap = index, time.Now()
	if second && f.rows.OnOpen != nil {
		f.rows.OnOpen(index)
		return
	}
	f.rows.pick(Picked{
		Index:  index,
		Toggle: f.modifier&(fyne.KeyModifierControl|fyne.KeyModifierSuper) != 0,
		Extend: f.modifier&fyne.KeyModifierShift != 0,
	})
}

// TappedSecondary implements fyne.SecondaryTappable.
func (f *rowField) TappedSecondary(e *fyne.PointEvent) {
	if i := f.at(e.Position.Y); i >= 0 && f.rows.OnMenu != nil {
		f.rows.OnMenu(i, e.AbsolutePosition)
	}
}

// MouseDown implements desktop.Mouseable.
func (f *rowField) MouseDown(e *desktop.MouseEvent) { f.modifier = e.Modifier }

// MouseUp implements desktop.Mouseable.
func (f *rowField) MouseUp(*desktop.MouseEvent) {}

// MouseIn implements desktop.Hoverable.
func (f *rowField) MouseIn(e *desktop.MouseEvent) { f.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (f *rowField) MouseMoved(e *desktop.MouseEvent) {
	index := f.at(e.Position.Y)
	f.hover(index)
	if f.rows.Tip == nil {
		return
	}
	if tip := f.rows.Tip(index, e.Position.X); index >= 0 && tip != "" {
		ShowTipAt(f, tip, e.AbsolutePosition.AddXY(12, 16))
	} else {
		HideTip(f)
	}
}

// MouseOut implements desktop.Hoverable.
func (f *rowField) MouseOut() {
	f.hover(-1)
	HideTip(f)
}

func (f *rowField) hover(index int) {
	if index == f.hovered {
		return
	}
	f.hovered = index
	f.place()
	if f.rows.OnHover != nil {
		f.rows.OnHover(index)
	}
}

// FocusGained implements fyne.Focusable: some row shows that it has the keys.
func (f *rowField) FocusGained() {
	f.focused = true
	if f.rows.cursor < 0 && f.rows.Count() > 0 {
		f.rows.cursor = min(int(f.rows.scroll.Offset.Y/f.rows.Height()), f.rows.Count()-1)
	}
	f.place()
}

// FocusLost implements fyne.Focusable.
func (f *rowField) FocusLost() { f.focused, f.shift = false, false; f.place() }

// KeyDown implements desktop.Keyable: fyne does not say with a key whether Shift
// is held down.
func (f *rowField) KeyDown(e *fyne.KeyEvent) { f.shift = f.shift || isShift(e.Name) }

// KeyUp implements desktop.Keyable.
func (f *rowField) KeyUp(e *fyne.KeyEvent) { f.shift = f.shift && !isShift(e.Name) }

func isShift(k fyne.KeyName) bool { return k == desktop.KeyShiftLeft || k == desktop.KeyShiftRight }

// TypedRune implements fyne.Focusable: letters are the window's keys.
func (f *rowField) TypedRune(r rune) { forwardRune(f, r) }

// TypedKey implements fyne.Focusable.
func (f *rowField) TypedKey(e *fyne.KeyEvent) {
	if (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && f.rows.OnOpen != nil && f.rows.cursor >= 0 {
		f.rows.OnOpen(f.rows.cursor)
		return
	}
	if !f.rows.move(e.Name, f.shift) {
		forwardKey(f, e)
	}
}
