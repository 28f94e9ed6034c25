package work

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fyne.io/fyne/v2/lang"

	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/engine/trajectory/recovered"
	"retrace/ui/state"
	"retrace/ui/task"
	"retrace/ui/words"
)

// muchDenser is how many times as many points another version of a trip has,
// at the least, to be taken for its truth.
const muchDenser = 1.5

// apart is by how much two versions of a trip may begin or end apart,
// milliseconds.
const apart = 3 * 60 * 1000

// isDenser reports whether a trajectory is a denser version of another one: at
// the same time, with many more points.
func isDenser(dense, t *trajectory.Trajectory) bool {
	n, m := len(dense.Samples), len(t.Samples)
	if m == 0 || float64(n) < muchDenser*float64(m) {
		return false
	}
	near := func(a, b trajectory.Sample) bool { return max(a.Time-b.Time, b.Time-a.Time) <= apart }
	return near(dense.Samples[0], t.Samples[0]) && near(dense.Samples[n-1], t.Samples[m-1])
}

// useAsTruth takes trips for the truth of others, of which they are denser
// versions; versions says by the id of each of which.
func (d *Desk) useAsTruth(versions map[string]string) {
	var dense []*trajectory.Trajectory
	var leave []*state.Trip
	for _, t := range d.state.Trips() {
		if of, ok := versions[t.ID()]; ok && d.state.Trip(of) != nil {
			same := *t.Trajectory()
			same.ID = of
			dense, leave = append(dense, &same), append(leave, t)
		}
	}
	if len(dense) > 0 {
		d.findTruths(leave, func(context.Context) (known, error) { return known{dense: dense}, nil })
	}
}

// OpenTruth reads how trips that are here were really driven: recoveries that
// were written on this network, or denser trajectories of the same ids.
func (d *Desk) OpenTruth(paths []string) {
	net := d.state.Network()
	if net == nil {
		return
	}
	d.findTruths(nil, func(ctx context.Context) (known, error) { return readTruths(ctx, paths, net) })
}

// known is what is known of how trips were driven.
type known struct {
	ways  []*trajectory.Recovery
	dense []*trajectory.Trajectory
}

func readTruths(ctx context.Context, paths []string, net *roadnet.Network) (known, error) {
	var k known
	for _, path := range paths {
		if ways, err := recovered.Read(ctx, path, net); err == nil {
			k.ways = append(k.ways, ways...)
			continue
		}
		for t, err := range read.Files(ctx, []string{path}, nil, read.Options{}) {
			if err != nil {
				return k, err
			}
			k.dense = append(k.dense, t)
		}
	}
	return k, ctx.Err()
}

// findTruths matches what is known of how trips were driven, and shows it; the
// trips that it is known from leave then.
func (d *Desk) findTruths(leave []*state.Trip, ask func(context.Context) (known, error)) {
	net := d.state.Network()
	here := map[string]bool{}
	for _, id := range idsOf(d.state.Trips()) {
		here[id] = true
	}
	settings := d.basicSettings()
	settings.Method, settings.Alternatives = engine.MethodHMM, 0
	truths, strange := map[string]state.Truth{}, 0
	d.tasks.Start(lang.L("Reading the truth"), func(ctx context.Context, report func(task.Progress)) error {
		k, err := ask(ctx)
		if err != nil {
			return err
		}
		add := func(r *trajectory.Recovery) {
			truths[r.Trajectory] = state.Truth{Way: slim(r, net), Path: pathsOf(net, r)}
		}
		for _, r := range k.ways {
			if here[r.Trajectory] {
				add(r)
			} else {
				strange++
			}
		}
		n := len(k.dense)
		k.dense = slices.DeleteFunc(k.dense, func(t *trajectory.Trajectory) bool { return !here[t.ID] })
		strange += n - len(k.dense)
		return match(ctx, net, settings, k.dense, report, add)
	}, func(err error) {
		d.fail(lang.L("The truth cannot be read."), err)
		if err == nil {
			d.takeTruths(truths, strange, leave)
		}
	})
}

// match has every dense trajectory matched; those that no road can be found for
// are passed over.
func match(ctx context.Context, net *roadnet.Network, settings engine.Settings, dense []*trajectory.Trajectory, report func(task.Progress),
	add func(*trajectory.Recovery)) error {
	rec, err := engine.NewRecoverer(net, settings)
	if err != nil {
		return fmt.Errorf("match the truth: %w", err)
	}
	done := int64(0)
	return rec.AsFinished(ctx, trajectory.Each(dense), nil, func(_ *trajectory.Trajectory, r *trajectory.Recovery, err error) error {
		done++
		report(task.Progress{Done: done, Total: int64(len(dense))})
		if err == nil && len(r.Parts) > 0 {
			add(r)
		}
		return nil
	})
}

// slim is what of a truth is needed.
func slim(r *trajectory.Recovery, net *roadnet.Network) *trajectory.Recovery {
	way := &trajectory.Recovery{Trajectory: r.Trajectory, Ticks: r.Ticks, Parts: r.Parts, Provenance: r.Provenance}
	way.Provenance.Fingerprint = net.Info().Fingerprint
	return way
}

// takeTruths shows truths, takes the trips away that they are known from, both
// in one step, and says how good the recoveries are beside them.
func (d *Desk) takeTruths(truths map[string]state.Truth, strange int, leave []*state.Trip) {
	if len(truths) == 0 {
		d.state.Notify(state.Warn, lang.L("It holds the truth of no trip that is here. Trips are told by their ids, which must be the same."), "")
		return
	}
	if len(leave) > 0 {
		d.forgetKnown() // dropped again, their files are read again
	}
	d.setTruths(state.TruthStep, truths, leave)
	n := len(truths)
	text := lang.N("The truth of {{.N}} trips is known.", n, map[string]any{"N": words.Count(n)})
	var worst *state.Trip
	var all []state.Measure
	least := math.Inf(1)
	for _, t := range d.state.Trips() {
		if _, ok := truths[t.ID()]; !ok {
			continue
		}
		if m, ok := d.Measure(t); ok {
			all = append(all, m)
			if m.Alike < least {
				worst, least = t, m.Alike
			}
		}
	}
	if worst == nil {
		d.state.Notify(state.Info, text, "")
		return
	}
	text += " " + words.Measured(mean(all))
	if strange > 0 {
		text += " " + lang.N("{{.N}} trips of it are not here.", strange, map[string]any{"N": words.Count(strange)})
	}
	d.state.NotifyOffer(state.Info, text, "", &state.Offer{Name: lang.L("Look at the worst"), Run: func() { d.CompareTruth(worst) }})
}

// ForgetTruths takes away what is known of how trips were driven.
func (d *Desk) ForgetTruths() {
	none := map[string]state.Truth{}
	for _, t := range d.state.Trips() {
		if t.True != nil {
			none[t.ID()] = state.Truth{}
		}
	}
	d.setTruths(state.ForgetStep, none, nil)
	d.offerUndo(lang.N("The truth of {{.N}} trips is forgotten.", len(none), map[string]any{"N": words.Count(len(none))}))
}

// setTruths sets truths and takes trips away, in one step.
func (d *Desk) setTruths(kind state.StepKind, truths map[string]state.Truth, leave []*state.Trip) {
	var of []*state.Trip
	for _, t := range d.state.Trips() {
		if _, ok := truths[t.ID()]; ok {
			of = append(of, t)
		}
	}
	d.state.Do(kind, len(of), state.NameOf(of), func() {
		d.state.RemoveTrips(idsOf(leave))
		d.state.SetTruths(truths)
	})
}
