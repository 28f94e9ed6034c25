package recovered

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"retrace/engine/roadnet"
	"retrace/internal/sheet"
)

// readCSV reads a table of points.
func readCSV(ctx context.Context, path string, d *drafts) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(f)
	header, err := r.Read()
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, name := range header {
		at[name] = i
	}
	for _, name := range []string{"trajectory", "time", "lon", "lat", "segment", "ratio", "probability", "layer", "deck"} {
		if _, ok := at[name]; !ok {
			return fmt.Errorf("there is no column %s: this is no table of recovered points", name)
		}
	}
	for ctx.Err() == nil {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		if err := d.add(csvFeature(row, at)); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	return ctx.Err()
}

// csvFeature is a row of points.
func csvFeature(row []string, at map[string]int) feature {
	f := feature{layer: "points", values: map[string]any{}}
	for name, i := range at {
		f.values[name] = sheet.Text(row[i])
		if v, err := strconv.ParseFloat(row[i], 64); err == nil && name != "trajectory" {
			f.values[name] = v
		}
	}
	f.geometry = []roadnet.Point{{Lon: f.number("lon"), Lat: f.number("lat")}}
	return f
}
