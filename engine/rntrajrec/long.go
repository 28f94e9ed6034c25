package rntrajrec

import "context"

// What is asked about one trip goes into calls no larger than those for many:
// so a trip of many thousand samples takes no more of the device's memory, and
// is cancelled as soon.

// askRoutes asks about the candidates and options of a trip, of which each has a
// score of its own.
func (d *Decoder) askRoutes(ctx context.Context, j *job) (routeAnswer, error) {
	t := &j.trip
	calls := 1 + (len(t.CandidateValues)+len(t.RouteValues)-1)/d.routes.most
	var all routeAnswer
	for _, part := range (rows{0, len(t.Candidates), 0, len(t.Options)}).split(calls) {
		longest := j.longest(part)
		for _, rows := range part.split(1 + (part.o1-part.o0)*longest/mostCells) {
			q, err := d.routeQuestion(ctx, j, rows, longest)
			if err != nil {
				return routeAnswer{}, err
			}
			a, err := d.routes.ask(ctx, q)
			if err != nil {
				return routeAnswer{}, err
			}
			all.u, all.v = append(all.u, a.u...), append(all.v, a.v...)
		}
	}
	return all, nil
}

// rows are candidates c0 to c1 and options o0 to o1 of a trip.
type rows struct{ c0, c1, o0, o1 int }

// split cuts rows into so many parts, or into fewer where there would not be something
// of both in each, some rows at the least.
func (r rows) split(parts int) []rows {
	n, m := r.c1-r.c0, r.o1-r.o0
	parts = max(1, min(parts, n/fewestRows, m/fewestRows))
	all := make([]rows, parts)
	for i := range parts {
		all[i] = rows{r.c0 + i*n/parts, r.c0 + (i+1)*n/parts, r.o0 + i*m/parts, r.o0 + (i+1)*m/parts}
	}
	return all
}

// longest is how far options are padded, in segments.
func (j *job) longest(r rows) int {
	longest := 0
	for _, o := range j.trip.Options[r.o0:r.o1] {
		longest = max(longest, len(o.Segments))
	}
	return rung(longest)
}

// askTimes asks about the gaps of a trip.
func (d *Decoder) askTimes(ctx context.Context, gaps []gapQuestion) ([]gapAnswer, error) {
	var all []gapAnswer
	for first := 0; first < len(gaps); {
		last, size := first+1, rung(len(gaps[first].lengths))
		for last < len(gaps) && size+rung(len(gaps[last].lengths)) <= d.times.most {
			size += rung(len(gaps[last].lengths))
			last++
		}
		answers, err := d.times.ask(ctx, gaps[first:last])
		if err != nil {
			return nil, err
		}
		all = append(all, answers...)
		first = last
	}
	return all, nil
}
