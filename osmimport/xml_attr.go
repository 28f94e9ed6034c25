package osmimport

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxAttributes bounds the attributes of one tag.
const maxAttributes = 64

// attributes reads the attributes of a tag.
func (x *xmlReader) attributes(body []byte) error {
	t := &x.tag
	for {
		body = bytes.TrimLeft(body, " \t\r\n")
		if len(body) == 0 {
			return nil
		}
		n := nameLength(body)
		name := body[:n]
		body = bytes.TrimLeft(body[n:], " \t\r\n")
		if n == 0 || len(body) == 0 || body[0] != '=' {
			return x.fail("a tag with a broken attribute", adviceDamaged)
		}
		body = bytes.TrimLeft(body[1:], " \t\r\n")
		if len(body) == 0 || body[0] != '"' && body[0] != '\'' {
			return x.fail("an attribute without quotes", adviceDamaged)
		}
		end := bytes.IndexByte(body[1:], body[0])
		if end < 0 {
			return x.fail("an attribute that does not end", adviceDamaged)
		}
		if end > x.limits.Attribute || len(t.attrs) == maxAttributes {
			return x.fail(fmt.Sprintf("an attribute of more than %d bytes, or more than %d of them", x.limits.Attribute, maxAttributes), adviceLimit)
		}
		t.attrs = append(t.attrs, xmlAttr{name, body[1 : 1+end]})
		body = body[2+end:]
	}
}

func nameLength(b []byte) int {
	for i, c := range b {
		switch c {
		case ' ', '\t', '\r', '\n', '=', '/', '"', '\'', '<', '&':
			return i
		}
	}
	return len(b)
}

// attr is the raw value of an attribute of the current tag, nil if absent.
func (x *xmlReader) attr(name string) []byte {
	for _, a := range x.tag.attrs {
		if string(a.name) == name {
			return a.value
		}
	}
	return nil
}

// str is the value of an attribute of the current tag as a string.
func (x *xmlReader) str(name string) (string, error) {
	raw := x.attr(name)
	if bytes.IndexByte(raw, '&') < 0 {
		return x.intern(raw), nil
	}
	x.value = x.value[:0]
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '&')
		if i < 0 {
			x.value = append(x.value, raw...)
			break
		}
		x.value = append(x.value, raw[:i]...)
		raw = raw[i+1:]
		end := bytes.IndexByte(raw, ';')
		if end < 0 || end > 10 {
			return "", x.fail("an & that starts no entity", adviceDamaged)
		}
		r, ok := entity(string(raw[:end]))
		if !ok {
			return "", x.fail(fmt.Sprintf("the entity &%s; which is not of XML itself", raw[:end]), "write the file again, e.g. with osmium cat")
		}
		x.value = utf8.AppendRune(x.value, r)
		raw = raw[end+1:]
	}
	return x.intern(x.value), nil
}

// entity is one of the five entities of XML, or a character by its number.
func entity(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	base, digits := 10, name[1:]
	if digits[0] == 'x' {
		base, digits = 16, digits[1:]
	}
	n, err := strconv.ParseUint(digits, base, 32)
	return rune(n), err == nil && n > 0 && utf8.ValidRune(rune(n))
}

// intern makes a string, the same one for the same bytes as far as it
// remembers.
func (x *xmlReader) intern(b []byte) string {
	if s, ok := x.text[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(x.text) < xmlStrings && len(b) < 64 {
		x.text[s] = s
	}
	return s
}
