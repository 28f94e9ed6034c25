// Command score recovers the shared evaluation sets, has them scored by the
// shared scoring programs, which know nothing of Retrace, and prints the
// figures beside the floors that recovery must reach. It ends with status 1
// where one is missed.
//
//	go run -tags ci ./tools/score -data ../shared
//
// The scoring programs need python3 and osmium.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"retrace/assets"
	"retrace/engine"
	"retrace/engine/metrics"
	"retrace/engine/ort"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared"), "folder of the shared data, with bench and data in it")
	out := flag.String("out", "", "folder for what was recovered; none: it is not kept")
	method := flag.String("method", engine.MethodHMM, "how to recover; truth: the true paths of the places at an even pace, without the taxi trips")
	tick := flag.Duration("tick", engine.DefaultSettings().Tick, "between two instants that are scored in the places, from the start of a drive")
	model := flag.String("model", filepath.Join("assets", "models", assets.DefaultModel), "folder of the model's bundle")
	decoder := flag.String("decoder", "", "how the model decodes: routes or ticks; none: as it decodes best")
	asJSON := flag.Bool("json", false, "print figures as retrace evaluate --json does, without judging them")
	gather := flag.Bool("gather", false, "let the model know what the other taxi trips tell of the roads")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	settings := engine.DefaultSettings()
	settings.Method, settings.Decoder = *method, *decoder
	if *method == engine.MethodRNTrajRec {
		m, err := ort.OpenOnCPU(os.DirFS(*model), filepath.Join(".cache", "onnxruntime"))
		if err != nil {
			fmt.Fprintln(os.Stderr, "score:", err)
			os.Exit(2)
		}
		settings.Model = m
	}
	switch err := run(ctx, os.Stdout, bench{data: *data, out: *out, settings: settings, tick: *tick, gather: *gather}, *asJSON); {
	case errors.Is(err, errMissed):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(2)
	}
}

var errMissed = errors.New("a floor is missed")

func run(ctx context.Context, w io.Writer, b bench, asJSON bool) error {
	for _, program := range []string{"python3", "osmium"} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%s is needed to score and not installed (Debian: python3, osmium-tool)", program)
		}
	}
	if err := checkTick(b.tick); err != nil {
		return err
	}
	if b.out == "" {
		dir, err := os.MkdirTemp("", "score")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b.out = dir
	}
	lines, err := b.worldwide(ctx)
	if err != nil {
		return err
	}
	if b.settings.Method != metrics.MethodTruth {
		porto, err := b.porto(ctx)
		if err != nil {
			return err
		}
		lines = append(lines, porto...)
	}
	if asJSON {
		return printJSON(w, b.settings.Method, lines)
	}
	if !printTable(w, lines) {
		return errMissed
	}
	return nil
}

func checkTick(tick time.Duration) error {
	if tick < time.Second || tick%time.Second != 0 {
		return fmt.Errorf("-tick %s: want whole seconds, as the truth of the places is told", tick)
	}
	return nil
}
