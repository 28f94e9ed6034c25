package write

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
)

// dbfWriter writes the table of a shapefile: a row of fixed width for each
// feature. Names of columns have ten letters at most.
type dbfWriter struct {
	file    *os.File
	w       *bufio.Writer
	columns []column
	shorten *shortener
	line    []byte
	text    []byte
}

func newDBFWriter(path string, columns []column, shorten *shortener) (*dbfWriter, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	d := &dbfWriter{file: f, w: bufio.NewWriter(f), columns: columns, shorten: shorten}
	_, err = d.w.Write(d.header(0))
	return d, err
}

// shortName is the name of a column within ten letters.
func shortName(name string) string {
	switch name {
	case "probability":
		return "prob"
	case "mean_speed_kmh", "p15_speed_kmh", "p85_speed_kmh":
		return strings.Replace(name, "_speed", "", 1)
	}
	return name
}

// width is how wide a column of the kind is in the table, and how many digits
// are behind the point.
func (k kind) width() (letter byte, width, digits int) {
	switch k {
	case words:
		return 'C', 254, 0
	case instant:
		return 'C', 24, 0
	case whole:
		return 'N', 18, 0
	}
	return 'N', 20, k.digits()
}

func (d *dbfWriter) header(rows uint32) []byte {
	b := make([]byte, 32)
	b[0], b[1], b[2], b[3] = 3, 124, 1, 1 // the date of the file is not said
	binary.LittleEndian.PutUint32(b[4:], rows)
	binary.LittleEndian.PutUint16(b[8:], uint16(32+32*len(d.columns)+1))
	size := 1
	for _, c := range d.columns {
		letter, width, digits := c.kind.width()
		size += width
		var field [32]byte
		copy(field[:10], shortName(c.name))
		field[11], field[16], field[17] = letter, byte(width), byte(digits)
		b = append(b, field[:]...)
	}
	binary.LittleEndian.PutUint16(b[10:], uint16(size))
	return append(b, '\r')
}

func (d *dbfWriter) add(values []any) error {
	d.line = append(d.line[:0], ' ')
	for i, c := range d.columns {
		letter, width, _ := c.kind.width()
		d.text = c.kind.format(d.text[:0], values[i])
		if c.kind == words && len(d.text) > width {
			d.text = append(d.text[:0], d.shorten.fit(string(d.text), width)...)
		}
		pad := width - len(d.text)
		if pad < 0 {
			return fmt.Errorf("%s %.40q is longer than the %d bytes that a shapefile has for it", c.name, d.text, width)
		}
		if letter == 'N' {
			d.line = appendBlanks(d.line, pad)
		}
		d.line = append(d.line, d.text...)
		if letter == 'C' {
			d.line = appendBlanks(d.line, pad)
		}
	}
	_, err := d.w.Write(d.line)
	return err
}

func appendBlanks(b []byte, n int) []byte {
	for range n {
		b = append(b, ' ')
	}
	return b
}

// finish says in the header how many rows there are.
func (d *dbfWriter) finish(rows uint32) error {
	if err := d.w.WriteByte(0x1a); err != nil {
		return err
	}
	if err := d.w.Flush(); err != nil {
		return err
	}
	if _, err := d.file.WriteAt(d.header(rows), 0); err != nil {
		return err
	}
	return d.file.Close()
}
