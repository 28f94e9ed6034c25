package bundle

import (
	"encoding/binary"
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// facts are what is looked up in an ONNX file before a runtime sees it.
type facts struct {
	opset   int64  // of the operators of ONNX itself
	weights int    // numbers in the initializers of floating point
	broken  string // name of an initializer with what is no number; empty: none
}

// The numbers of the fields and types of ONNX's protocol buffers.
const (
	modelGraph, modelOpset                                           = 7, 8
	opsetDomain, opsetVersion                                        = 1, 2
	graphInitializer                                                 = 5
	tensorType, tensorFloats, tensorName, tensorRaw, tensorElsewhere = 2, 4, 8, 9, 14
	typeFloat, typeHalf                                              = 1, 10
)

var (
	errNoModel   = errors.New("it is no ONNX model")
	errElsewhere = errors.New("its weights lie in another file, which a bundle has no place for")
)

// inspect reads what is to be known of a model.
func inspect(model []byte) (facts, error) {
	var f facts
	err := fields(model, func(number protowire.Number, value []byte, _ uint64) error {
		switch number {
		case modelOpset:
			return f.readOpset(value)
		case modelGraph:
			return fields(value, func(number protowire.Number, value []byte, _ uint64) error {
				if number == graphInitializer {
					return f.readWeights(value)
				}
				return nil
			})
		}
		return nil
	})
	if err == nil && f.opset == 0 {
		err = errNoModel
	}
	return f, err
}

func (f *facts) readOpset(message []byte) error {
	domain, version := "", uint64(0)
	err := fields(message, func(number protowire.Number, value []byte, n uint64) error {
		switch number {
		case opsetDomain:
			domain = string(value)
		case opsetVersion:
			version = n
		}
		return nil
	})
	if domain == "" || domain == "ai.onnx" {
		f.opset = int64(version)
	}
	return err
}

func (f *facts) readWeights(message []byte) error {
	var kind uint64
	var name string
	var values []byte
	err := fields(message, func(number protowire.Number, value []byte, n uint64) error {
		switch number {
		case tensorType:
			kind = n
		case tensorName:
			name = string(value)
		case tensorFloats:
			values = append(values, value...)
		case tensorRaw:
			values = value
		case tensorElsewhere:
			if n != 0 {
				return errElsewhere
			}
		}
		return nil
	})
	var count int
	var whole bool
	switch kind {
	case typeFloat:
		count, whole = len(values)/4, finite32(values)
	case typeHalf:
		count, whole = len(values)/2, finite16(values)
	default:
		return err
	}
	f.weights += count
	if !whole {
		f.broken = name
	}
	return err
}

// finite32 reports whether all are numbers. A single infinity may be there to
// mask with.
func finite32(values []byte) bool {
	for at := 0; at+4 <= len(values); at += 4 {
		x := float64(math.Float32frombits(binary.LittleEndian.Uint32(values[at:])))
		if math.IsNaN(x) || math.IsInf(x, 0) && len(values) > 4 {
			return false
		}
	}
	return true
}

// finite16 is finite32 for half precision.
func finite16(values []byte) bool {
	const exponent, fraction = 0x7c00, 0x03ff
	for at := 0; at+2 <= len(values); at += 2 {
		x := binary.LittleEndian.Uint16(values[at:])
		if x&exponent == exponent && (x&fraction != 0 || len(values) > 2) {
			return false
		}
	}
	return true
}

// fields calls each for every field of a message: with its content where that
// has a length, with its number where it is one.
func fields(message []byte, each func(number protowire.Number, value []byte, n uint64) error) error {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return errNoModel
		}
		message = message[size:]
		var value []byte
		var n uint64
		switch kind {
		case protowire.BytesType:
			value, size = protowire.ConsumeBytes(message)
		case protowire.VarintType:
			n, size = protowire.ConsumeVarint(message)
		case protowire.Fixed32Type:
			var bits uint32
			bits, size = protowire.ConsumeFixed32(message)
			value = binary.LittleEndian.AppendUint32(nil, bits)
		default:
			size = protowire.ConsumeFieldValue(number, kind, message)
		}
		if size < 0 {
			return errNoModel
		}
		if err := each(number, value, n); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}
