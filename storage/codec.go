package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unique"
)

// Records are written column by column, most of them as differences between
// neighbours in variable length, which are small.

// encoder appends values to a record. The first value that does not fit sets
// err, and the record is of no use.
type encoder struct {
	b   []byte
	err error
}

func (e *encoder) uint(v uint64) { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)   { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) byte(v byte)   { e.b = append(e.b, v) }
func (e *encoder) float(v float64) {
	e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v))
}

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

// steps writes v to a whole number of steps, n to the unit.
func (e *encoder) steps(what string, v float64, n float64) int64 {
	s := math.Round(v * n)
	if !(math.Abs(s) < 1<<53) {
		e.fail(what, v)
		return 0
	}
	return int64(s)
}

// share writes a value from 0 to 1 in 16 bits.
func (e *encoder) share(what string, v float32) {
	s := e.steps(what, float64(v), shareSteps)
	if s < 0 || s > shareSteps {
		e.fail(what, float64(v))
	}
	e.b = binary.LittleEndian.AppendUint16(e.b, uint16(s))
}

// margin writes a difference of two shares, from -1 to 1, in 16 bits.
func (e *encoder) margin(what string, v float32) {
	s := e.steps(what, float64(v), marginSteps)
	if s < -marginSteps || s > marginSteps {
		e.fail(what, float64(v))
	}
	e.b = binary.LittleEndian.AppendUint16(e.b, uint16(int16(s)))
}

// ratio writes a ratio along a segment, from 0 to 1, in 32 bits.
func (e *encoder) ratio(what string, v float64) {
	s := e.steps(what, v, ratioSteps)
	if s < 0 || s > ratioSteps {
		e.fail(what, v)
	}
	e.b = binary.LittleEndian.AppendUint32(e.b, uint32(s))
}

func (e *encoder) fail(what string, v float64) {
	if e.err == nil {
		e.err = fmt.Errorf("%s is %v, which cannot be kept", what, v)
	}
}

// Steps to the unit, in which values are kept.
const (
	shareSteps  = math.MaxUint16
	marginSteps = math.MaxInt16
	ratioSteps  = 1e9
	coordSteps  = 1e7
	metreSteps  = 1e3
)

var errRecord = errors.New("its content makes no sense")

// decoder reads a record. The first value that is not there sets err; from then
// on all values are zero.
type decoder struct {
	b   []byte
	at  int // index of the next byte
	err error
}

func (d *decoder) fail() { d.at, d.err = len(d.b), errRecord }

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b[d.at:])
	if n <= 0 {
		d.fail()
		return 0
	}
	d.at += n
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b[d.at:])
	if n <= 0 {
		d.fail()
		return 0
	}
	d.at += n
	return v
}

// take returns the next n bytes, nil if they are not there.
func (d *decoder) take(n int) []byte {
	if n > len(d.b)-d.at {
		d.fail()
		return nil
	}
	d.at += n
	return d.b[d.at-n : d.at]
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) float() float64 {
	if b := d.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) text() string { return string(d.take(d.count(1))) }

// shared reads a text that many records have: it is in memory once.
func (d *decoder) shared() string { return unique.Make(d.text()).Value() }

// count reads the number of items that follow and take at least size bytes
// each, so that no more is allocated than the record can hold.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64((len(d.b)-d.at)/size) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) share() float32 {
	if b := d.take(2); b != nil {
		return float32(binary.LittleEndian.Uint16(b)) / shareSteps
	}
	return 0
}

func (d *decoder) margin() float32 {
	if b := d.take(2); b != nil {
		return float32(int16(binary.LittleEndian.Uint16(b))) / marginSteps
	}
	return 0
}

func (d *decoder) ratio() float64 {
	if b := d.take(4); b != nil {
		return float64(binary.LittleEndian.Uint32(b)) / ratioSteps
	}
	return 0
}

// end reports an error if the record was broken or if something is left of it.
func (d *decoder) end() error {
	if d.err == nil && d.at < len(d.b) {
		d.fail()
	}
	return d.err
}
