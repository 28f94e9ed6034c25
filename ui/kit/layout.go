package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// NewPad lays o with free space around it, in pixels.
func NewPad(top, right, bottom, left float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(pad{top, right, bottom, left}, o)
}

type pad struct{ top, right, bottom, left float32 }

func (p pad) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(p.left, p.top))
		o.Resize(fyne.NewSize(size.Width-p.left-p.right, size.Height-p.top-p.bottom))
	}
}

func (p pad) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var min fyne.Size
	for _, o := range objects {
		min = min.Max(o.MinSize())
	}
	return min.Add(fyne.NewSize(p.left+p.right, p.top+p.bottom))
}

// NewColumn lays objects below one another, gap pixels apart, each as wide as
// the column and as high as it needs.
func NewColumn(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(column{gap}, objects...)
}

type column struct{ gap float32 }

func (c column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		h := o.MinSize().Height
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		y += h + c.gap
	}
}

func (c column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var min fyne.Size
	gap := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		m := o.MinSize()
		min.Width = max(min.Width, m.Width)
		min.Height += gap + m.Height
		gap = c.gap
	}
	return min
}

// NewLine lays objects beside one another, gap pixels apart, each as wide as it
// needs and centred in height; the one at index grow (negative: none) takes the
// width that is left.
func NewLine(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(line{gap, grow}, objects...)
}

type line struct {
	gap  float32
	grow int
}

func (l line) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	spare := size.Width - l.MinSize(objects).Width
	x := float32(0)
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		m := o.MinSize()
		if i == l.grow {
			m.Width += spare
			m.Height = size.Height
		}
		o.Move(fyne.NewPos(x, (size.Height-m.Height)/2))
		o.Resize(m)
		x += m.Width + l.gap
	}
}

func (l line) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var min fyne.Size
	gap := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		m := o.MinSize()
		min.Height = max(min.Height, m.Height)
		min.Width += gap + m.Width
		gap = l.gap
	}
	return min
}

// Scale is how much larger texts are than at text size 1: what belongs to a text grows
// with it.
func Scale() float32 { return theme.Size(theme.SizeNameText) / 13 }

// NewFixed gives o a fixed size where width or height is above zero: pixels at text
// size 1, which grow with it. What is a pixel thick stays so.
func NewFixed(width, height float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(fixed{width, height}, o)
}

type fixed struct{ width, height float32 }

func (f fixed) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

func (f fixed) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var min fyne.Size
	for _, o := range objects {
		min = min.Max(o.MinSize())
	}
	if f.width > 0 {
		min.Width = grown(f.width)
	}
	if f.height > 0 {
		min.Height = grown(f.height)
	}
	return min
}

func grown(size float32) float32 {
	if size <= 1 {
		return size
	}
	return size * Scale()
}

// NewBorder lays objects along the edges, each as thick as it needs, and the
// others in what is left; an edge may be nil. Unlike fyne's there is no gap.
func NewBorder(top, bottom, left, right fyne.CanvasObject, center ...fyne.CanvasObject) *fyne.Container {
	b := border{top, bottom, left, right, center}
	objects := append([]fyne.CanvasObject(nil), center...)
	for _, o := range []fyne.CanvasObject{top, bottom, left, right} {
		if o != nil {
			objects = append(objects, o)
		}
	}
	return container.New(b, objects...)
}

type border struct {
	top, bottom, left, right fyne.CanvasObject
	center                   []fyne.CanvasObject
}

// need is the minimum size of an edge; nothing where it is hidden.
func need(o fyne.CanvasObject) fyne.Size {
	if o == nil || !o.Visible() {
		return fyne.Size{}
	}
	return o.MinSize()
}

func put(o fyne.CanvasObject, x, y, w, h float32) {
	if o != nil {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(max(w, 0), max(h, 0)))
	}
}

func (b border) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	top, bottom := need(b.top).Height, need(b.bottom).Height
	left, right := need(b.left).Width, need(b.right).Width
	put(b.top, 0, 0, size.Width, top)
	put(b.bottom, 0, size.Height-bottom, size.Width, bottom)
	middle := size.Height - top - bottom
	put(b.left, 0, top, left, middle)
	put(b.right, size.Width-right, top, right, middle)
	for _, o := range b.center {
		put(o, left, top, size.Width-left-right, middle)
	}
}

func (b border) MinSize([]fyne.CanvasObject) fyne.Size {
	var center fyne.Size
	for _, o := range b.center {
		center = center.Max(need(o))
	}
	width := center.Width + need(b.left).Width + need(b.right).Width
	height := max(center.Height, need(b.left).Height, need(b.right).Height)
	return fyne.NewSize(max(width, need(b.top).Width, need(b.bottom).Width), height+need(b.top).Height+need(b.bottom).Height)
}
