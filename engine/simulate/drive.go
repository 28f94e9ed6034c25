package simulate

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"

	"retrace/engine/roadnet"
)

// longestStride bounds the steps in which a drive is worked out, metres.
const longestStride = 5.0

// topSpeed is never exceeded, m/s.
const topSpeed = 38.0

// drive is when the vehicle passes each stride of its route. Its slices are
// used again for the next.
type drive struct {
	w      *world
	length float64   // metres
	stride float64   // metres, a whole number of them makes the length
	starts []float64 // metres from the start of the drive to each segment's start
	limit  []float64 // m/s at each stride
	speed  []float64 // m/s at each stride
	wait   []float64 // seconds that the vehicle stands at each stride
	arrive []float64 // seconds from the start at which each stride is reached
	verts  []roadnet.Vertex

	lastSignal float64 // metres along the drive
	often      float64 // 0 to 1: how often the driver is held up, beside a taxi
}

// run works out a drive along a route that begins at the local time start.
func (d *drive) run(rng *rand.Rand, r route, who *driver, start time.Time) {
	d.measure(r)
	n := int(math.Ceil(d.length/longestStride)) + 1
	d.stride = d.length / float64(n-1)
	d.limit, d.speed = resize(d.limit, n), resize(d.speed, n)
	d.wait, d.arrive = resize(d.wait, n), resize(d.arrive, n)
	clear(d.wait)
	d.often = 1 - who.steadiness
	d.cruise(rng, r, who, start)
	d.holdUps(rng, r, start)
	d.limit[0], d.limit[n-1] = 0, 0
	d.wait[0] += rng.ExpFloat64() * d.w.profile.StartWait * d.often
	d.wait[n-1] = rng.ExpFloat64() * d.w.profile.EndWait * d.often
	d.obeyPhysics()
	d.clock()
}

func resize(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, n*2)
	}
	return s[:n]
}

// measure finds where each segment starts. A route that stays on one segment
// runs from ratio to ratio on it.
func (d *drive) measure(r route) {
	d.starts = d.starts[:0]
	along := -r.from * d.w.net.Length(r.path[0])
	for _, id := range r.path {
		d.starts = append(d.starts, along)
		along += d.w.net.Length(id)
	}
	last := r.path[len(r.path)-1]
	d.length = math.Max(longestStride, along-(1-r.to)*d.w.net.Length(last))
}

// cruise sets the speed that would be driven if nothing held up.
func (d *drive) cruise(rng *rand.Rand, r route, who *driver, start time.Time) {
	p := d.w.profile
	vary := p.StretchSpread * d.often
	stretch := vary * rng.NormFloat64()
	keep := math.Exp(-d.stride / p.StretchLength)
	shake := vary * math.Sqrt(1-keep*keep)
	hour := d.hourSpeed(start)
	k, base := 0, 0.0
	for i := range d.limit {
		along := float64(i) * d.stride
		for i == 0 && base == 0 || k+1 < len(r.path) && d.starts[k+1] <= along {
			if base != 0 {
				k++
			}
			base = d.usual(r.path[k]) * who.pace
		}
		stretch = keep*stretch + shake*rng.NormFloat64()
		d.limit[i] = math.Max(1.5, math.Min(topSpeed, base*hour*math.Exp(math.Min(0.25, stretch))))
	}
}

// usual is the speed that is usually driven on a segment without traffic, m/s.
func (d *drive) usual(id roadnet.SegmentID) float64 {
	p := d.w.profile
	line, _ := d.w.net.LineOf(id)
	z := normalOf(hash(0x9ace, uint64(line)))
	return d.w.net.FreeFlow(id) * p.ClassSpeed[d.w.net.Class(id)] * math.Exp(p.PlaceSpread*z)
}

// hourSpeed is the share of the usual speed that traffic allows at an hour.
func (d *drive) hourSpeed(t time.Time) float64 {
	table := &d.w.profile.WeekdaySpeed
	if day := t.Weekday(); day == time.Saturday || day == time.Sunday {
		table = &d.w.profile.WeekendSpeed
	}
	into := float64(t.Minute()) / 60
	return table[t.Hour()]*(1-into) + table[(t.Hour()+1)%24]*into
}

// obeyPhysics makes speeds that acceleration and brakes allow.
func (d *drive) obeyPhysics() {
	up, down := 2*d.w.profile.Accelerate*d.stride, 2*d.w.profile.Brake*d.stride
	copy(d.speed, d.limit)
	for i := 1; i < len(d.speed); i++ {
		d.speed[i] = math.Min(d.speed[i], math.Sqrt(d.speed[i-1]*d.speed[i-1]+up))
	}
	for i := len(d.speed) - 2; i >= 0; i-- {
		d.speed[i] = math.Min(d.speed[i], math.Sqrt(d.speed[i+1]*d.speed[i+1]+down))
	}
}

// clock adds up the time.
func (d *drive) clock() {
	now := 0.0
	d.arrive[0] = 0
	for i := 1; i < len(d.arrive); i++ {
		now += d.wait[i-1]
		now += 2 * d.stride / math.Max(0.8, d.speed[i-1]+d.speed[i])
		d.arrive[i] = now
	}
}

// duration is how long the drive takes, seconds.
func (d *drive) duration() float64 {
	n := len(d.arrive) - 1
	return d.arrive[n] + d.wait[n]
}

// at is how far the vehicle is, in metres, so many seconds after the start.
func (d *drive) at(seconds float64) float64 {
	i := sort.Search(len(d.arrive), func(i int) bool { return d.arrive[i] > seconds }) - 1
	if i >= len(d.arrive)-1 {
		return d.length
	}
	leaves := d.arrive[i] + d.wait[i]
	if seconds <= leaves {
		return math.Min(d.length, float64(i)*d.stride)
	}
	step := (seconds - leaves) / (d.arrive[i+1] - leaves)
	// With an even acceleration the way grows with the square of time.
	a, b := d.speed[i], d.speed[i+1]
	if a+b > 0 {
		step = step * (2*a + (b-a)*step) / (a + b)
	}
	return math.Min(d.length, (float64(i)+step)*d.stride)
}

// position is the place on the network so many metres from the start.
func (d *drive) position(r route, along float64) (int, roadnet.Position) {
	k := sort.Search(len(d.starts), func(i int) bool { return d.starts[i] > along }) - 1
	k = max(0, k)
	id := r.path[k]
	ratio := (along - d.starts[k]) / d.w.net.Length(id)
	return k, roadnet.Position{Segment: id, Ratio: math.Max(0, math.Min(1, ratio))}
}
