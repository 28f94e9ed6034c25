package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"

	"github.com/sbinet/npyio/npy"
)

// Tensor is a dense array in row-major order. Either Floats or Ints is set.
type Tensor struct {
	Shape  []int64
	Floats []float32
	Ints   []int32
}

// Golden are what a graph was once asked and what PyTorch answered.
type Golden struct {
	Inputs, Outputs []Tensor // in the order of the graph's
}

// Golden reads the golden vectors of a graph.
func (b *Bundle) Golden(graph string) (*Golden, error) {
	g, err := b.Manifest.Graph(graph)
	if err != nil {
		return nil, err
	}
	var golden Golden
	if golden.Inputs, err = b.vectors(g, g.Inputs); err != nil {
		return nil, err
	}
	golden.Outputs, err = b.vectors(g, g.Outputs)
	return &golden, err
}

func (b *Bundle) vectors(g Graph, ports []Port) ([]Tensor, error) {
	var all []Tensor
	for _, p := range ports {
		name := "golden/" + g.Name + "/" + p.Name + ".npy"
		t, err := readVector(b.files, name, p)
		if err != nil {
			return nil, fmt.Errorf("bundle %q: the stored answer %s: %w", b.Manifest.Name, name, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// errVector says that a file is no array as NumPy writes them.
var errVector = errors.New("it cannot be read as a NumPy array")

func readVector(files fs.FS, name string, p Port) (t Tensor, err error) {
	data, err := readFile(files, name, largest)
	if err != nil {
		return Tensor{}, err
	}
	defer func() {
		if recover() != nil { // what the library does with a header that is cut
			err = errVector
		}
	}()
	if len(data) >= 12 && data[6] >= 2 && int64(binary.LittleEndian.Uint32(data[8:])) > int64(len(data)) {
		return Tensor{}, errVector // the library would make room for the header that it names
	}
	r, err := npy.NewReader(bytes.NewReader(data))
	if err != nil {
		return Tensor{}, err
	}
	left := int64(len(data)) / 4 // values that there is room for
	for _, n := range r.Header.Descr.Shape {
		t.Shape = append(t.Shape, int64(n))
		if n < 1 || int64(n) > left {
			return Tensor{}, errVector
		}
		left /= int64(n)
	}
	if len(t.Shape) != len(p.Axes) || r.Header.Descr.Fortran {
		return Tensor{}, fmt.Errorf("it has the shape %v, the manifest says %v", t.Shape, p.Axes)
	}
	switch p.Type {
	case "float32":
		err = r.Read(&t.Floats)
	case "int32":
		err = r.Read(&t.Ints)
	default:
		err = fmt.Errorf("its type %q is neither float32 nor int32", p.Type)
	}
	return t, err
}
