package dock

import (
	"image"
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/kit"
	"retrace/ui/look"
	"retrace/ui/words"
)

// hourChart shows the counts of a day by hour: one direction upwards, the other
// downwards.
type hourChart struct {
	widget.BaseWidget
	hours [24][2]int
	ways  [2]string
}

func newHourChart() *hourChart {
	c := &hourChart{}
	c.ExtendBaseWidget(c)
	return c
}

func (c *hourChart) set(hours [24][2]int, ways [2]string) {
	c.hours, c.ways = hours, ways
	c.Refresh()
}

func (c *hourChart) most() int {
	most := 1
	for _, h := range c.hours {
		most = max(most, h[0], h[1])
	}
	return most
}

// MouseIn implements desktop.Hoverable.
func (c *hourChart) MouseIn(e *desktop.MouseEvent) { c.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (c *hourChart) MouseMoved(e *desktop.MouseEvent) {
	h := int((e.Position.X - chartLeft) / (c.Size().Width - chartLeft) * 24)
	if e.Position.X < chartLeft || h < 0 || h > 23 {
		kit.HideTip(c)
		return
	}
	kit.ShowTipAt(c, hourText(h)+": "+c.ways[0]+" "+words.Count(c.hours[h][0])+", "+c.ways[1]+" "+words.Count(c.hours[h][1]),
		e.AbsolutePosition.AddXY(12, 16))
}

// MouseOut implements desktop.Hoverable.
func (c *hourChart) MouseOut() { kit.HideTip(c) }

// CreateRenderer implements fyne.Widget.
func (c *hourChart) CreateRenderer() fyne.WidgetRenderer {
	r := &hourChartRenderer{c: c}
	r.raster = canvas.NewRaster(r.draw)
	for range 5 {
		r.ticks = append(r.ticks, canvas.NewText("", color.Transparent))
	}
	r.ways = [2]*canvas.Text{canvas.NewText("", color.Transparent), canvas.NewText("", color.Transparent)}
	r.restyle()
	return kit.Laid(r, c.Size())
}

type hourChartRenderer struct {
	c      *hourChart
	raster *canvas.Raster
	ticks  []*canvas.Text
	ways   [2]*canvas.Text
}

const chartLeft = 110 // for the words of the directions

func (r *hourChartRenderer) restyle() {
	for i, t := range r.ticks {
		t.Text = strconv.Itoa(i * 6)
		t.Color = theme.ColorForWidget(look.Muted, r.c)
		t.TextSize = theme.SizeForWidget(look.SizeSmall, r.c) - 1
	}
	for i, w := range r.ways {
		w.TextSize = theme.SizeForWidget(look.SizeSmall, r.c)
		w.TextStyle.Bold = true
		w.Text = kit.Cut(r.c.ways[i], chartLeft-8, w.TextSize, w.TextStyle)
		if fyne.MeasureText(r.c.ways[i], w.TextSize, w.TextStyle).Width <= chartLeft-8 {
			w.Text = r.c.ways[i]
		}
		w.Color = theme.ColorForWidget([...]fyne.ThemeColorName{look.Accent, look.Warning}[i], r.c)
	}
}

func (r *hourChartRenderer) draw(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	paint := func(x0, y0, x1, y1 float64, name fyne.ThemeColorName) {
		c := color.NRGBAModel.Convert(theme.ColorForWidget(name, r.c)).(color.NRGBA)
		for y := int(y0 + 0.5); y < int(y1+0.5); y++ {
			for x := int(x0 + 0.5); x < int(x1+0.5); x++ {
				img.SetNRGBA(x, y, c)
			}
		}
	}
	middle, step := float64(h)/2, float64(w)/24
	most := float64(r.c.most())
	for i, hour := range r.c.hours {
		x0, x1 := float64(i)*step+1, float64(i+1)*step-1
		paint(x0, middle-float64(hour[0])/most*(middle-1), x1, middle, look.Path)
		paint(x0, middle, x1, middle+float64(hour[1])/most*(middle-1), look.Alternative)
	}
	paint(0, middle, float64(w), middle+max(float64(h)/100, 1), look.Edge)
	return img
}

func (r *hourChartRenderer) Layout(size fyne.Size) {
	label := r.ticks[0].MinSize().Height
	plot := fyne.NewSize(size.Width-chartLeft, size.Height-label)
	r.raster.Move(fyne.NewPos(chartLeft, 0))
	r.raster.Resize(plot)
	for i, t := range r.ticks {
		m := t.MinSize()
		x := chartLeft + plot.Width*float32(i)/4 - m.Width/2
		t.Move(fyne.NewPos(min(x, size.Width-m.Width), plot.Height))
		t.Resize(m)
	}
	for i, w := range r.ways {
		m := w.MinSize()
		w.Move(fyne.NewPos(0, plot.Height*(0.25+0.5*float32(i))-m.Height/2))
		w.Resize(m)
	}
}

func (r *hourChartRenderer) MinSize() fyne.Size { return fyne.NewSize(chartLeft+120, 50) }

func (r *hourChartRenderer) Refresh() {
	r.restyle()
	r.Layout(r.c.Size())
	for _, o := range r.Objects() {
		canvas.Refresh(o)
	}
}

func (r *hourChartRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.raster, r.ticks[0], r.ticks[1], r.ticks[2], r.ticks[3], r.ticks[4], r.ways[0], r.ways[1]}
}

func (r *hourChartRenderer) Destroy() {}
