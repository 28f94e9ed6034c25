package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The size of a plot and of its margins, pixels.
const (
	plotWidth, plotHeight   = 420, 260
	plotLeft, plotBottom    = 46, 36
	plotRight, plotTop      = 12, 26
	colourReal, colourModel = "#1f5fa8", "#d1661f"
)

// plot is an SVG in the making.
type plot struct {
	text                   strings.Builder
	minX, maxX, minY, maxY float64
}

func newPlot(title, xLabel string, minX, maxX, minY, maxY float64) *plot {
	p := &plot{minX: minX, maxX: maxX, minY: minY, maxY: maxY}
	fmt.Fprintf(&p.text, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`,
		plotWidth, plotHeight, plotWidth, plotHeight)
	fmt.Fprintf(&p.text, `<rect width="100%%" height="100%%" fill="white"/><text x="%d" y="16" font-size="12" font-weight="bold">%s</text>`, plotLeft, title)
	for _, x := range ticks(minX, maxX) {
		fmt.Fprintf(&p.text, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">%s</text>`,
			p.x(x), plotTop, p.x(x), plotHeight-plotBottom, p.x(x), plotHeight-plotBottom+14, tidy(x))
	}
	for _, y := range ticks(minY, maxY) {
		fmt.Fprintf(&p.text, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`,
			plotLeft, p.y(y), plotWidth-plotRight, p.y(y), plotLeft-4, p.y(y)+4, tidy(y))
	}
	fmt.Fprintf(&p.text, `<text x="%d" y="%d" text-anchor="middle">%s</text>`, (plotLeft+plotWidth-plotRight)/2, plotHeight-6, xLabel)
	return p
}

// ticks are round numbers from low to high, about five.
func ticks(low, high float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/5)))
	for _, k := range []float64{1, 2, 5, 10} {
		if (high-low)/(k*step) <= 6 {
			step *= k
			break
		}
	}
	var out []float64
	for x := math.Ceil(low/step) * step; x <= high+step/1000; x += step {
		out = append(out, x)
	}
	return out
}

func tidy(x float64) string { return fmt.Sprintf("%.4g", math.Round(x*1000)/1000) }

func (p *plot) x(v float64) float64 {
	return plotLeft + (v-p.minX)/(p.maxX-p.minX)*(plotWidth-plotLeft-plotRight)
}

func (p *plot) y(v float64) float64 {
	return plotHeight - plotBottom - (v-p.minY)/(p.maxY-p.minY)*(plotHeight-plotTop-plotBottom)
}

// line draws through points.
func (p *plot) line(colour string, xs, ys []float64) {
	fmt.Fprintf(&p.text, `<polyline fill="none" stroke="%s" stroke-width="1.8" points="`, colour)
	for i := range xs {
		fmt.Fprintf(&p.text, "%.1f,%.1f ", p.x(math.Max(p.minX, math.Min(p.maxX, xs[i]))), p.y(math.Max(p.minY, math.Min(p.maxY, ys[i]))))
	}
	p.text.WriteString(`"/>`)
}

// end closes the plot with a legend.
func (p *plot) end() string {
	for i, l := range [][2]string{{colourReal, "real"}, {colourModel, "simulated"}} {
		y := plotHeight - plotBottom - 26 + 14*i
		fmt.Fprintf(&p.text, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="3"/><text x="%d" y="%d">%s</text>`,
			plotWidth-98, y, plotWidth-78, y, l[0], plotWidth-72, y+4, l[1])
	}
	return p.text.String() + "</svg>\n"
}

// shares plots the share of a sample below each value.
func shares(title, xLabel string, real, model []float64) string {
	a, b := slices.Sorted(slices.Values(real)), slices.Sorted(slices.Values(model))
	low := math.Min(0, math.Min(quantile(a, 0), quantile(b, 0)))
	high := math.Max(quantile(a, 0.985), quantile(b, 0.985))
	p := newPlot(title, xLabel, low, high, 0, 1)
	for i, s := range [][]float64{a, b} {
		var xs, ys []float64
		for k := range 201 {
			q := float64(k) / 200
			xs, ys = append(xs, quantile(s, q)), append(ys, q)
		}
		p.line([]string{colourReal, colourModel}[i], xs, ys)
	}
	return p.end()
}

// hourly plots a value for each hour.
func hourly(title string, real, model [24]float64) string {
	high := 1.0
	var xs []float64
	for h := range 24 {
		xs = append(xs, float64(h))
		for _, v := range []float64{real[h], model[h]} {
			if !math.IsNaN(v) {
				high = math.Max(high, v*1.1)
			}
		}
	}
	p := newPlot(title, "hour", 0, 24, 0, high)
	for i, values := range [][24]float64{real, model} {
		var x, y []float64
		for h, v := range values {
			if !math.IsNaN(v) {
				x, y = append(x, xs[h]+0.5), append(y, v)
			}
		}
		p.line([]string{colourReal, colourModel}[i], x, y)
	}
	return p.end()
}
