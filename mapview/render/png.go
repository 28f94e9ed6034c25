package render

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/png"
	"io"
	"unicode/utf8"
)

// WritePNG writes the picture as PNG, with the scene's fields in it.
func WritePNG(w io.Writer, s *Scene, v Viewport, opt Options) error {
	var out bytes.Buffer
	if err := png.Encode(&out, Picture(s, v, opt)); err != nil {
		return err
	}
	const head = 8 + 25 // the signature and the chunk IHDR
	data := out.Bytes()
	if _, err := w.Write(data[:head]); err != nil {
		return err
	}
	for _, f := range s.About {
		if _, err := w.Write(textChunk(f)); err != nil {
			return err
		}
	}
	_, err := w.Write(data[head:])
	return err
}

// textChunk is a field as a chunk of PNG: tEXt where Latin-1 holds it, else iTXt.
func textChunk(f Field) []byte {
	body := append([]byte(f.Name), 0)
	kind := "tEXt"
	if value, ok := latin1(f.Value); ok {
		body = append(body, value...)
	} else {
		kind = "iTXt"
		body = append(body, 0, 0, 0, 0) // not compressed, of no language, name not translated
		body = append(body, f.Value...)
	}
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	chunk = append(append(chunk, kind...), body...)
	return binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
}

// latin1 is a text in ISO 8859-1; false where that has no sign for a letter.
func latin1(s string) ([]byte, bool) {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 255 || r == utf8.RuneError || r == 0 {
			return nil, false
		}
		out = append(out, byte(r))
	}
	return out, true
}
