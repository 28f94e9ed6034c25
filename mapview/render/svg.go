package render

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteSVG writes the picture as SVG: vectors throughout, letters as outlines,
// so that it looks the same everywhere.
func WriteSVG(w io.Writer, s *Scene, v Viewport, opt Options) error {
	out := bufio.NewWriter(w)
	b := NewBase(s.Network, s.Basemap)
	c := &svg{w: out}
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %d %d">`+"\n",
		float64(v.Width)/v.Scale, float64(v.Height)/v.Scale, v.Width, v.Height)
	out.WriteString("<desc>")
	if err := xml.EscapeText(out, []byte(attributionOf(s))); err != nil {
		return err
	}
	out.WriteString("</desc>\n")
	if err := svgMetadata(out, s.About); err != nil {
		return err
	}
	c.fill(sheet(v), nonZero, b.Land(opt.Dark))
	paint(c, b, s, v, opt)
	out.WriteString("</svg>\n")
	return out.Flush()
}

// svgMetadata writes fields as Dublin Core, those that it has no name for into
// its description.
func svgMetadata(w io.Writer, fields []Field) error {
	if len(fields) == 0 {
		return nil
	}
	names := map[string]string{FieldTitle: "title", FieldSoftware: "creator", FieldDate: "date", FieldCopyright: "rights"}
	var rest []string
	var out bytes.Buffer
	out.WriteString(`<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description rdf:about="">`)
	element := func(name, text string) {
		out.WriteString("<dc:" + name + ">")
		xml.EscapeText(&out, []byte(text)) // a buffer takes all
		out.WriteString("</dc:" + name + ">")
	}
	for _, f := range fields {
		if name := names[f.Name]; name != "" {
			element(name, f.Value)
		} else {
			rest = append(rest, f.Name+": "+f.Value)
		}
	}
	element("description", strings.Join(rest, "\n"))
	out.WriteString("</rdf:Description></rdf:RDF></metadata>\n")
	_, err := w.Write(out.Bytes())
	return err
}

// sheet is the rectangle of a whole picture.
func sheet(v Viewport) *lines {
	w, h := float32(v.Width), float32(v.Height)
	var l lines
	l.add(point{0, 0}, point{w, 0}, point{w, h}, point{0, h})
	return &l
}

// svg is the canvas that writes SVG elements. The writer keeps its first error.
type svg struct {
	w     *bufio.Writer
	num   []byte
	clips int // so far
}

func (s *svg) group(share float64, draw func(canvas)) {
	if share >= 1 {
		draw(s)
		return
	}
	fmt.Fprintf(s.w, `<g opacity="%.3g">`+"\n", share)
	draw(s)
	s.w.WriteString("</g>\n")
}

func (s *svg) clip(b box, draw func(canvas)) {
	s.clips++
	fmt.Fprintf(s.w, `<clipPath id="c%d"><rect x="%.2f" y="%.2f" width="%.2f" height="%.2f"/></clipPath><g clip-path="url(#c%d)">`+"\n",
		s.clips, b.minX, b.minY, b.maxX-b.minX, b.maxY-b.minY, s.clips)
	draw(s)
	s.w.WriteString("</g>\n")
}

func (s *svg) fill(rings *lines, r rule, c colour) {
	if rings.len() == 0 || c.A == 0 {
		return
	}
	s.w.WriteString(`<path d="`)
	s.data(rings, true)
	s.w.WriteByte('"')
	s.paint("fill", c)
	if r == evenOdd {
		s.w.WriteString(` fill-rule="evenodd"`)
	}
	s.w.WriteString("/>\n")
}

func (s *svg) stroke(l *lines, st stroke) {
	if l.len() == 0 || st.color.A == 0 {
		return
	}
	s.w.WriteString(`<path d="`)
	s.data(l, false)
	s.w.WriteString(`" fill="none"`)
	s.paint("stroke", st.color)
	fmt.Fprintf(s.w, ` stroke-width="%.3g" stroke-linejoin="round"`, st.width)
	if !st.butt {
		s.w.WriteString(` stroke-linecap="round"`)
	}
	for i, d := range st.dash {
		lead := " "
		if i == 0 {
			lead = ` stroke-dasharray="`
		}
		fmt.Fprintf(s.w, "%s%.3g", lead, d)
	}
	if st.dash != nil {
		s.w.WriteByte('"')
	}
	s.w.WriteString("/>\n")
}

// paint writes a colour attribute, and its opacity.
func (s *svg) paint(name string, c colour) {
	fmt.Fprintf(s.w, ` %s="#%02x%02x%02x"`, name, c.R, c.G, c.B)
	if c.A < 255 {
		fmt.Fprintf(s.w, ` %s-opacity="%.3g"`, name, float64(c.A)/255)
	}
}

// data writes lines as path data.
func (s *svg) data(l *lines, closed bool) {
	for i := range l.ends {
		for k, p := range l.at(i) {
			if k == 0 {
				s.w.WriteByte('M')
			} else {
				s.w.WriteByte('L')
			}
			s.number(p.X)
			s.w.WriteByte(' ')
			s.number(p.Y)
		}
		if closed {
			s.w.WriteByte('Z')
		}
	}
}

func (s *svg) number(v float32) {
	s.num = appendNumber(s.num[:0], v)
	s.w.Write(s.num)
}

// appendNumber writes a number with two digits at most after the point.
func appendNumber(dst []byte, v float32) []byte {
	n := int64(float64(v)*100 + 0.5)
	if v < 0 {
		n = int64(float64(v)*100 - 0.5)
	}
	if n%100 == 0 {
		return strconv.AppendInt(dst, n/100, 10)
	}
	return strconv.AppendFloat(dst, float64(n)/100, 'f', -1, 64)
}
