// Command rates compares settings of recovery at sampling rates from one second to
// minutes, on trips simulated over networks, which no figure that is reported is
// measured on: their dense points come each second, with the noise of a receiver, and
// vehicles stand, turn back and make detours.
//
//	go run -tags ci ./tools/rates -method rntrajrec -trips 40 Centroid=0 HMM.UTurn=100+HMM.Back=20
//
// For each rate and variant it prints the F1 of the path by length, the error in metres
// every 15 s, impossible hops told and not told, parts, how much more is believed of
// places every 15 s than is right, and points recovered in a second of the processor. A
// rate of "mixed" changes within each trip.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory"
	"retrace/internal/cputime"
	"retrace/osmimport"
	"retrace/tools/trial"
)

func main() {
	var c comparison
	flag.StringVar(&c.data, "data", filepath.Join("..", "shared", "data"), "folder of the data")
	networks := flag.String("networks", "osm/columbus.osm.pbf,osm/yokohama.osm.gz", "extracts, below the folder of the data")
	flag.BoolVar(&c.untagged, "untagged", true, "the networks as they would be without tags")
	flag.IntVar(&c.trips, "trips", 30, "trips over each network")
	flag.Uint64Var(&c.seed, "seed", 1, "of the trips")
	flag.StringVar(&c.method, "method", engine.MethodHMM, "the method whose settings are compared")
	flag.StringVar(&c.model, "model", "", "folder of the bundle; default: the one built in")
	rates := flag.String("rates", "1s,5s,15s,30s,60s,120s,240s,mixed", "times between two points")
	flag.Parse()
	c.networks, c.rates, c.changes = strings.Split(*networks, ","), strings.Split(*rates, ","), flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := c.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "rates:", err)
		os.Exit(1)
	}
}

// comparison is one run of the command.
type comparison struct {
	data, method, model      string
	networks, rates, changes []string
	untagged                 bool
	trips                    int
	seed                     uint64
}

// row is how a variant did at one rate.
type row struct {
	trips, points, told, untold, parts, ticks int
	f1, metres, believed, right               float64
	used                                      time.Duration
}

func (c comparison) run(ctx context.Context, w io.Writer) error {
	model, err := c.open()
	if err != nil {
		return err
	}
	variants := append([]string{"default"}, c.changes...)
	rows := make([]row, len(variants)*len(c.rates))
	for _, file := range c.networks {
		net, err := c.load(ctx, file)
		if err != nil {
			return err
		}
		trips, err := c.simulated(ctx, net)
		if err != nil {
			return err
		}
		for v, changes := range variants {
			r, err := c.recoverer(ctx, net, model, changes)
			if err != nil {
				return err
			}
			for i, rate := range c.rates {
				if err := rows[i*len(variants)+v].add(ctx, net, r, trips, rate); err != nil {
					return err
				}
			}
		}
	}
	return print(w, c.rates, variants, rows)
}

func (c comparison) open() (*engine.Model, error) {
	if c.method != engine.MethodRNTrajRec {
		return nil, nil
	}
	return trial.Model(c.model)
}

func (c comparison) load(ctx context.Context, file string) (*roadnet.Network, error) {
	res, err := osmimport.Import(ctx, []string{filepath.Join(c.data, file)}, osmimport.Options{})
	if err != nil {
		return nil, err
	}
	if c.untagged {
		return res.Network.Untagged(), nil
	}
	return res.Network, nil
}

// receivers are those of the trips, in turn: as taxis have them, and worse ones, with
// drivers who wait and turn back more often.
func receivers() []*simulate.Profile {
	worse := simulate.DefaultProfile()
	worse.Noise, worse.Drift, worse.DriftSeconds, worse.Outlier, worse.OutlierReach = 2.5, 5, 40, 0.002, 80
	worse.Return, worse.StartWait, worse.EndWait = 0.3, 60, 60
	worse.Distance, worse.Steady = 6000, 0.5
	return []*simulate.Profile{simulate.DefaultProfile(), worse}
}

func (c comparison) simulated(ctx context.Context, net *roadnet.Network) ([]simulate.Trip, error) {
	var all []simulate.Trip
	profiles := receivers()
	for _, p := range profiles {
		for trip, err := range simulate.Trips(ctx, net, simulate.Options{Profile: p, Seed: c.seed, Count: c.trips / len(profiles), Tick: time.Second}) {
			if err != nil {
				return nil, err
			}
			all = append(all, trip)
		}
	}
	return all, nil
}

func (c comparison) recoverer(ctx context.Context, net *roadnet.Network, model *engine.Model, changes string) (*engine.Recoverer, error) {
	s := engine.DefaultSettings()
	s.Method, s.Model = c.method, model
	if changes != "default" {
		if err := trial.Change(&s, changes); err != nil {
			return nil, err
		}
	}
	if err := s.AskRoads(ctx, net, 0); err != nil {
		return nil, err
	}
	return engine.NewRecoverer(net, s)
}

// thin keeps the points of a trip a rate apart; a mixed rate changes every three minutes.
func thin(t *trajectory.Trajectory, rate string) (*trajectory.Trajectory, error) {
	keeps := []string{rate}
	if rate == "mixed" {
		keeps = []string{"1s", "60s", "5s", "120s", "15s"}
	}
	out := *t
	out.Samples = nil
	for i, s := range t.Samples {
		every, err := time.ParseDuration(keeps[int((s.Time-t.Samples[0].Time)/180_000)%len(keeps)])
		if err != nil {
			return nil, err
		}
		n := len(out.Samples)
		if n == 0 || i == len(t.Samples)-1 || s.Time-out.Samples[n-1].Time >= every.Milliseconds() {
			out.Samples = append(out.Samples, s)
		}
	}
	return &out, nil
}

func (r *row) add(ctx context.Context, net *roadnet.Network, rec *engine.Recoverer, trips []simulate.Trip, rate string) error {
	for _, trip := range trips {
		sparse, err := thin(trip.Dense, rate)
		if err != nil {
			return err
		}
		begin := cputime.Used()
		got, err := rec.Recover(ctx, sparse, nil)
		if err != nil {
			return err
		}
		r.used += cputime.Used() - begin
		r.trips++
		r.points += len(sparse.Samples)
		r.parts += len(got.Parts)
		r.f1 += metrics.PathF1(net, trip.Truth, got)
		told, untold := metrics.Hops(sparse, got)
		r.told, r.untold = r.told+told, r.untold+untold
		r.places(trip.Truth, got)
	}
	return nil
}

// places compares every fifteenth second with the truth.
func (r *row) places(truth, got *trajectory.Recovery) {
	k := 0
	for _, t := range truth.Ticks {
		if (t.Time-truth.Ticks[0].Time)%15_000 != 0 {
			continue
		}
		for k < len(got.Ticks) && got.Ticks[k].Time < t.Time {
			k++
		}
		if k == len(got.Ticks) || got.Ticks[k].Time != t.Time {
			continue
		}
		g := got.Ticks[k]
		r.ticks++
		r.metres += roadnet.Distance(roadnet.Point{Lon: t.Lon, Lat: t.Lat}, roadnet.Point{Lon: g.Lon, Lat: g.Lat})
		r.believed += float64(g.Probability)
		if g.At.Segment == t.At.Segment {
			r.right++
		}
	}
}

func print(w io.Writer, rates, variants []string, rows []row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "rate\tsettings\ttrips\tpath F1\tMAE m\thops told\tnot told\tparts\tbelieved\tright\tpoints/CPU s")
	for i, rate := range rates {
		for v, name := range variants {
			r := rows[i*len(variants)+v]
			n, m := float64(r.trips), float64(r.ticks)
			fmt.Fprintf(t, "%s\t%s\t%d\t%.4f\t%.2f\t%d\t%d\t%.3f\t%.4f\t%.4f\t%.0f\n", rate, name, r.trips, r.f1/n, r.metres/m,
				r.told, r.untold, float64(r.parts)/n, r.believed/m, r.right/m, float64(r.points)/r.used.Seconds())
		}
	}
	return t.Flush()
}
