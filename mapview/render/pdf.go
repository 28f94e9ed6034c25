package render

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
)

// WritePDF writes the picture as a PDF of one page: vectors throughout, letters
// as outlines. A logical pixel is 1/96 of an inch.
func WritePDF(w io.Writer, s *Scene, v Viewport, opt Options) error {
	b := NewBase(s.Network, s.Basemap)
	doc := &pdfFile{}
	c := &pdf{doc: doc, out: &bytes.Buffer{}, alphas: map[uint8]bool{}}
	c.fill(sheet(v), nonZero, b.Land(opt.Dark))
	paint(c, b, s, v, opt)
	c.points = 0.75 / v.Scale
	return c.finish(w, v, s.About)
}

// pdf is the canvas that writes a page's content.
type pdf struct {
	doc    *pdfFile
	out    *bytes.Buffer // of the page, or of the form in work
	num    []byte
	alphas map[uint8]bool
	forms  []pdfForm
	points float64 // of one image pixel
}

// pdfForm is a part of the page that is laid as one, at a share of opacity.
type pdfForm struct {
	content []byte
	share   uint8
}

func (p *pdf) group(share float64, draw func(canvas)) {
	if share >= 1 {
		draw(p)
		return
	}
	outer, inner := p.out, &bytes.Buffer{}
	p.out = inner
	draw(p)
	p.out = outer
	form := pdfForm{inner.Bytes(), uint8(share*255 + 0.5)}
	p.forms = append(p.forms, form)
	p.alphas[form.share] = true
	fmt.Fprintf(p.out, "q /A%d gs /F%d Do Q\n", form.share, len(p.forms)-1)
}

func (p *pdf) clip(b box, draw func(canvas)) {
	fmt.Fprintf(p.out, "q %.2f %.2f %.2f %.2f re W n\n", b.minX, b.minY, b.maxX-b.minX, b.maxY-b.minY)
	draw(p)
	p.out.WriteString("Q\n")
}

func (p *pdf) fill(rings *lines, r rule, c colour) {
	if rings.len() == 0 || c.A == 0 {
		return
	}
	p.paint("rg", c)
	p.path(rings, true)
	if r == evenOdd {
		p.out.WriteString("f*\n")
	} else {
		p.out.WriteString("f\n")
	}
}

func (p *pdf) stroke(l *lines, s stroke) {
	if l.len() == 0 || s.color.A == 0 {
		return
	}
	p.paint("RG", s.color)
	lineCap := 1
	if s.butt {
		lineCap = 0
	}
	fmt.Fprintf(p.out, "%d J %.3f w [", lineCap, s.width)
	for _, d := range s.dash {
		fmt.Fprintf(p.out, "%.3f ", d)
	}
	p.out.WriteString("] 0 d\n")
	p.path(l, false)
	p.out.WriteString("S\n")
}

// paint sets a colour and its opacity.
func (p *pdf) paint(operator string, c colour) {
	p.alphas[c.A] = true
	fmt.Fprintf(p.out, "/A%d gs %.3f %.3f %.3f %s\n", c.A, float64(c.R)/255, float64(c.G)/255, float64(c.B)/255, operator)
}

func (p *pdf) path(l *lines, closed bool) {
	for i := range l.ends {
		for k, pt := range l.at(i) {
			p.num = append(appendNumber(p.num[:0], pt.X), ' ')
			p.num = append(appendNumber(p.num, pt.Y), ' ')
			if k == 0 {
				p.num = append(p.num, "m\n"...)
			} else {
				p.num = append(p.num, "l\n"...)
			}
			p.out.Write(p.num)
		}
		if closed {
			p.out.WriteString("h\n")
		}
	}
}

// finish writes the document around the page's content.
func (p *pdf) finish(w io.Writer, v Viewport, about []Field) error {
	d := p.doc
	width, height := float64(v.Width)*p.points, float64(v.Height)*p.points
	d.out.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	d.object("<< /Type /Catalog /Pages 2 0 R >>")
	d.object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	resources := p.resources()
	d.object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.3f %.3f] /Contents 4 0 R /Resources %s "+
		"/Group << /S /Transparency /CS /DeviceRGB >> >>", width, height, resources))
	head := fmt.Sprintf("%.6f 0 0 %.6f 0 %.3f cm 1 j\n", p.points, -p.points, height)
	d.stream("", append([]byte(head), p.out.Bytes()...))
	for _, f := range p.forms {
		d.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 %d %d] /Resources %s /Group << /S /Transparency >>",
			v.Width, v.Height, p.states()), append([]byte("1 j\n"), f.content...))
	}
	d.object(pdfInfo(about))
	return d.finish(w)
}

// firstForm is the object number of the first form.
const firstForm = 5

// resources lists opacities and forms.
func (p *pdf) resources() string {
	var s strings.Builder
	s.WriteString(strings.TrimSuffix(p.states(), ">>"))
	s.WriteString(" /XObject << ")
	for i := range p.forms {
		fmt.Fprintf(&s, "/F%d %d 0 R ", i, firstForm+i)
	}
	s.WriteString(">> >>")
	return s.String()
}

// states lists the opacities in use.
func (p *pdf) states() string {
	var s strings.Builder
	s.WriteString("<< /ExtGState << ")
	for a := range 256 {
		if p.alphas[uint8(a)] {
			fmt.Fprintf(&s, "/A%d << /ca %.3f /CA %.3f >> ", a, float64(a)/255, float64(a)/255)
		}
	}
	s.WriteString(">> >>")
	return s.String()
}

// pdfFile is the frame of a document: numbered objects and where they lie.
type pdfFile struct {
	out     bytes.Buffer
	offsets []int
	err     error
}

func (d *pdfFile) object(body string) {
	d.offsets = append(d.offsets, d.out.Len())
	fmt.Fprintf(&d.out, "%d 0 obj\n%s\nendobj\n", len(d.offsets), body)
}

// stream adds a compressed stream.
func (d *pdfFile) stream(dict string, content []byte) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(content); err != nil && d.err == nil {
		d.err = err
	}
	if err := z.Close(); err != nil && d.err == nil {
		d.err = err
	}
	d.object(fmt.Sprintf("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", dict, packed.Len(), packed.Bytes()))
}

// finish writes the table of objects and everything to w; the last object is the
// document's information.
func (d *pdfFile) finish(w io.Writer) error {
	if d.err != nil {
		return d.err
	}
	start := d.out.Len()
	fmt.Fprintf(&d.out, "xref\n0 %d\n0000000000 65535 f \n", len(d.offsets)+1)
	for _, o := range d.offsets {
		fmt.Fprintf(&d.out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&d.out, "trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(d.offsets)+1, len(d.offsets), start)
	_, err := w.Write(d.out.Bytes())
	return err
}
