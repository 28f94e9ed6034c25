package write

import (
	"bufio"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// mfEncoder writes OGC Moving Features JSON: a feature for each trajectory, whose
// geometry is a point that moves, or several where it is broken into parts.
type mfEncoder struct {
	w     *bufio.Writer
	about About
	begun bool
	buf   []byte
}

// begin opens the collection once, with where it comes from.
func (e *mfEncoder) begin() error {
	if e.begun {
		return nil
	}
	e.begun = true
	b := []byte(`{"type":"FeatureCollection"`)
	for _, m := range e.about.Members() {
		b = append(appendJSON(append(b, ','), m[0]), ':')
		b = appendJSON(b, m[1])
	}
	b = append(b, `,"crs":{"type":"Name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}`...)
	b = append(b, `,"trs":{"type":"Name","properties":{"name":"urn:ogc:data:time:iso8601"}},"features":[`...)
	_, err := e.w.Write(append(b, '\n'))
	return err
}

func (e *mfEncoder) write(t track) error {
	if len(t.parts) == 0 {
		return nil
	}
	sep := ",\n"
	if !e.begun {
		sep = ""
	}
	if err := e.begin(); err != nil {
		return err
	}
	b := append(e.buf[:0], sep...)
	b = append(b, `{"type":"Feature","properties":{"trajectory":`...)
	b = appendJSON(b, t.id)
	if t.vehicle != "" {
		b = appendJSON(append(b, `,"vehicle":`...), t.vehicle)
	}
	b = append(b, `},"temporalGeometry":`...)
	if len(t.parts) == 1 {
		b = appendMoving(b, t.parts[0])
	} else {
		b = append(b, `{"type":"MovingGeometryCollection","prisms":[`...)
		for i, part := range t.parts {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendMoving(b, part)
		}
		b = append(b, "]}"...)
	}
	e.buf = append(b, '}')
	_, err := e.w.Write(e.buf)
	return err
}

// appendMoving appends one unbroken part.
func appendMoving(b []byte, part []trajectory.Sample) []byte {
	b = append(b, `{"type":"MovingPoint","datetimes":[`...)
	for i, s := range part {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendTime(append(b, '"'), s.Time), '"')
	}
	b = append(b, `],"coordinates":[`...)
	for i, s := range part {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendPosition(b, roadnet.Point{Lon: s.Lon, Lat: s.Lat})
	}
	return append(b, `],"interpolation":"Linear"}`...)
}

func (e *mfEncoder) finish() error {
	if err := e.begin(); err != nil {
		return err
	}
	if _, err := e.w.WriteString("\n]}\n"); err != nil {
		return err
	}
	return e.w.Flush()
}
