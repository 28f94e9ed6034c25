// Package czlib stands in for a library of that name, which binds zlib in C. The OSM
// library asks for it wherever C can be built, though osmimport unpacks every block
// itself before that library sees it. Without the binding the program needs no zlib: no
// zlib1.dll on Windows, no header to build it.
package czlib

import (
	"compress/zlib"
	"io"
)

// NewReader unpacks zlib data.
func NewReader(r io.Reader) (io.ReadCloser, error) { return zlib.NewReader(r) }
