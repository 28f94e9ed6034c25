package osmimport

import (
	"bytes"
	"fmt"
	"io"
)

// xmlReader reads the tags of an XML file, and nothing else of it: OSM files
// keep all they say in attributes. It knows no entities but the five of XML
// and characters by number, and no document types.
type xmlReader struct {
	path   string
	r      io.Reader
	limits Limits
	buf    []byte // what is read and not yet taken is buf[pos:]
	pos    int
	base   int64 // offset of buf[0]
	lines  int   // line ends before buf[0]
	eof    bool
	stack  []string // names of the open elements
	tag    xmlTag
	text   map[string]string // strings met before
	value  []byte
}

// xmlTag is a start or end tag.
type xmlTag struct {
	name  string
	end   bool // an end tag
	empty bool // a start tag that ends its element too
	depth int  // of the element; the root has 1
	attrs []xmlAttr
}

// xmlAttr is an attribute, its value with entities still in it.
type xmlAttr struct{ name, value []byte }

const (
	xmlChunk   = 64 << 10
	xmlStrings = 1 << 14 // strings remembered
)

func newXMLReader(path string, r io.Reader, limits Limits) *xmlReader {
	return &xmlReader{path: path, r: r, limits: limits, text: map[string]string{}}
}

// fill reads on, and drops what was taken. It returns false at the end.
func (x *xmlReader) fill() (bool, error) {
	if x.eof {
		return false, nil
	}
	if x.pos > 0 {
		x.lines += bytes.Count(x.buf[:x.pos], []byte{'\n'})
		x.base += int64(x.pos)
		x.buf = x.buf[:copy(x.buf, x.buf[x.pos:])]
		x.pos = 0
	}
	n := len(x.buf)
	if cap(x.buf)-n < xmlChunk {
		x.buf = append(make([]byte, 0, 2*cap(x.buf)+2*xmlChunk), x.buf...)
	}
	m, err := io.ReadFull(x.r, x.buf[n:n+xmlChunk])
	x.buf = x.buf[:n+m]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		x.eof = true
		err = nil
	}
	return m > 0, err
}

// fail is an error at the current place.
func (x *xmlReader) fail(problem, advice string) error {
	return &FormatError{Path: x.path, Offset: x.base + int64(x.pos),
		Line: x.lines + bytes.Count(x.buf[:min(x.pos, len(x.buf))], []byte{'\n'}) + 1, Problem: problem, Advice: advice}
}

// next is the next tag, valid until the call after; io.EOF at the end.
func (x *xmlReader) next() (*xmlTag, error) {
	if x.tag.empty || x.tag.end {
		x.stack = x.stack[:len(x.stack)-1]
		x.tag.empty, x.tag.end = false, false
	}
	for {
		if err := x.skipText(); err != nil {
			return nil, err
		}
		if err := x.need(2); err != nil {
			return nil, err
		}
		switch x.buf[x.pos+1] {
		case '?':
			if err := x.instruction(); err != nil {
				return nil, err
			}
		case '!':
			if err := x.skipMarkup(); err != nil {
				return nil, err
			}
		default:
			return x.readTag()
		}
	}
}

// skipText goes to the next tag; io.EOF where the file rightly ends.
func (x *xmlReader) skipText() error {
	for {
		if i := bytes.IndexByte(x.buf[x.pos:], '<'); i >= 0 {
			x.pos += i
			return nil
		}
		x.pos = len(x.buf)
		ok, err := x.fill()
		if err != nil {
			return err
		}
		if !ok {
			if len(x.stack) > 0 {
				return x.fail("the file ends inside the element "+x.stack[len(x.stack)-1], adviceDamaged)
			}
			return io.EOF
		}
	}
}

// need makes sure that n more bytes are in the buffer.
func (x *xmlReader) need(n int) error {
	for len(x.buf)-x.pos < n {
		ok, err := x.fill()
		if err != nil {
			return err
		}
		if !ok {
			return x.fail("the file ends inside a tag", adviceDamaged)
		}
	}
	return nil
}

// instruction skips <? ?>, and refuses an encoding that is not read here.
func (x *xmlReader) instruction() error {
	end, err := x.find("?>", 2, x.limits.Attribute)
	if err != nil {
		return err
	}
	body := x.buf[x.pos:end]
	if i := bytes.Index(body, []byte("encoding=")); i >= 0 && bytes.HasPrefix(body, []byte("<?xml ")) {
		rest := bytes.ToLower(body[i+len("encoding="):])
		if len(rest) < 6 || !bytes.HasPrefix(rest[1:], []byte("utf-8")) && !bytes.HasPrefix(rest[1:], []byte("us-ascii")) {
			return x.fail("an encoding that is not UTF-8", "convert the file to UTF-8")
		}
	}
	x.pos = end
	return nil
}

// skipMarkup skips comments and character data, however long, and refuses
// document types and with them every entity of a file's own.
func (x *xmlReader) skipMarkup() error {
	if err := x.need(4); err != nil {
		return err
	}
	mark := "-->"
	switch {
	case bytes.HasPrefix(x.buf[x.pos:], []byte("<!--")):
	case bytes.HasPrefix(x.buf[x.pos:], []byte("<![C")):
		mark = "]]>"
	default:
		return x.fail("a document type or entity declaration, which no OSM file needs", "write the file again, e.g. with osmium cat")
	}
	x.pos += 4
	for {
		if i := bytes.Index(x.buf[x.pos:], []byte(mark)); i >= 0 {
			x.pos += i + len(mark)
			return nil
		}
		x.pos = max(x.pos, len(x.buf)-len(mark)+1)
		ok, err := x.fill()
		if err != nil {
			return err
		}
		if !ok {
			return x.fail("the file ends inside a comment", adviceDamaged)
		}
	}
}

// find is the place after mark, which must come within limit bytes.
func (x *xmlReader) find(mark string, from, limit int) (int, error) {
	for {
		if i := bytes.Index(x.buf[x.pos+from:], []byte(mark)); i >= 0 {
			return x.pos + from + i + len(mark), nil
		}
		if len(x.buf)-x.pos > limit {
			return 0, x.fail(fmt.Sprintf("a declaration of more than %d bytes", limit), adviceLimit)
		}
		ok, err := x.fill()
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, x.fail("the file ends inside a declaration", adviceDamaged)
		}
	}
}

// readTag reads the tag that starts at pos.
func (x *xmlReader) readTag() (*xmlTag, error) {
	end, err := x.tagEnd()
	if err != nil {
		return nil, err
	}
	body := x.buf[x.pos+1 : end]
	t := &x.tag
	*t = xmlTag{attrs: t.attrs[:0]}
	if len(body) > 0 && body[0] == '/' {
		t.end = true
		body = body[1:]
	} else if len(body) > 0 && body[len(body)-1] == '/' {
		t.empty = true
		body = body[:len(body)-1]
	}
	n := nameLength(body)
	if n == 0 {
		return nil, x.fail("a < that starts no tag", adviceDamaged)
	}
	t.name = x.intern(body[:n])
	if err := x.attributes(body[n:]); err != nil {
		return nil, err
	}
	if err := x.nest(); err != nil {
		return nil, err
	}
	x.pos = end + 1
	return t, nil
}

// nest keeps the stack of open elements.
func (x *xmlReader) nest() error {
	t := &x.tag
	if t.end {
		t.depth = len(x.stack)
		if t.depth == 0 || x.stack[t.depth-1] != t.name {
			return x.fail("an end of "+t.name+" that fits no beginning", adviceDamaged)
		}
		return nil
	}
	if len(x.stack) == x.limits.Depth {
		return x.fail(fmt.Sprintf("elements nested more than %d deep", x.limits.Depth), adviceLimit)
	}
	x.stack = append(x.stack, t.name)
	t.depth = len(x.stack)
	return nil
}

// tagEnd is the place of the > that ends the tag at pos.
func (x *xmlReader) tagEnd() (int, error) {
	quote := byte(0)
	for i := 1; ; i++ {
		if x.pos+i == len(x.buf) {
			if i > 4*x.limits.Attribute {
				return 0, x.fail(fmt.Sprintf("a tag of more than %d bytes", 4*x.limits.Attribute), adviceLimit)
			}
			ok, err := x.fill()
			if err != nil {
				return 0, err
			}
			if !ok {
				return 0, x.fail("the file ends inside a tag", adviceDamaged)
			}
		}
		switch c := x.buf[x.pos+i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return x.pos + i, nil
		case c == '<':
			return 0, x.fail("a < inside a tag", adviceDamaged)
		}
	}
}
