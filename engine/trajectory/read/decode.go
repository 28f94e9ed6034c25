package read

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decode puts the decoding of its characters before a stream of text.
func (in *input) decode(r *bufio.Reader) error {
	head, _ := r.Peek(headSize)
	plain := io.Reader(r)
	switch {
	case isBinary(head):
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		_, _ = r.Discard(3)
		in.encoding = "utf-8"
	default:
		enc, name, err := encodingOf(head, in.opt.Encoding)
		if err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		if in.encoding = name; enc != nil {
			plain = transform.NewReader(r, enc.NewDecoder())
		}
	}
	in.text = bufio.NewReaderSize(plain, headSize)
	return nil
}

// encodingOf tells how a text is encoded; nil stands for UTF-8, and for what is
// told field by field.
func encodingOf(head []byte, asked string) (encoding.Encoding, string, error) {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), "utf-16le", nil
	case bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), "utf-16be", nil
	case asked != "":
		enc, err := htmlindex.Get(asked)
		if err != nil {
			return nil, "", fmt.Errorf("there is no encoding called %q (there are utf-8, windows-1252, gb18030, big5, shift_jis, utf-16le and more)", asked)
		}
		name, _ := htmlindex.Name(enc)
		return enc, name, nil
	case zeros(head, 1) > len(head)/5 && zeros(head, 0) == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le", nil
	case zeros(head, 0) > len(head)/5 && zeros(head, 1) == 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be", nil
	case looksChinese(head):
		return simplifiedchinese.GB18030, "gb18030", nil
	case isUTF8(head):
		return nil, "utf-8", nil
	}
	return nil, "windows-1252", nil // where a field is no UTF-8
}

// zeros counts the zero bytes at even or odd places.
func zeros(head []byte, odd int) int {
	n := 0
	for i := odd; i < len(head); i += 2 {
		if head[i] == 0 {
			n++
		}
	}
	return n
}

// isUTF8 reports whether a text is UTF-8; its last character may be cut.
func isUTF8(head []byte) bool {
	for i := 1; i < utf8.UTFMax && i <= len(head); i++ {
		if last := head[len(head)-i:]; utf8.RuneStart(last[0]) && !utf8.FullRune(last) {
			head = head[:len(head)-i]
			break
		}
	}
	return utf8.Valid(head)
}

// looksChinese reports whether a text that is no UTF-8 is GB18030: there high
// bytes come in pairs, most of them in the range of the common characters, while
// the accented letters of Latin-1 stand alone or in another range.
func looksChinese(head []byte) bool {
	common, other := 0, 0
	for i := 0; i < len(head); i++ {
		switch {
		case head[i] < 0x80:
		case i+1 < len(head) && head[i] >= 0xb0 && head[i] <= 0xd7 && head[i+1] >= 0xa1:
			common++
			i++
		default:
			other++
		}
	}
	return common > 1 && common > 2*other && !isUTF8(head)
}

// isBinary reports whether a file is of a kind that is no text.
func isBinary(head []byte) bool {
	for _, f := range formats() {
		if f.binary && f.is(head) {
			return true
		}
	}
	return bytes.HasPrefix(head, []byte("PK"))
}
