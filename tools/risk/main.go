// Command risk fits the coefficients by which package engine/risk tells how probably a
// recovered way is wrong, and writes them:
//
//	go run -tags ci ./tools/risk -data ../shared/data
//
// It recovers trips of Porto's validation split, and trips simulated over Columbus and
// Yokohama, with tags and without: on none of them was anything trained, and none is
// among the trips that figures are reported of. It prints how well the risks do, by
// fitting on four fifths of the trips and measuring on the fifth left over.
package main

import (
	"context"
	"encoding/gob"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"retrace/engine"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data"), "folder of the data")
	trips := flag.Int("trips", 400, "simulated trips of each set; of Porto three times as many")
	rows := flag.String("rows", "", "file that keeps what was recovered, so that another run need not recover it again; none: it is not kept")
	out := flag.String("out", filepath.Join("engine", "risk", "coefficients.go"), "file to write")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, *data, *trips, *rows, *out); err != nil {
		fmt.Fprintln(os.Stderr, "risk:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, data string, trips int, rows, out string) error {
	var all []trip
	if !load(rows, &all) {
		var err error
		if all, err = gather(ctx, data, trips); err != nil {
			return err
		}
		if err := save(rows, all); err != nil {
			return err
		}
	}
	var fits []fit
	for _, method := range []string{engine.MethodHMM, engine.MethodRNTrajRec} {
		var own []trip
		for _, t := range all {
			if t.Method == method {
				own = append(own, t)
			}
		}
		check(w, method, own)
		fits = append(fits, fit{method, weigh(own)})
	}
	return write(out, fits)
}

// load reads what another run kept; false where there is none.
func load(file string, all *[]trip) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	return gob.NewDecoder(f).Decode(all) == nil
}

func save(file string, all []trip) error {
	if file == "" {
		return nil
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := gob.NewEncoder(f).Encode(all); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
