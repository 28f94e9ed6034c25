package write

import (
	"bufio"
	"encoding/xml"
)

// kmlEncoder writes a placemark for each trajectory, with a gx:Track for each
// unbroken part, which Google Earth plays.
type kmlEncoder struct {
	w     *bufio.Writer
	about About
	begun bool
	buf   []byte
}

// begin opens the document once, with where it comes from.
func (e *kmlEncoder) begin() error {
	if e.begun {
		return nil
	}
	e.begun = true
	b := append([]byte(xml.Header), `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" xmlns:atom="http://www.w3.org/2005/Atom"><Document>`...)
	b = append(b, "<name>Retrace</name>"...)
	if who := e.about.Network.Attribution; who != "" {
		b = append(b, "<atom:author><atom:name>"...)
		b = append(appendXML(b, who), "</atom:name></atom:author>"...)
	}
	if text := e.about.text(); text != "" {
		b = append(b, "<description>"...)
		b = append(appendXML(b, text), "</description>"...)
	}
	b = append(b, "\n<Style id=\"path\"><LineStyle><color>"+kmlColour(pathColour)+"</color><width>4</width></LineStyle></Style>"...)
	b = append(b, "<ExtendedData>"...)
	for _, m := range e.about.Members() {
		b = appendData(b, m[0], m[1])
	}
	_, err := e.w.Write(append(b, "</ExtendedData>\n"...))
	return err
}

func appendData(b []byte, name, value string) []byte {
	b = append(b, `<Data name="`...)
	b = append(appendXML(b, name), `"><value>`...)
	return append(appendXML(b, value), "</value></Data>"...)
}

func (e *kmlEncoder) write(t track) error {
	if err := e.begin(); err != nil {
		return err
	}
	b := append(e.buf[:0], "<Placemark><name>"...)
	b = append(appendXML(b, t.id), "</name><styleUrl>#path</styleUrl><ExtendedData>"...)
	b = appendData(b, "trajectory", t.id)
	if t.vehicle != "" {
		b = appendData(b, "vehicle", t.vehicle)
	}
	b = append(b, "</ExtendedData><gx:MultiTrack>\n"...)
	for _, part := range t.parts {
		b = append(b, "<gx:Track>\n"...)
		for _, s := range part {
			b = append(b, "<when>"...)
			b = append(appendTime(b, s.Time), "</when>\n"...)
		}
		for _, s := range part {
			b = append(b, "<gx:coord>"...)
			b = append(degrees.format(b, s.Lon), ' ')
			b = append(degrees.format(b, s.Lat), " 0</gx:coord>\n"...)
		}
		b = append(b, "</gx:Track>\n"...)
	}
	e.buf = append(b, "</gx:MultiTrack></Placemark>\n"...)
	_, err := e.w.Write(e.buf)
	return err
}

func (e *kmlEncoder) finish() error {
	if err := e.begin(); err != nil {
		return err
	}
	if _, err := e.w.WriteString("</Document></kml>\n"); err != nil {
		return err
	}
	return e.w.Flush()
}
