package write

import (
	"bufio"
	"bytes"
	"encoding/xml"
)

// gpxEncoder writes a track for each trajectory, with a segment for each
// unbroken part.
type gpxEncoder struct {
	w     *bufio.Writer
	about About
	begun bool
	buf   []byte
}

// begin opens the document once, with where it comes from.
func (e *gpxEncoder) begin() error {
	if e.begun {
		return nil
	}
	e.begun = true
	b := append([]byte(xml.Header), `<gpx version="1.1" creator="Retrace `...)
	b = appendXML(b, e.about.Version)
	b = append(b, `" xmlns="http://www.topografix.com/GPX/1/1">`+"\n<metadata>"...)
	if text := e.about.text(); text != "" {
		b = append(b, "<desc>"...)
		b = appendXML(b, text)
		b = append(b, "</desc>"...)
	}
	if e.about.Network.Attribution != "" {
		b = append(b, `<copyright author="`...)
		b = appendXML(b, e.about.Network.Attribution)
		b = append(b, `"/>`...)
	}
	_, err := e.w.Write(append(b, "</metadata>\n"...))
	return err
}

func (e *gpxEncoder) write(t track) error {
	if err := e.begin(); err != nil {
		return err
	}
	b := append(e.buf[:0], "<trk><name>"...)
	b = appendXML(b, t.id)
	b = append(b, "</name>\n"...)
	for _, part := range t.parts {
		b = append(b, "<trkseg>\n"...)
		for _, s := range part {
			b = append(b, `<trkpt lat="`...)
			b = degrees.format(b, s.Lat)
			b = append(b, `" lon="`...)
			b = degrees.format(b, s.Lon)
			b = append(b, `"><time>`...)
			b = appendTime(b, s.Time)
			b = append(b, "</time></trkpt>\n"...)
		}
		b = append(b, "</trkseg>\n"...)
	}
	e.buf = append(b, "</trk>\n"...)
	_, err := e.w.Write(e.buf)
	return err
}

func (e *gpxEncoder) finish() error {
	if err := e.begin(); err != nil {
		return err
	}
	if _, err := e.w.WriteString("</gpx>\n"); err != nil {
		return err
	}
	return e.w.Flush()
}

// appendXML appends a text with its special characters escaped.
func appendXML(b []byte, s string) []byte {
	var text bytes.Buffer
	_ = xml.EscapeText(&text, []byte(s)) // a buffer takes everything
	return append(b, text.Bytes()...)
}
