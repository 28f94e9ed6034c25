package dock

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/theme"

	"retrace/ui/kit"
	"retrace/ui/look"
)

// How wide the filter is at text size 1, in pixels: at the least, and how much
// more where there is room.
const (
	leastFilter = 130
	moreFilter  = 100
)

// centred lays an object in the middle of the height, as wide as there is room.
type centred struct{}

func (centred) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := objects[0].MinSize().Height
	objects[0].Move(fyne.NewPos(0, (size.Height-h)/2))
	objects[0].Resize(fyne.NewSize(size.Width, h))
}

func (centred) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// bar lays the tabs left and the tools right, whose filter gives way; where both
// do not fit even so, the tabs scroll.
type bar struct {
	row    fyne.CanvasObject
	filter *kit.SearchField
}

func (b bar) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	tabs, tools := objects[0], objects[1]
	least := tools.MinSize().Width
	most := least + moreFilter*theme.Size(theme.SizeNameText)/13
	w := min(max(min(size.Width-b.row.MinSize().Width-6, most), least), size.Width*0.6)
	hint := lang.L("Filter, e.g. risk > 0.3")
	if w < most {
		hint = lang.L("Filter")
	}
	if b.filter.PlaceHolder != hint {
		b.filter.SetPlaceHolder(hint)
	}
	tabs.Resize(fyne.NewSize(size.Width-w, size.Height))
	tools.Resize(fyne.NewSize(w, size.Height))
	tools.Move(fyne.NewPos(size.Width-w, 0))
}

func (bar) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, max(theme.Size(look.SizeHeader)+6, objects[1].MinSize().Height))
}
