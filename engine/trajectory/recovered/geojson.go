package recovered

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"retrace/engine/roadnet"
)

// layers are the layers by the kind of a GeoJSON feature.
func layers() map[string]string {
	return map[string]string{"point": "points", "path": "path", "span": "spans", "gap": "gaps", "alternative": "alternatives"}
}

// jsonFeature is a feature as it stands in the file.
type jsonFeature struct {
	Properties map[string]any `json:"properties"`
	Geometry   struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	} `json:"geometry"`
}

func readGeoJSON(ctx context.Context, path string, d *drafts) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	j := json.NewDecoder(bufio.NewReaderSize(f, 1<<16))
	if t, err := j.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("this is no GeoJSON feature collection")
	}
	for j.More() {
		key, err := j.Token()
		if err != nil {
			return err
		}
		if key == "features" {
			if err := readFeatures(ctx, j, d); err != nil {
				return err
			}
			continue
		}
		var value any
		if err := j.Decode(&value); err != nil {
			return err
		}
		name, _ := key.(string)
		if text, ok := value.(string); ok {
			if err := d.about(name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

func readFeatures(ctx context.Context, j *json.Decoder, d *drafts) error {
	if t, err := j.Token(); err != nil || t != json.Delim('[') {
		return fmt.Errorf("the features are no list")
	}
	for j.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		var in jsonFeature
		if err := j.Decode(&in); err != nil {
			return err
		}
		kind, _ := in.Properties["kind"].(string)
		out := feature{layer: layers()[kind], values: in.Properties}
		if out.layer == "" {
			continue
		}
		if out.layer == "spans" { // the word kind is taken there
			out.values["kind"] = in.Properties["deck"]
		}
		var err error
		if out.geometry, err = in.points(); err != nil {
			return err
		}
		if err := d.add(out); err != nil {
			return err
		}
	}
	_, err := j.Token()
	return err
}

// points are the positions of a point or a line.
func (f *jsonFeature) points() ([]roadnet.Point, error) {
	var line [][]float64
	if f.Geometry.Type == "Point" {
		line = make([][]float64, 1)
		if err := json.Unmarshal(f.Geometry.Coordinates, &line[0]); err != nil {
			return nil, err
		}
	} else if err := json.Unmarshal(f.Geometry.Coordinates, &line); err != nil {
		return nil, err
	}
	points := make([]roadnet.Point, 0, len(line))
	for _, p := range line {
		if len(p) < 2 {
			return nil, fmt.Errorf("a position has less than two numbers")
		}
		points = append(points, roadnet.Point{Lon: p[0], Lat: p[1]})
	}
	return points, nil
}
