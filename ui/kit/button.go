package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/look"
)

// Weight says how much a button asks for attention.
type Weight uint8

// The weights.
const (
	Quiet   Weight = iota // only its icon or text, a ground when hovered
	Normal                // a grey ground
	Primary               // the accent
)

// Button is a dense button with an icon, a text, or both. It answers to a tap,
// to Space and to Enter, and shows a tip when the pointer rests on it.
type Button struct {
	widget.BaseWidget
	Press
	label    string
	icon     string // name in assets
	tip      string
	weight   Weight
	on       bool // a switch that is on
	disabled bool
	run      func()
}

// NewButton is a button with a text and, where icon is not empty, an icon.
func NewButton(label, icon string, weight Weight, run func()) *Button {
	b := &Button{label: label, icon: icon, weight: weight, run: run}
	b.Init(b, func() { b.Tapped(nil) })
	b.ExtendBaseWidget(b)
	return b
}

// NewIconButton is a quiet button with an icon alone; tip says what it does.
func NewIconButton(icon, tip string, run func()) *Button {
	b := NewButton("", icon, Quiet, run)
	b.tip = tip
	return b
}

// SetTip sets what is shown when the pointer rests on the button.
func (b *Button) SetTip(tip string) { b.tip = tip }

// SetIcon shows another icon.
func (b *Button) SetIcon(icon string) {
	if icon != b.icon {
		b.icon = icon
		b.Refresh()
	}
}

// SetText shows another text.
func (b *Button) SetText(label string) {
	if label != b.label {
		b.label = label
		b.Refresh()
	}
}

// SetOn shows the button as a switch that is on or off.
func (b *Button) SetOn(on bool) {
	if on != b.on {
		b.on = on
		b.Refresh()
	}
}

// SetEnabled lets the button answer or not.
func (b *Button) SetEnabled(enabled bool) {
	if b.disabled == enabled {
		b.disabled = !enabled
		b.Refresh()
	}
}

// Enabled reports whether the button answers.
func (b *Button) Enabled() bool { return !b.disabled }

// Label is the text on the button, or its tip where it shows an icon alone.
func (b *Button) Label() string {
	if b.label != "" {
		return b.label
	}
	return b.tip
}

// Tapped implements fyne.Tappable.
func (b *Button) Tapped(*fyne.PointEvent) {
	if !b.disabled && b.run != nil {
		HideTip(b)
		b.run()
	}
}

// MouseIn implements desktop.Hoverable.
func (b *Button) MouseIn(*desktop.MouseEvent) {
	b.Press.MouseIn(nil)
	if b.tip != "" {
		ShowTip(b, b.tip)
	}
}

// MouseOut implements desktop.Hoverable.
func (b *Button) MouseOut() {
	b.Press.MouseOut()
	HideTip(b)
}

// CreateRenderer implements fyne.Widget.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	r := &buttonRenderer{b: b, ring: newFocusRing(), ground: canvas.NewRectangle(color.Transparent), text: canvas.NewText("", color.Transparent), icon: canvas.NewImageFromResource(nil)}
	r.icon.FillMode = canvas.ImageFillContain
	r.restyle()
	return Laid(r, b.Size())
}

type buttonRenderer struct {
	b      *Button
	ground *canvas.Rectangle
	text   *canvas.Text
	icon   *canvas.Image
	ring   ring
}

const buttonGap = 6

func (r *buttonRenderer) restyle() {
	ink, ground := r.b.colours()
	r.text.Text = r.b.label
	r.text.TextSize = theme.SizeForWidget(theme.SizeNameText, r.b)
	r.text.TextStyle.Bold = r.b.weight == Primary
	r.text.Color = theme.ColorForWidget(ink, r.b)
	if r.b.icon == "" {
		r.icon.Resource = nil
	} else {
		r.icon.Resource = look.IconIn(r.b.icon, ink)
	}
	r.ground.CornerRadius = theme.SizeForWidget(theme.SizeNameButtonRadius, r.b)
	r.ground.FillColor = color.Transparent
	if ground != "" {
		r.ground.FillColor = theme.ColorForWidget(ground, r.b)
	}
	edge := look.Accent
	if r.b.weight == Primary {
		edge = look.OnAccent // within the button, which is of the accent itself
	}
	r.ring.show(r.b, r.b.focused, edge)
}

// colours are the ink and the ground (empty: none) of the button as it stands.
func (b *Button) colours() (ink, ground fyne.ThemeColorName) {
	ink = look.Text
	switch {
	case b.disabled && b.weight == Quiet:
		return theme.ColorNameDisabled, ""
	case b.disabled:
		return theme.ColorNameDisabled, look.Control
	case b.weight == Primary:
		return look.OnAccent, look.Accent
	case b.weight == Normal && b.hovered:
		return ink, look.Track
	case b.weight == Normal:
		return ink, look.Control
	}
	if b.on {
		ink = look.Accent
	}
	if b.hovered {
		ground = look.Control
	}
	return ink, ground
}

func (r *buttonRenderer) iconSize() float32 {
	if r.b.icon == "" {
		return 0
	}
	return theme.SizeForWidget(theme.SizeNameInlineIcon, r.b)
}

// content is the width of icon and text together.
func (r *buttonRenderer) content() float32 {
	w := r.iconSize()
	if r.b.label != "" {
		if w > 0 {
			w += buttonGap
		}
		w += fyne.MeasureText(r.b.label, r.text.TextSize, r.text.TextStyle).Width
	}
	return w
}

// Layout lays icon and text in the middle; where both do not fit the icon goes,
// and then the end of the text.
func (r *buttonRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.ring.lay(size, map[bool]float32{true: 3}[r.b.weight == Primary])
	r.text.Text = r.b.label
	icon, room := r.iconSize(), size.Width-4
	width := r.content()
	if r.b.label != "" && width > room {
		icon, width = 0, r.text.MinSize().Width
		if width > room {
			r.text.Text = Cut(r.b.label, room, r.text.TextSize, r.text.TextStyle)
			width = r.text.MinSize().Width
		}
	}
	x := (size.Width - width) / 2
	r.icon.Hidden = icon == 0
	if icon > 0 {
		r.icon.Resize(fyne.NewSize(icon, icon))
		r.icon.Move(fyne.NewPos(x, (size.Height-icon)/2))
		x += icon + buttonGap
	}
	min := r.text.MinSize()
	r.text.Resize(min)
	r.text.Move(fyne.NewPos(x, (size.Height-min.Height)/2))
}

func (r *buttonRenderer) MinSize() fyne.Size {
	h := theme.SizeForWidget(theme.SizeNameText, r.b)*1.36 + 8
	if r.b.label == "" {
		return fyne.NewSize(r.iconSize()+8, h)
	}
	return fyne.NewSize(r.content()+20, h+4)
}

func (r *buttonRenderer) Refresh() {
	r.restyle()
	r.Layout(r.b.Size())
	r.ground.Refresh()
	r.text.Refresh()
	r.icon.Refresh()
	r.ring.Refresh()
}

func (r *buttonRenderer) Objects() []fyne.CanvasObject {
	objects := []fyne.CanvasObject{r.ground}
	if r.b.icon != "" {
		objects = append(objects, r.icon)
	}
	return append(objects, r.text, r.ring.Rectangle)
}

func (r *buttonRenderer) Destroy() {}
