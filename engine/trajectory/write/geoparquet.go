package write

import (
	"encoding/json"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"

	"retrace/engine/roadnet"
)

// geoParquet writes one layer as GeoParquet 1.1. Longitude and latitude of points
// stand in the geometry alone.
type geoParquet struct {
	w       *parquet.GenericWriter[any]
	layer   spec
	columns []parquetColumn
	place   int // of the geometry among the columns of the file
	about   About
	reach   extent
	row     parquet.Row
	held    []parquet.Row
}

// parquetColumn is a column of the layer and its place among those of the file,
// which are in the order of their names.
type parquetColumn struct {
	column
	place int
}

// heldRows are written at once.
const heldRows = 512

func newGeoParquet(w io.Writer, layer spec, about About) (*geoParquet, error) {
	g := &geoParquet{layer: layer, about: about}
	group := parquet.Group{"geometry": parquet.Leaf(parquet.ByteArrayType)}
	names := []string{"geometry"}
	for _, c := range layer.columns {
		group[c.name] = c.kind.parquetNode()
		names = append(names, c.name)
	}
	slices.Sort(names)
	for _, c := range layer.columns {
		g.columns = append(g.columns, parquetColumn{c, slices.Index(names, c.name)})
	}
	g.place = slices.Index(names, "geometry")
	g.row = make(parquet.Row, len(names))
	options := []parquet.WriterOption{parquet.NewSchema(string(layer.Layer), group), parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(1 << 17),
		parquet.CreatedBy("Retrace", about.Version, "")}
	for _, m := range about.Members() {
		options = append(options, parquet.KeyValueMetadata("retrace:"+m[0], m[1]))
	}
	g.w = parquet.NewGenericWriter[any](w, options...)
	return g, nil
}

// parquetNode is the type of a column of the kind.
func (k kind) parquetNode() parquet.Node {
	switch k {
	case words:
		return parquet.String()
	case whole:
		return parquet.Optional(parquet.Int(64))
	case instant:
		return parquet.Timestamp(parquet.Millisecond)
	}
	return parquet.Optional(parquet.Leaf(parquet.DoubleType))
}

// parquetValue is a value as the file takes it; level is 1 where a column that
// may be empty is not.
func (k kind) parquetValue(v any) (value parquet.Value, level int) {
	switch v := v.(type) {
	case string:
		return parquet.ByteArrayValue([]byte(v)), 0
	case int64:
		switch {
		case k == instant:
			return parquet.Int64Value(v), 0
		case v == noValue:
			return parquet.NullValue(), 0
		}
		return parquet.Int64Value(v), 1
	case float64:
		if !math.IsNaN(v) {
			return parquet.DoubleValue(v), 1
		}
	}
	return parquet.NullValue(), 0
}

func (g *geoParquet) add(_ Layer, r row) error {
	line := make(parquet.Row, len(g.row))
	for i, c := range g.columns {
		v, level := c.kind.parquetValue(r.values[i])
		line[c.place] = v.Level(0, level, c.place)
	}
	g.reach.add(r.geometry)
	blob := appendWKB(nil, r.geometry, g.layer.ofPoints())
	line[g.place] = parquet.ByteArrayValue(blob).Level(0, 0, g.place)
	if g.held = append(g.held, line); len(g.held) < heldRows {
		return nil
	}
	return g.flush()
}

func (g *geoParquet) flush() error {
	_, err := g.w.WriteRows(g.held)
	g.held = g.held[:0]
	return err
}

// finish says what the geometry is, as the standard has it. Without a coordinate
// system it is WGS 84.
func (g *geoParquet) finish() error {
	if err := g.flush(); err != nil {
		return err
	}
	kind := "LineString"
	if g.layer.ofPoints() {
		kind = "Point"
	}
	column := map[string]any{"encoding": "WKB", "geometry_types": []string{kind}}
	if g.reach.any {
		column["bbox"] = bbox(g.reach.Bounds)
	}
	meta, err := json.Marshal(map[string]any{"version": "1.1.0", "primary_column": "geometry", "columns": map[string]any{"geometry": column}})
	if err != nil {
		return err
	}
	g.w.SetKeyValueMetadata("geo", string(meta))
	return g.w.Close()
}

func bbox(b roadnet.Bounds) []float64 { return []float64{b.MinLon, b.MinLat, b.MaxLon, b.MaxLat} }
