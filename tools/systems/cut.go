package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/read"
	"retrace/osmimport"
)

// How many samples a stretch has: with fewer there is nothing to thin, and with
// more a few long trips make all batches long.
const fewest, most = 10, 40

// area is a box: west, south, east, north, in degrees.
type area [4]float64

func (a area) holds(lon, lat float64) bool {
	return lon >= a[0] && lat >= a[1] && lon < a[2] && lat < a[3]
}

// cut writes what of a file lies in an area: of trips the longest stretch of
// each, of an extract the ways that run through it.
func cut(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("cut", flag.ContinueOnError)
	text := f.String("area", "", "west,south,east,north in degrees")
	if err := f.Parse(args); err != nil {
		return err
	}
	a, err := parseArea(*text)
	if err != nil {
		return err
	}
	if f.NArg() != 2 {
		return errors.New("cut wants -area, a file to read and a file to write")
	}
	write := a.stretches
	if strings.Contains(f.Arg(0), ".osm") {
		write = a.piece
	}
	out, err := os.Create(f.Arg(1) + ".part")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(out)
	if err := errors.Join(write(ctx, f.Arg(0), b), b.Flush(), out.Close()); err != nil {
		return err
	}
	return os.Rename(f.Arg(1)+".part", f.Arg(1))
}

func parseArea(text string) (a area, err error) {
	words := strings.Split(text, ",")
	if len(words) != len(a) {
		return a, fmt.Errorf("-area %q: want west,south,east,north", text)
	}
	for i, w := range words {
		if a[i], err = strconv.ParseFloat(w, 64); err != nil {
			return a, fmt.Errorf("-area %q: %w", text, err)
		}
	}
	return a, nil
}

// stretches writes the longest stretch of each trip within the area as a table.
// It keeps the trip's id, and with it the trip's split.
func (a area) stretches(ctx context.Context, file string, w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"trip", "time", "lon", "lat"}}
	for t, err := range read.Files(ctx, []string{file}, nil, read.Options{}) {
		if err != nil {
			return err
		}
		if s := a.longest(t.Samples); len(s) >= fewest {
			for _, p := range s[:min(len(s), most)] {
				rows = append(rows, []string{t.ID, strconv.FormatInt(p.Time, 10), degrees(p.Lon), degrees(p.Lat)})
			}
		}
	}
	return out.WriteAll(rows)
}

func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }

// longest is the longest run of samples in the area.
func (a area) longest(samples []trajectory.Sample) (best []trajectory.Sample) {
	first := 0
	for i, s := range samples {
		if !a.holds(s.Lon, s.Lat) {
			first = i + 1
		} else if run := samples[first : i+1]; len(run) > len(best) {
			best = run
		}
	}
	return best
}

// piece writes what of an extract lies in the area.
func (a area) piece(ctx context.Context, file string, w io.Writer) error {
	kept, err := osmimport.Cut(ctx, file, a.holds)
	if err != nil {
		return err
	}
	return osmimport.WriteXML(w, kept)
}
