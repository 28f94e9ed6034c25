// Command systems does for the table of systems (docs/results.md) what only the
// application can: map matching of dense trips that a system has estimated,
// recovery by the application's own methods, and scoring. It works on a data set
// as retrace dataset writes it, with --ticks, and the extract that it is of.
//
//	go run -tags ci ./tools/systems recover -network EXTRACT -set SET [-places DIR] [-method rntrajrec] [-even] OUT
//	go run -tags ci ./tools/systems score -network EXTRACT -set SET RECOVERED
//	go run -tags ci ./tools/systems cut -area W,S,E,N FILE OUT
//	go run -tags ci ./tools/systems draw -network EXTRACT -set SET -trip N [-what truth] RECOVERED FILE.csv
//
// RECOVERED is a folder with a segment (-1: none) and a ratio for each tick of
// all trips: segment.npy and ratio.npy.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"retrace/assets"
	"retrace/engine"
	"retrace/engine/roadnet"
	"retrace/osmimport"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "systems:", err)
		os.Exit(1)
	}
}

// job is what the flags of a command say.
type job struct {
	network, set  string
	places        string
	method, model string
	even          bool
	decoder       string
	beams         int
	trip          int
	what          string
	draws         int
	args          []string
}

func run(ctx context.Context, args []string, w io.Writer) error {
	commands := map[string]func(job, context.Context, *roadnet.Network, []trip, io.Writer) error{
		"recover": job.recover, "score": job.score, "draw": job.draw,
	}
	if len(args) > 0 && args[0] == "cut" {
		return cut(ctx, args[1:])
	}
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New("want recover, score, draw or cut")
	}
	j, err := parse(args)
	if err != nil {
		return err
	}
	imported, err := osmimport.Import(ctx, []string{j.network}, osmimport.Options{})
	if err != nil {
		return err
	}
	trips, err := readTrips(j.set, imported.Network)
	if err != nil {
		return err
	}
	return commands[args[0]](j, ctx, imported.Network, trips, w)
}

func parse(args []string) (job, error) {
	var j job
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	f.StringVar(&j.network, "network", "", "the extract that the data set is of")
	f.StringVar(&j.set, "set", "", "folder of the data set")
	f.StringVar(&j.places, "places", "", "folder of estimated places, lon.npy and lat.npy for each tick, to recover from; default: from the samples")
	f.StringVar(&j.method, "method", engine.MethodHMM, "how to recover: "+strings.Join(engine.Methods(), ", "))
	f.BoolVar(&j.even, "even", false, "spread the time of map matching evenly over the way: nothing of it was chosen on trips")
	f.StringVar(&j.model, "model", filepath.Join("assets", "models", assets.DefaultModel), "folder of the model's bundle")
	f.StringVar(&j.decoder, "decoder", "", "decoder of the model: routes or ticks; default: the one that it names")
	f.IntVar(&j.beams, "beams", 0, "beams that the decoder of ticks keeps, 1: greedy; default: the application's")
	f.IntVar(&j.trip, "trip", 0, "the trip to draw")
	f.StringVar(&j.what, "what", "recovered", "what to draw: recovered, truth or samples")
	f.IntVar(&j.draws, "draws", 200, "draws of resampling, for the ranges behind the figures")
	if err := f.Parse(args[1:]); err != nil {
		return j, err
	}
	j.args = f.Args()
	if want := map[string]int{"recover": 1, "score": 1, "draw": 2}[args[0]]; j.network == "" || j.set == "" || len(j.args) != want {
		return j, fmt.Errorf("%s wants -network, -set and %d more", args[0], want)
	}
	return j, nil
}
