package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"retrace/ui/kit"
	"retrace/ui/state"
	"retrace/ui/status"
	"retrace/ui/strip"
)

// What the panels may shrink and grow to, in pixels at text size 1: they grow with it.
const (
	minLeft, maxLeft   = 170, 420
	minRight, maxRight = 220, 520
	minDock            = 96
	minMap             = 220 // width and height that the map keeps
)

// shell lays the panels around the map, with dividers that can be dragged.
type shell struct {
	m                             *state.Model
	left, right, strip, dock      fyne.CanvasObject
	mapStack, bar                 fyne.CanvasObject
	preview                       fyne.CanvasObject // of a drop, in place of strip and dock
	previewing                    bool
	leftLine, rightLine, dockLine *kit.Divider
	stripRule                     *kit.Fill
	leftHandle, rightHandle       fyne.CanvasObject // open folded panels
	box                           *fyne.Container
}

func newShell(m *state.Model) *shell {
	s := &shell{m: m, stripRule: kit.NewRule()}
	s.leftLine = kit.NewDivider(true, func(d float32) {
		s.resize(func(p *state.PanelSet) { p.LeftWidth = within(p.LeftWidth+d/kit.Scale(), minLeft, maxLeft) })
	})
	s.rightLine = kit.NewDivider(true, func(d float32) {
		s.resize(func(p *state.PanelSet) { p.RightWidth = within(p.RightWidth-d/kit.Scale(), minRight, maxRight) })
	})
	s.dockLine = kit.NewDivider(false, func(d float32) {
		s.resize(func(p *state.PanelSet) { p.DockHeight = max(p.DockHeight-d/kit.Scale(), minDock) })
	})
	return s
}

func within(v, low, high float32) float32 { return min(max(v, low), high) }

func (s *shell) resize(f func(*state.PanelSet)) {
	p := s.m.PanelSet()
	f(&p)
	s.m.SetPanels(p)
}

// object is the laid-out window; panels are set before.
func (s *shell) object() *fyne.Container {
	s.box = container.New(s, s.mapStack, s.left, s.right, s.stripRule, s.strip, s.dock, s.preview, s.bar,
		s.leftHandle, s.rightHandle, s.leftLine, s.rightLine, s.dockLine)
	s.m.Watch(state.Panels, func() { s.box.Refresh() })
	return s.box
}

// MinSize implements fyne.Layout: small enough for any screen, so that panels
// and not the window give way.
func (s *shell) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(640, 420) }

// Layout implements fyne.Layout.
func (s *shell) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := s.m.PanelSet()
	barHeight := max(s.bar.MinSize().Height, status.Height)
	bottom := size.Height - barHeight
	place(s.bar, 0, bottom, size.Width, barHeight)
	bottom = s.layoutPreview(size, bottom)
	bottom = s.layoutDock(p, size, bottom)
	bottom = s.layoutStrip(p, size, bottom)
	left, right := s.widths(p, size.Width)
	show(s.left, left > 0)
	show(s.leftLine, left > 0)
	show(s.leftHandle, left == 0)
	place(s.left, 0, 0, left, bottom)
	place(s.leftLine, left-kit.DividerWidth/2-1, 0, kit.DividerWidth, bottom)
	show(s.right, right > 0)
	show(s.rightLine, right > 0)
	show(s.rightHandle, right == 0)
	place(s.right, size.Width-right, 0, right, bottom)
	place(s.rightLine, size.Width-right-kit.DividerWidth/2, 0, kit.DividerWidth, bottom)
	place(s.mapStack, left, 0, size.Width-left-right, bottom)
	handle := s.leftHandle.MinSize()
	place(s.leftHandle, 8, 8, handle.Width, handle.Height)
	place(s.rightHandle, size.Width-handle.Width-52, 8, handle.Width, handle.Height)
}

// widths are the widths of the panels at the sides; on a narrow window they
// give way so that the map stays usable.
func (s *shell) widths(p state.PanelSet, total float32) (left, right float32) {
	if p.Open[state.LeftPanel] {
		left = p.LeftWidth * kit.Scale()
	}
	if p.Open[state.InspectorPanel] {
		right = p.RightWidth * kit.Scale()
	}
	if over := left + right - (total - minMap); over > 0 && left+right > 0 {
		share := over / (left + right)
		left, right = left*(1-share), right*(1-share)
	}
	return left, right
}

// The preview's share of the window's height, and what it needs and takes at
// the most, in pixels.
const (
	previewShare = 0.5
	minPreview   = 300
	maxPreview   = 470
)

func (s *shell) layoutPreview(size fyne.Size, bottom float32) float32 {
	show(s.preview, s.previewing)
	if !s.previewing {
		return bottom
	}
	height := within(size.Height*previewShare, minPreview, maxPreview*kit.Scale())
	place(s.preview, 0, bottom-height, size.Width, height)
	return bottom - height
}

// showPreview shows the preview of a drop in place of strip and dock.
func (s *shell) showPreview(on bool) {
	if s.previewing != on {
		s.previewing = on
		s.box.Refresh()
	}
}

func (s *shell) layoutDock(p state.PanelSet, size fyne.Size, bottom float32) float32 {
	open := p.Open[state.DockPanel] && !s.previewing
	show(s.dock, open)
	show(s.dockLine, open)
	if !open {
		return bottom
	}
	height := min(p.DockHeight*kit.Scale(), max(size.Height-minMap-strip.Height()-status.Height*kit.Scale(), minDock))
	place(s.dock, 0, bottom-height, size.Width, height)
	place(s.dockLine, 0, bottom-height-kit.DividerWidth/2, size.Width, kit.DividerWidth)
	return bottom - height
}

func (s *shell) layoutStrip(p state.PanelSet, size fyne.Size, bottom float32) float32 {
	open := p.Open[state.StripPanel] && !s.previewing
	show(s.strip, open)
	show(s.stripRule, open)
	if !open {
		return bottom
	}
	place(s.strip, 0, bottom-strip.Height(), size.Width, strip.Height())
	place(s.stripRule, 0, bottom-strip.Height(), size.Width, 1)
	return bottom - strip.Height()
}

func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}

func show(o fyne.CanvasObject, visible bool) {
	if visible == o.Visible() {
		return
	}
	if visible {
		o.Show()
	} else {
		o.Hide()
	}
}

// leftColumn lays the layers above the trips; where the window is low the
// layers give way, for they scroll.
type leftColumn struct{}

const layersShare = 0.55 // of the height that the layers take at the most

func (leftColumn) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	layers, trips := objects[0], objects[1]
	h := min(layers.MinSize().Height, size.Height*layersShare)
	place(layers, 0, 0, size.Width, h)
	place(trips, 0, h, size.Width, size.Height-h)
}

func (leftColumn) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
