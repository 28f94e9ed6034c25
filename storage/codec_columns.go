package storage

// differ writes whole numbers as differences from one to the next.
type differ struct {
	e    *encoder
	last int64
}

func (d *differ) put(v int64) {
	d.e.int(v - d.last)
	d.last = v
}

// summer reads what differ wrote.
type summer struct {
	d    *decoder
	last int64
}

func (s *summer) next() int64 {
	s.last += s.d.int()
	return s.last
}

// times writes a column of times as differences of differences: ticks come at
// even steps.
func (e *encoder) times(n int, at func(int) int64) {
	steps := differ{e: e}
	var last int64
	for i := range n {
		steps.put(at(i) - last)
		last = at(i)
	}
}

func (d *decoder) times(n int, set func(int, int64)) {
	steps := summer{d: d}
	var last int64
	for i := range n {
		last += steps.next()
		set(i, last)
	}
}

// quanta writes a column of numbers to the nearest step, n steps to the unit.
func (e *encoder) quanta(what string, count int, n float64, at func(int) float64) {
	steps := differ{e: e}
	for i := range count {
		steps.put(e.steps(what, at(i), n))
	}
}

func (d *decoder) quanta(count int, n float64, set func(int, float64)) {
	steps := summer{d: d}
	for i := range count {
		set(i, float64(steps.next())/n)
	}
}

// The two ways to keep a column of coordinates exactly.
const (
	exactSteps  = 0 // all are whole multiples of 1e-7
	exactFloats = 1
)

// exact writes a column of coordinates so that they come back bit by bit: as
// steps of 1e-7 where that is what they are, as in most files, else as floats.
func (e *encoder) exact(what string, count int, at func(int) float64) {
	whole := true
	for i := range count {
		v := at(i)
		whole = whole && v == float64(e.steps(what, v, coordSteps))/coordSteps
	}
	if whole {
		e.byte(exactSteps)
		e.quanta(what, count, coordSteps, at)
		return
	}
	e.byte(exactFloats)
	for i := range count {
		e.float(at(i))
	}
}

func (d *decoder) exact(count int, set func(int, float64)) {
	switch d.byte() {
	case exactSteps:
		d.quanta(count, coordSteps, set)
	case exactFloats:
		for i := range count {
			set(i, d.float())
		}
	default:
		d.fail()
	}
}

// runs writes a column of which neighbours are mostly equal: each value with
// how often it comes.
func (e *encoder) runs(n int, at func(int) int64) {
	for i := 0; i < n; {
		j := i + 1
		for j < n && at(j) == at(i) {
			j++
		}
		e.int(at(i))
		e.uint(uint64(j - i))
		i = j
	}
}

func (d *decoder) runs(n int, set func(int, int64)) {
	for i := 0; i < n; {
		v, count := d.int(), d.uint()
		if count == 0 || count > uint64(n-i) {
			d.fail()
			return
		}
		for end := i + int(count); i < end; i++ {
			set(i, v)
		}
	}
}
