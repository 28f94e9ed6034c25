// Package netfile keeps one road network in a file of its own, which any number of
// processes open at once: it is mapped into memory and shared by them, and checked before
// anything of it is believed.
//
// A file begins with a mark, the version of its layout, and the length and the CRC-32C of
// a manifest in JSON. The arrays follow, little-endian, each at a multiple of 64 bytes
// and with a CRC-32C of its own. It is written beside its final name and renamed: whoever
// has the old one mapped keeps it. A file must not be changed in place while it is mapped.
package netfile

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/internal/atomicfile"
)

// Extension is that of the names of network files.
const Extension = ".network"

const (
	mark    = "RETRACE NETWORK\n"
	version = 1
	align   = 64
	// most bounds the manifest, bytes.
	most = 16 << 20
)

// Roads is what one model says of every segment of the network.
type Roads struct {
	Model  string // hash of its bundle
	Width  int    // values of a segment
	Values []float32
}

// manifest says what lies where in a file.
type manifest struct {
	Program string       `json:"program"`
	Info    roadnet.Info `json:"info"`
	Arrays  []array      `json:"arrays"`
}

// array is one array of a file.
type array struct {
	Of     string `json:"of"` // network, basemap or roads
	Name   string `json:"name"`
	Type   string `json:"type"`
	Count  int    `json:"count"`
	Width  int    `json:"width,omitempty"` // of roads
	Offset int64  `json:"offset"`
	CRC    uint32 `json:"crc32c"`
	data   any
}

// What arrays are of.
const (
	ofNetwork = "network"
	ofBasemap = "basemap"
	ofRoads   = "roads"
)

// Write writes a network with the map behind it (may be nil) and what models say of it.
// Program is told in the file.
func Write(path string, net *roadnet.Network, bm *basemap.Map, roads []Roads, program string) error {
	m := manifest{Program: program, Info: net.Info()}
	for _, c := range net.Columns() {
		m.Arrays = append(m.Arrays, array{Of: ofNetwork, Name: c.Name, data: c.Data})
	}
	if bm != nil {
		for _, c := range bm.Columns() {
			m.Arrays = append(m.Arrays, array{Of: ofBasemap, Name: c.Name, data: c.Data})
		}
	}
	for _, r := range roads {
		if r.Width < 1 || len(r.Values) != r.Width*net.NumSegments() {
			return fmt.Errorf("%s: what the model %s says is not of this network", path, r.Model)
		}
		m.Arrays = append(m.Arrays, array{Of: ofRoads, Name: r.Model, Width: r.Width, data: r.Values})
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := m.write(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Commit()
}

// write writes head and arrays.
func (m *manifest) write(to io.Writer) error {
	at := int64(0)
	for i := range m.Arrays {
		a := &m.Arrays[i]
		kind, count, ok := describe(a.data)
		if !ok {
			return fmt.Errorf("%s %q holds %T, which has no place in a network file", a.Of, a.Name, a.data)
		}
		sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
		if err := binary.Write(sum, binary.LittleEndian, a.data); err != nil {
			return err
		}
		a.Type, a.Count, a.Offset, a.CRC = kind, count, at, sum.Sum32()
		at = ceil(at + int64(binary.Size(a.data)))
	}
	text, err := json.Marshal(m) // offsets count from where the arrays begin
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(to, 1<<20)
	head := []byte(mark)
	for _, word := range []uint32{version, uint32(len(text)), checksum(text)} {
		head = binary.LittleEndian.AppendUint32(head, word)
	}
	head = append(head, text...)
	if _, err := w.Write(pad(head)); err != nil {
		return err
	}
	for _, a := range m.Arrays {
		if err := binary.Write(w, binary.LittleEndian, a.data); err != nil {
			return err
		}
		n := int64(binary.Size(a.data))
		if _, err := w.Write(make([]byte, ceil(n)-n)); err != nil {
			return err
		}
	}
	return w.Flush()
}

// ceil is the next multiple of the alignment.
func ceil(n int64) int64 { return (n + align - 1) / align * align }

// pad adds zeros up to it.
func pad(b []byte) []byte { return append(b, make([]byte, ceil(int64(len(b)))-int64(len(b)))...) }

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// describe is the type and the length of an array; false of one that has no place here.
func describe(data any) (kind string, count int, ok bool) {
	switch d := data.(type) {
	case []uint8:
		return "uint8", len(d), true
	case []int8:
		return "int8", len(d), true
	case []uint16:
		return "uint16", len(d), true
	case []uint32:
		return "uint32", len(d), true
	case []int32:
		return "int32", len(d), true
	case []int64:
		return "int64", len(d), true
	case []float32:
		return "float32", len(d), true
	}
	return "", 0, false
}

// columns are the arrays of one kind.
func (m *manifest) columns(of string) []roadnet.Column {
	var all []roadnet.Column
	for _, a := range m.Arrays {
		if a.Of == of {
			all = append(all, roadnet.Column{Name: a.Name, Data: a.data})
		}
	}
	return slices.Clip(all)
}
