package write

import (
	"bufio"
	"bytes"
	"encoding/xml"

	"retrace/engine/trajectory"
)

// gpxEncoder writes a track for each trajectory, with a segment for each
// unbroken part: the recovered instants with their times.
type gpxEncoder struct {
	w     *bufio.Writer
	about About
	begun bool
	buf   []byte
}

func newGPX(w *bufio.Writer, about About) *gpxEncoder { return &gpxEncoder{w: w, about: about} }

// begin opens the document once, with where it comes from.
func (e *gpxEncoder) begin() error {
	if e.begun {
		return nil
	}
	e.begun = true
	b := append([]byte(xml.Header), `<gpx version="1.1" creator="Retrace `...)
	b = appendXML(b, e.about.Version)
	b = append(b, `" xmlns="http://www.topografix.com/GPX/1/1">`+"\n<metadata>"...)
	if e.about.Method != "" {
		b = append(b, "<desc>"...)
		b = appendXML(b, "Recovered by "+e.about.Method+" on the network "+e.about.Network.Name+" ("+e.about.Settings+")")
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

func (e *gpxEncoder) Write(r *trajectory.Recovery) error {
	if err := e.begin(); err != nil {
		return err
	}
	b := append(e.buf[:0], "<trk><name>"...)
	b = appendXML(b, r.Trajectory)
	b = append(b, "</name>\n"...)
	for i, t := range r.Ticks {
		if i == 0 || t.Part != r.Ticks[i-1].Part {
			b = append(b, "<trkseg>\n"...)
		}
		b = append(b, `<trkpt lat="`...)
		b = degrees.format(b, t.Lat)
		b = append(b, `" lon="`...)
		b = degrees.format(b, t.Lon)
		b = append(b, `"><time>`...)
		b = appendTime(b, t.Time)
		b = append(b, "</time></trkpt>\n"...)
		if i == len(r.Ticks)-1 || t.Part != r.Ticks[i+1].Part {
			b = append(b, "</trkseg>\n"...)
		}
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
