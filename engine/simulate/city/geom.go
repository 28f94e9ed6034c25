package city

import "math"

// vec is a place or a displacement in metres, x east and y north of the
// city's origin.
type vec struct{ x, y float64 }

func (a vec) add(b vec) vec             { return vec{a.x + b.x, a.y + b.y} }
func (a vec) sub(b vec) vec             { return vec{a.x - b.x, a.y - b.y} }
func (a vec) mul(k float64) vec         { return vec{a.x * k, a.y * k} }
func (a vec) dot(b vec) float64         { return a.x*b.x + a.y*b.y }
func (a vec) cross(b vec) float64       { return a.x*b.y - a.y*b.x }
func (a vec) norm() float64             { return math.Sqrt(a.x*a.x + a.y*a.y) }
func (a vec) dist(b vec) float64        { return a.sub(b).norm() }
func (a vec) right() vec                { return vec{a.y, -a.x} }
func (a vec) lerp(b vec, t float64) vec { return a.add(b.sub(a).mul(t)) }

func (a vec) unit() vec {
	n := a.norm()
	if n == 0 {
		return vec{1, 0}
	}
	return a.mul(1 / n)
}

// polar is the point at an angle (degrees, anticlockwise from east) and radius.
func polar(c vec, degrees, r float64) vec {
	a := degrees * math.Pi / 180
	return vec{c.x + r*math.Cos(a), c.y + r*math.Sin(a)}
}

// line is a polyline.
type line []vec

func (l line) length() float64 {
	var sum float64
	for i := 1; i < len(l); i++ {
		sum += l[i].dist(l[i-1])
	}
	return sum
}

// at is the point d metres along the line and the direction there; d is held
// within the line.
func (l line) at(d float64) (p, dir vec) {
	for i := 1; i < len(l); i++ {
		n := l[i].dist(l[i-1])
		if d <= n || i == len(l)-1 {
			dir = l[i].sub(l[i-1]).unit()
			return l[i-1].add(dir.mul(math.Max(0, math.Min(d, n)))), dir
		}
		d -= n
	}
	return l[0], vec{1, 0}
}

// between is the part of the line from a to b metres along it.
func (l line) between(a, b float64) line {
	p, _ := l.at(a)
	out := line{p}
	var along float64
	for i := 1; i < len(l); i++ {
		along += l[i].dist(l[i-1])
		if along >= b-0.01 {
			break
		}
		if along > a+0.01 {
			out = append(out, l[i])
		}
	}
	p, _ = l.at(b)
	return append(out, p)
}

// resample puts a vertex about every step metres, both ends kept.
func (l line) resample(step float64) line {
	total := l.length()
	n := max(1, int(math.Round(total/step)))
	out := make(line, 0, n+1)
	out = append(out, l[0])
	i, start := 1, 0.0
	for k := 1; k < n; k++ {
		d := total * float64(k) / float64(n)
		for i < len(l)-1 && start+l[i].dist(l[i-1]) < d {
			start += l[i].dist(l[i-1])
			i++
		}
		out = append(out, l[i-1].add(l[i].sub(l[i-1]).unit().mul(d-start)))
	}
	return append(out, l[len(l)-1])
}

func (l line) reversed() line {
	out := make(line, len(l))
	for i, p := range l {
		out[len(l)-1-i] = p
	}
	return out
}

// closed reports whether the line ends where it starts.
func (l line) closed() bool { return len(l) > 2 && l[0].dist(l[len(l)-1]) < 1e-6 }

// offset is the line moved to its right by width(metres along) metres.
func (l line) offset(width func(along float64) float64) line {
	out := make(line, len(l))
	var along float64
	for i := range l {
		if i > 0 {
			along += l[i].dist(l[i-1])
		}
		out[i] = l[i].add(l.tangent(i).right().mul(width(along)))
	}
	if l.closed() {
		out[len(out)-1] = out[0]
	}
	return out
}

// tangent is the direction at vertex i.
func (l line) tangent(i int) vec {
	a, b := max(0, i-1), min(len(l)-1, i+1)
	if l.closed() && (i == 0 || i == len(l)-1) {
		a, b = len(l)-2, 1
	}
	return l[b].sub(l[a]).unit()
}

// nearest is the distance from p to the line and how far along it that is.
func (l line) nearest(p vec) (dist, along float64) {
	dist = math.Inf(1)
	var start float64
	for i := 1; i < len(l); i++ {
		d := l[i].sub(l[i-1])
		n := d.norm()
		if n == 0 {
			continue
		}
		t := math.Max(0, math.Min(n, p.sub(l[i-1]).dot(d)/n))
		if e := l[i-1].add(d.mul(t / n)).dist(p); e < dist {
			dist, along = e, start+t
		}
		start += n
	}
	return dist, along
}

// spline is a Catmull-Rom curve through the control points with a vertex about
// every step metres.
func spline(ctrl line, closed bool, step float64) line {
	n := len(ctrl)
	get := func(i int) vec {
		if closed {
			return ctrl[(i%n+n)%n]
		}
		return ctrl[max(0, min(n-1, i))]
	}
	spans := n - 1
	if closed {
		spans = n
	}
	var out line
	for i := range spans {
		a, b, c, d := get(i-1), get(i), get(i+1), get(i+2)
		for k := range 16 {
			out = append(out, catmull(a, b, c, d, float64(k)/16))
		}
	}
	out = append(out, get(spans))
	return out.resample(step)
}

func catmull(a, b, c, d vec, t float64) vec {
	f := func(a, b, c, d float64) float64 {
		return 0.5 * (2*b + (c-a)*t + (2*a-5*b+4*c-d)*t*t + (3*b-a-3*c+d)*t*t*t)
	}
	return vec{f(a.x, b.x, c.x, d.x), f(a.y, b.y, c.y, d.y)}
}

// simplify drops vertices that lie within tol metres of the line without them.
func (l line) simplify(tol float64) line {
	if len(l) < 3 {
		return l
	}
	a, b := l[0], l[len(l)-1]
	worst, at := 0.0, 0
	for i := 1; i < len(l)-1; i++ {
		if d, _ := (line{a, b}).nearest(l[i]); d > worst {
			worst, at = d, i
		}
	}
	if worst <= tol && !l.closed() {
		return line{a, b}
	}
	if at == 0 {
		at = len(l) / 2
	}
	head := l[:at+1].simplify(tol)
	return append(head[:len(head):len(head)], l[at:].simplify(tol)[1:]...)
}

// inside reports whether p lies in the closed ring.
func (l line) inside(p vec) bool {
	in := false
	for i, j := 0, len(l)-1; i < len(l); j, i = i, i+1 {
		if (l[i].y > p.y) != (l[j].y > p.y) &&
			p.x < (l[j].x-l[i].x)*(p.y-l[i].y)/(l[j].y-l[i].y)+l[i].x {
			in = !in
		}
	}
	return in
}

// meet is where segments ab and cd cross, as ratios along both.
func meet(a, b, c, d vec) (t, u float64, ok bool) {
	r, s := b.sub(a), d.sub(c)
	den := r.cross(s)
	if math.Abs(den) < 1e-9 {
		return 0, 0, false
	}
	t = c.sub(a).cross(s) / den
	u = c.sub(a).cross(r) / den
	return t, u, t >= 0 && t <= 1 && u >= 0 && u <= 1
}
