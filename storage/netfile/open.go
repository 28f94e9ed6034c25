package netfile

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/internal/filehead"
)

// File is a network file that is open. It stays mapped until the process ends, as do the
// networks made of it, which nothing copies.
type File struct {
	path     string
	manifest manifest
	Network  *roadnet.Network
}

// Is reports whether a file is a network file, by its content.
func Is(path string) bool {
	head, err := filehead.Read(path, len(mark))
	return err == nil && string(head) == mark
}

// Open opens the network file at path and checks all of it but the map behind.
// An error names the file and what is wrong: it is none, of a newer version, cut off or
// damaged.
func Open(path string) (*File, error) {
	f := &File{path: path}
	b, err := mapped(path)
	if err == nil {
		err = f.read(b)
	}
	if err != nil {
		return nil, fmt.Errorf("network file %s: %w", path, err)
	}
	return f, nil
}

// read takes the content of a file.
func (f *File) read(b []byte) error {
	const head = len(mark) + 12
	switch {
	case len(b) < head || string(b[:len(mark)]) != mark:
		return fmt.Errorf("this is no network file")
	case binary.NativeEndian.Uint16([]byte{1, 0}) != 1:
		return fmt.Errorf("this computer's byte order is not that of network files; import the extract instead")
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[len(mark)+4*i:]) }
	if v := word(0); v != version {
		return fmt.Errorf("its layout has version %d, this program knows %d: export it again, or use the program that wrote it", v, version)
	}
	n := int64(word(1))
	if n > most || int64(head)+n > int64(len(b)) {
		return errDamaged("it is cut off")
	}
	text := b[head : int64(head)+n]
	if checksum(text) != word(2) {
		return errDamaged("its head does not fit its checksum")
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&f.manifest); err != nil {
		return errDamaged(err.Error())
	}
	if err := f.arrays(b[min(ceil(int64(head)+n), int64(len(b))):]); err != nil {
		return err
	}
	net, err := roadnet.FromColumns(f.manifest.Info, f.manifest.columns(ofNetwork))
	if err != nil {
		return errDamaged(err.Error())
	}
	f.Network = net
	for _, a := range f.manifest.Arrays {
		if a.Of == ofRoads && (a.Width < 1 || a.Count != a.Width*net.NumSegments()) {
			return errDamaged("what a model says in it is not of its network")
		}
	}
	return nil
}

func errDamaged(what string) error {
	return fmt.Errorf("it is damaged: %s; copy it again, or export it again", what)
}

// arrays finds the arrays in the mapped bytes and checks them on all cores.
func (f *File) arrays(b []byte) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range f.manifest.Arrays {
		a := &f.manifest.Arrays[i]
		size, ok := sizes()[a.Type]
		if !ok || a.Count < 0 || a.Count > len(b) || a.Offset < 0 || a.Offset%align != 0 || a.Offset > int64(len(b)) || int64(a.Count)*int64(size) > int64(len(b))-a.Offset {
			return errDamaged(fmt.Sprintf("%s %q does not lie in it: it is cut off", a.Of, a.Name))
		}
		at := b[a.Offset : a.Offset+int64(a.Count)*int64(size)]
		a.data = view(a.Type, at, a.Count)
		g.Go(func() error {
			if checksum(at) != a.CRC {
				return errDamaged(fmt.Sprintf("%s %q does not fit its checksum", a.Of, a.Name))
			}
			return nil
		})
	}
	return g.Wait()
}

// sizes are the bytes of an element, by type.
func sizes() map[string]int {
	return map[string]int{"uint8": 1, "int8": 1, "uint16": 2, "uint32": 4, "int32": 4, "int64": 8, "float32": 4}
}

// view is an array over bytes that lie at a multiple of its elements' size.
func view(kind string, b []byte, n int) any {
	switch kind {
	case "uint8":
		return over[uint8](b, n)
	case "int8":
		return over[int8](b, n)
	case "uint16":
		return over[uint16](b, n)
	case "uint32":
		return over[uint32](b, n)
	case "int32":
		return over[int32](b, n)
	case "int64":
		return over[int64](b, n)
	}
	return over[float32](b, n)
}

func over[T any](b []byte, n int) []T {
	if n == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// Basemap is the map behind the network; nil where there is none.
func (f *File) Basemap() (*basemap.Map, error) {
	columns := f.manifest.columns(ofBasemap)
	if len(columns) == 0 {
		return nil, nil
	}
	bm, err := basemap.FromColumns(columns)
	if err != nil {
		return nil, fmt.Errorf("network file %s: %w", f.path, errDamaged(err.Error()))
	}
	return bm, nil
}

// Roads is what the model of a hash says of every segment, width values each, in mapped
// memory; nil where the file has none.
func (f *File) Roads(model string, width int) []float32 {
	for _, a := range f.manifest.Arrays {
		if values, ok := a.data.([]float32); ok && a.Of == ofRoads && a.Name == model && a.Width == width {
			return values
		}
	}
	return nil
}

// aligned reads a whole file to where arrays may lie.
func aligned(f *os.File, size int) ([]byte, error) {
	words := make([]uint64, (size+7)/8+1)
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)
	if _, err := f.ReadAt(b, 0); err != nil {
		return nil, err
	}
	return b, nil
}

// mapped maps a file into memory or, where that cannot be, reads it.
func mapped(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("this is no file")
	case info.Size() == 0 || int64(int(info.Size())) != info.Size():
		return nil, fmt.Errorf("this is no network file")
	}
	if b, err := mapFile(f, int(info.Size())); err == nil {
		return b, nil
	}
	return aligned(f, int(info.Size()))
}
