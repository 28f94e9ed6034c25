package read

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// A quoted field may go on over so many lines and bytes; one that goes on for
// longer is taken as a quote that was never closed.
const (
	quotedLines = 20
	quotedBytes = 16 << 10
)

// rowSource is where the rows of a table come from: its fields, valid until the
// next call, and the number of the row. The error is io.EOF, a *rowError after
// which it goes on, or one that ends it.
type rowSource interface {
	next() ([][]byte, int, error)
}

// rowError is a row that cannot be taken; the scanner goes on behind it.
type rowError struct {
	reason string
	value  string
}

func (e *rowError) Error() string { return e.reason }

// rowScanner splits delimited text into rows. Unlike encoding/csv it goes on
// after a broken row: a quote that is never closed costs its own line, not the
// rest of the file.
type rowScanner struct {
	lines  lineReader
	sep    byte
	fields [][]byte
	buf    []byte     // of the fields that needed unquoting
	blank  []byte     // of a row whose columns are parted by blanks
	ahead  []textLine // read in search of a closing quote, to be read again
}

// textLine is what reading one line gave.
type textLine struct {
	text []byte
	n    int // its number
	err  error
}

func newRowScanner(r *bufio.Reader, head []byte, sep byte, limit int) *rowScanner {
	end := byte('\n')
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		end = '\r'
	}
	return &rowScanner{lines: lineReader{r: r, end: end, limit: limit}, sep: sep}
}

// next is the next row that is not blank and no # comment, with the number of
// its first line. The fields are valid until the next call. The error is
// io.EOF, a *rowError after which the scanner goes on, or one of the stream.
func (s *rowScanner) next() ([][]byte, int, error) {
	for {
		line := s.line()
		if line.err != nil {
			return nil, line.n, line.err
		}
		if len(bytes.TrimSpace(line.text)) == 0 || line.text[0] == '#' {
			continue
		}
		if s.split(line.text) || s.span(line.text) {
			return s.fields, line.n, nil
		}
		return nil, line.n, &rowError{reason: "a quote is not closed", value: text(line.text)}
	}
}

// line is the next line, from those read ahead first.
func (s *rowScanner) line() textLine {
	if len(s.ahead) == 0 {
		return s.lines.next()
	}
	line := s.ahead[0]
	s.ahead = s.ahead[1:]
	return line
}

// span splits a row that begins with a line that ends within quotes. It
// reports false, and leaves the lines behind the first to be read again, where
// the quotes do not close.
func (s *rowScanner) span(first []byte) bool {
	row := bytes.Clone(first)
	for i := range quotedLines {
		if i == len(s.ahead) {
			line := s.lines.next()
			line.text = bytes.Clone(line.text)
			s.ahead = append(s.ahead, line)
		}
		if s.ahead[i].err != nil || len(row)+len(s.ahead[i].text) > quotedBytes {
			return false
		}
		row = append(append(row, '\n'), s.ahead[i].text...)
		if bytes.Count(row, []byte{'"'})%2 == 0 && s.split(row) {
			s.ahead = s.ahead[i+1:]
			return true
		}
	}
	return false
}

// split cuts a row into fields. It reports false where the row ends within
// quotes.
func (s *rowScanner) split(row []byte) bool {
	s.fields = s.fields[:0]
	if s.sep == ' ' {
		row = s.oneBlank(row)
	}
	if bytes.IndexByte(row, '"') < 0 {
		for {
			i := bytes.IndexByte(row, s.sep)
			if i < 0 {
				s.fields = append(s.fields, bytes.TrimSpace(row))
				return true
			}
			s.fields = append(s.fields, bytes.TrimSpace(row[:i]))
			row = row[i+1:]
		}
	}
	s.buf = slices.Grow(s.buf[:0], len(row))
	for at := 0; at <= len(row); {
		field, next, closed := s.field(row, at)
		if !closed {
			return false
		}
		s.fields = append(s.fields, bytes.TrimSpace(field))
		at = next
	}
	return true
}

// oneBlank makes one blank of several in a row, and of tabs.
func (s *rowScanner) oneBlank(row []byte) []byte {
	s.blank = s.blank[:0]
	for _, c := range bytes.TrimSpace(row) {
		if c == '\t' {
			c = ' '
		}
		if c != ' ' || s.blank[len(s.blank)-1] != ' ' {
			s.blank = append(s.blank, c)
		}
	}
	return s.blank
}

// field cuts the field at a row's offset and gives the offset of the next one.
// The fields share buf, which is large enough for the whole row.
func (s *rowScanner) field(row []byte, at int) (field []byte, next int, closed bool) {
	for at < len(row) && row[at] == ' ' {
		at++
	}
	if at == len(row) || row[at] != '"' {
		end := bytes.IndexByte(row[at:], s.sep)
		if end < 0 {
			return row[at:], len(row) + 1, true
		}
		return row[at : at+end], at + end + 1, true
	}
	start, quoted := len(s.buf), true
	for at++; at < len(row); at++ {
		c := row[at]
		switch {
		case quoted && c == '"' && at+1 < len(row) && row[at+1] == '"':
			s.buf = append(s.buf, '"')
			at++
		case c == '"' && quoted:
			quoted = false
		case c == s.sep && !quoted:
			return s.buf[start:], at + 1, true
		default:
			s.buf = append(s.buf, c)
		}
	}
	return s.buf[start:], len(row) + 1, !quoted
}

// lineReader reads lines of bounded length and counts them.
type lineReader struct {
	r     *bufio.Reader
	end   byte
	limit int
	n     int // lines read
	long  []byte
}

// next is the next line without its end, valid until the next call. Where the
// stream breaks off, what there is of the last line is lost with its error; at
// the end of the file it is a line like any other.
func (l *lineReader) next() textLine {
	line, err := l.r.ReadSlice(l.end)
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.rest(line)
	}
	if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
		return textLine{n: l.n, err: err}
	}
	l.n++
	line = bytes.TrimSuffix(line, []byte{l.end})
	line = bytes.TrimSuffix(line, []byte{'\r'})
	if len(line) > l.limit {
		return textLine{n: l.n, err: &rowError{reason: "a line is too long", value: text(line[:min(len(line), 64)])}}
	}
	return textLine{text: line, n: l.n}
}

// rest reads on after a full buffer, and past the limit without keeping.
func (l *lineReader) rest(begin []byte) ([]byte, error) {
	l.long = append(l.long[:0], begin...)
	for {
		part, err := l.r.ReadSlice(l.end)
		if len(l.long) <= l.limit {
			l.long = append(l.long, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
	}
}
