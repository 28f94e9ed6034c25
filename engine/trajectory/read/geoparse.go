package read

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// geoFeature is a feature, or a bare geometry, as it stands in the file: its JSON
// is known to be sound.
type geoFeature struct {
	id         gjson.Result
	kind       string // its type
	geometry   geoGeometry
	properties properties
	moving     *moving // of MF-JSON
}

type geoGeometry struct {
	kind        string // its type
	coordinates gjson.Result
}

// parse reads a feature; false where it is none.
func (r *geoReader) parse(raw []byte) (f geoFeature, ok bool) {
	all := gjson.ParseBytes(raw)
	if !all.IsObject() {
		return f, false
	}
	f.properties = properties{list: r.properties[:0], ranks: r.ranks}
	var bare moving
	own, ok := false, true
	all.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "id":
			f.id = value
		case "type":
			f.kind = value.Str
		case "geometry":
			ok = ok && (value.IsObject() || value.Type == gjson.Null)
			own = value.IsObject()
			f.geometry = geoGeometry{value.Get("type").Str, value.Get("coordinates")}
		case "properties":
			ok = ok && (value.IsObject() || value.Type == gjson.Null)
			f.properties.read(value)
		case "temporalGeometry":
			f.moving = movingOf(value)
		case "coordinates":
			bare.coordinates = value
		case "datetimes":
			bare.datetimes = value
		case "sequences":
			bare.sequences = value
		}
		return true
	})
	r.properties = f.properties.list
	if !own {
		f.geometry = geoGeometry{f.kind, bare.coordinates}
	}
	if f.moving == nil && isMoving(f.kind) {
		bare.kind = f.kind
		f.moving = &bare
	}
	return f, ok
}

// properties are the properties of a feature.
type properties struct {
	list  []property
	ranks nameRanks
}

type property struct {
	name  string
	value gjson.Result
}

func (p *properties) read(object gjson.Result) {
	if !object.IsObject() {
		return
	}
	object.ForEach(func(key, value gjson.Result) bool {
		p.list = append(p.list, property{key.Str, value})
		return true
	})
}

// get is the property of a name.
func (p properties) get(name string) (value gjson.Result) {
	for _, one := range p.list {
		if one.name == name {
			value = one.value
		}
	}
	return value
}

// value is the text of the property whose name has the surest claim to a role;
// empty: there is none.
func (p properties) value(r Role) string {
	best, name, found := math.MaxInt, "", ""
	for _, one := range p.list {
		n := p.ranks.of(one.name, r)
		if n < 0 || n > best || n == best && one.name > name {
			continue
		}
		if text := plainValue(one.value); text != "" {
			best, name, found = n, one.name, text
		}
	}
	return found
}

// nameRanks remembers the ranks of names, which come again with each feature.
type nameRanks map[rankKey]int

type rankKey struct {
	name string
	role Role
}

// mostRanks bounds what is remembered.
const mostRanks = 1000

func (k nameRanks) of(name string, r Role) int {
	key := rankKey{name, r}
	n, known := k[key]
	if !known {
		n = rank(name, r)
		if len(k) < mostRanks && len(name) < 100 {
			key.name = strings.Clone(name)
			k[key] = n
		}
	}
	return n
}

// plainValue is the text of a string or number; empty for anything else.
func plainValue(v gjson.Result) string {
	switch v.Type {
	case gjson.String:
		return v.Str
	case gjson.Number:
		return v.Raw
	}
	return ""
}

// position is a GeoJSON position: longitude, latitude, perhaps height and
// perhaps a time.
type position struct {
	v   [4]float64
	n   int
	bad string // its text, where it is no list of numbers
}

// positionOf takes anything; what is no position is marked as bad.
func positionOf(v gjson.Result) position {
	text := strings.TrimSpace(v.Raw)
	bad := position{bad: shorten(text)}
	if len(text) < 2 || text[0] != '[' {
		return bad
	}
	var p position
	for field := range strings.SplitSeq(text[1:len(text)-1], ",") {
		if p.n == len(p.v) {
			break
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil {
			return bad
		}
		p.v[p.n] = v
		p.n++
	}
	if p.n < 2 {
		return bad
	}
	return p
}
