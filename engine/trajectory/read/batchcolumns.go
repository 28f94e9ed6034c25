package read

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// batchColumns are where the columns of a stream lie, by their numbers.
type batchColumns struct {
	at     [4]int // trajectory, time, lon, lat
	lists  bool   // one row a trajectory
	unused []string
}

// batchColumnsOf finds the columns and checks their types.
func batchColumnsOf(schema *arrow.Schema) (batchColumns, error) {
	c := batchColumns{at: [4]int{-1, -1, -1, -1}}
	for i, f := range schema.Fields() {
		role := slices.Index([]string{"trajectory", "time", "lon", "lat", "id"}, f.Name) % 4 // id is another name of the first
		if role < 0 || c.at[role] >= 0 {
			c.unused = append(c.unused, f.Name)
			continue
		}
		c.at[role] = i
	}
	for role, name := range []string{"trajectory", "time", "lon", "lat"} {
		if c.at[role] < 0 {
			return c, fmt.Errorf("the stream has no column %s: it needs trajectory, time, lon and lat", name)
		}
		if err := c.check(role, schema.Field(c.at[role])); err != nil {
			return c, err
		}
	}
	return c, nil
}

// check says what is wrong with the type of a column.
func (c *batchColumns) check(role int, f arrow.Field) error {
	t := f.Type
	list, nested := t.(arrow.ListLikeType)
	switch {
	case role == 0 && !isID(t):
		return fmt.Errorf("column %s is of type %s: want a text or a whole number", f.Name, t)
	case role == 0:
		return nil
	case role == 1:
		c.lists = nested
	case nested != c.lists:
		return fmt.Errorf("columns time and %s must both be lists (one row a trajectory) or both single values (one row a sample)", f.Name)
	}
	if nested {
		t = list.Elem()
	}
	switch {
	case role == 1 && t.ID() != arrow.TIMESTAMP && t.ID() != arrow.INT64:
		return fmt.Errorf("column time holds values of type %s: want timestamps, or int64 with milliseconds since 1970", t)
	case role > 1 && t.ID() != arrow.FLOAT64 && t.ID() != arrow.FLOAT32:
		return fmt.Errorf("column %s holds values of type %s: want degrees as double or float", f.Name, t)
	}
	return nil
}

// isID reports whether a type can name trajectories.
func isID(t arrow.DataType) bool {
	if d, ok := t.(*arrow.DictionaryType); ok {
		t = d.ValueType
	}
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return arrow.IsInteger(t.ID())
}

// batchRows are the columns of one batch.
type batchRows struct {
	ids    arrow.Array
	whole  [3]array.ListLike // time, lon, lat; nil: single values
	single [3]arrow.Array    // their values
	unit   arrow.TimeUnit
	stamps bool // times are timestamps, else milliseconds
}

func (c *batchColumns) read(batch arrow.RecordBatch) (batchRows, error) {
	r := batchRows{ids: batch.Column(c.at[0])}
	for i := range r.single {
		a := batch.Column(c.at[i+1])
		if c.lists {
			list, ok := a.(array.ListLike)
			if !ok {
				return r, fmt.Errorf("lists of type %s cannot be read", a.DataType())
			}
			r.whole[i], a = list, list.ListValues()
		}
		r.single[i] = a
	}
	if t, ok := r.single[0].DataType().(*arrow.TimestampType); ok {
		r.stamps, r.unit = true, t.Unit
	}
	return r, nil
}

// id is the name of the trajectory of a row; empty: it has none.
func (r batchRows) id(i int) string {
	if r.ids.IsNull(i) {
		return ""
	}
	if d, ok := r.ids.(*array.Dictionary); ok {
		return strings.Clone(d.Dictionary().ValueStr(d.GetValueIndex(i)))
	}
	return strings.Clone(r.ids.ValueStr(i)) // else the whole batch stays in memory
}

// bounds are where the three lists of a row begin and end, or why they do not fit.
func (r batchRows) bounds(i int) (begin, end [3]int, fault string) {
	for k, list := range r.whole {
		if list.IsNull(i) {
			continue // as an empty one
		}
		from, to := list.ValueOffsets(i)
		begin[k], end[k] = int(from), int(to)
		if from < 0 || to < from || int(to) > r.single[k].Len() {
			return begin, end, "its lists do not lie within the batch"
		}
	}
	n := [3]int{end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]}
	if n[0] != n[1] || n[0] != n[2] {
		return begin, end, fmt.Sprintf("its lists differ in length: %d times, %d longitudes, %d latitudes", n[0], n[1], n[2])
	}
	return begin, end, ""
}

// time is an instant in Unix milliseconds.
func (r batchRows) time(i int) (int64, bool) {
	a := r.single[0]
	if a.IsNull(i) {
		return 0, false
	}
	if !r.stamps {
		return a.(*array.Int64).Value(i), true
	}
	t := int64(a.(*array.Timestamp).Value(i))
	switch r.unit {
	case arrow.Second:
		if t < 0 || t > maxTime/1000 {
			return -1, true // out of range in any case
		}
		return t * 1000, true
	case arrow.Microsecond:
		return floorDiv(t, 1000), true
	case arrow.Nanosecond:
		return floorDiv(t, 1_000_000), true
	}
	return t, true
}

// floorDiv divides to the lower whole number.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// place is a position in degrees.
func (r batchRows) place(lon, lat int) (x, y float64, ok bool) {
	a, b := r.single[1], r.single[2]
	if a.IsNull(lon) || b.IsNull(lat) {
		return 0, 0, false
	}
	return degree(a, lon), degree(b, lat), true
}

func degree(a arrow.Array, i int) float64 {
	if f, ok := a.(*array.Float32); ok {
		return float64(f.Value(i))
	}
	return a.(*array.Float64).Value(i)
}
