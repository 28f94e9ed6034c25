package rntrajrec

import "context"

// What is asked about one trip goes into calls no larger than those for many:
// so a trip of many thousand samples takes no more of the device's memory, and
// is cancelled as soon.

// askRoutes asks about the candidates and options of a trip, of which each has a
// score of its own.
func (d *Decoder) askRoutes(ctx context.Context, j *job) (routeAnswer, error) {
	t := &j.trip
	n, m := len(t.Candidates), len(t.Options)
	calls := 1 + (len(t.CandidateValues)+len(t.RouteValues)-1)/d.routes.most
	calls = max(1, min(calls, n, m)) // there is something of both in each
	var all routeAnswer
	for i := range calls {
		q, err := d.routeQuestion(ctx, j, i*n/calls, (i+1)*n/calls, i*m/calls, (i+1)*m/calls)
		if err != nil {
			return routeAnswer{}, err
		}
		a, err := d.routes.ask(ctx, q)
		if err != nil {
			return routeAnswer{}, err
		}
		if calls == 1 {
			return a, nil
		}
		all.u, all.v = append(all.u, a.u...), append(all.v, a.v...)
	}
	return all, nil
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
