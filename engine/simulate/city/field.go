package city

import "math"

// fieldCell is the side of the orientation field's cells, metres.
const fieldCell = 40.0

// field says in which direction streets run at each place, up to quarter
// turns: along the main roads near them, smoothly blended between them, turned
// a little by noise, most in the old town. An angle is kept as the cosine and
// sine of four times itself, in which quarter turns vanish.
type field struct {
	plan       *plan
	w, h       int
	cos, sin   []float64
	bend, turn noise
}

func newField(p *plan, roads []road) *field {
	w, h := int(2*reachX/fieldCell), int(2*reachY/fieldCell)
	f := &field{plan: p, w: w, h: h, cos: make([]float64, w*h), sin: make([]float64, w*h),
		bend: noise{p.rng.Uint64(), 420}, turn: noise{p.rng.Uint64(), 1500}}
	fixed := make([]bool, w*h)
	for _, r := range roads {
		if r.level == 0 {
			f.stamp(r.line, fixed)
		}
	}
	f.stamp(p.river, fixed)
	f.stamp(p.rail, fixed)
	f.blend(fixed)
	return f
}

// stamp fixes the field along a line.
func (f *field) stamp(l line, fixed []bool) {
	dense := l.resample(fieldCell / 2)
	for i, q := range dense {
		k, ok := f.index(q)
		if !ok {
			continue
		}
		dir := dense.tangent(i)
		a := 4 * math.Atan2(dir.y, dir.x)
		if !fixed[k] {
			f.cos[k], f.sin[k], fixed[k] = math.Cos(a), math.Sin(a), true
		}
	}
}

func (f *field) index(q vec) (int, bool) {
	i, j := int((q.x+reachX)/fieldCell), int((q.y+reachY)/fieldCell)
	return j*f.w + i, q.x > -reachX && q.y > -reachY && i < f.w && j < f.h
}

// blend spreads the fixed directions over the field: each free cell becomes the
// mean of its neighbours, drawn a little to its district's own direction.
func (f *field) blend(fixed []bool) {
	ownCos, ownSin := make([]float64, f.w*f.h), make([]float64, f.w*f.h)
	for k := range ownCos {
		a := 4 * f.district(f.at(k%f.w, k/f.w))
		ownCos[k], ownSin[k] = 0.02*math.Cos(a), 0.02*math.Sin(a)
	}
	for range 200 {
		for j := 1; j < f.h-1; j++ {
			for k := j*f.w + 1; k < j*f.w+f.w-1; k++ {
				if !fixed[k] {
					f.cos[k] = 0.245*(f.cos[k-1]+f.cos[k+1]+f.cos[k-f.w]+f.cos[k+f.w]) + ownCos[k]
					f.sin[k] = 0.245*(f.sin[k-1]+f.sin[k+1]+f.sin[k-f.w]+f.sin[k+f.w]) + ownSin[k]
				}
			}
		}
	}
}

func (f *field) at(i, j int) vec {
	return vec{(float64(i)+0.5)*fieldCell - reachX, (float64(j)+0.5)*fieldCell - reachY}
}

// district is the direction of the grid that a district would have by itself.
func (f *field) district(q vec) float64 { return math.Pi / 2 * f.turn.at(q) }

// angle is the direction of streets at q in radians, up to quarter turns.
func (f *field) angle(q vec) float64 {
	x, y := (q.x+reachX)/fieldCell-0.5, (q.y+reachY)/fieldCell-0.5
	i, j := int(math.Max(0, math.Min(float64(f.w-2), x))), int(math.Max(0, math.Min(float64(f.h-2), y)))
	fx, fy := x-float64(i), y-float64(j)
	k := j*f.w + i
	c := mix(mix(f.cos[k], f.cos[k+1], fx), mix(f.cos[k+f.w], f.cos[k+f.w+1], fx), fy)
	s := mix(mix(f.sin[k], f.sin[k+1], fx), mix(f.sin[k+f.w], f.sin[k+f.w+1], fx), fy)
	return math.Atan2(s, c)/4 + f.wobble(q)*f.bend.at(q)
}

// wobble is how far noise turns the streets at q, radians.
func (f *field) wobble(q vec) float64 {
	d := q.dist(f.plan.centre)
	return 0.16 + 0.34*math.Exp(-(d/520)*(d/520))
}

// along is the direction at q nearest to dir.
func (f *field) along(q, dir vec) vec {
	a := f.angle(q)
	u := vec{math.Cos(a), math.Sin(a)}
	best, v := math.Inf(-1), u
	for range 4 {
		if c := u.dot(dir); c > best {
			best, v = c, u
		}
		u = u.right()
	}
	return v
}
