package osmimport

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/ringsaturn/tzf"
	tzfrellite "github.com/ringsaturn/tzf-rel-lite"
	pb "github.com/ringsaturn/tzf/gen/go/tzf/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"retrace/engine/roadnet"
)

// timeZone is the IANA name of the time zone at a place.
//
// A finder over the whole world costs 100 MB and half a second, for one
// question. So the library's data is walked here: its index of tiles first,
// which answers most places, then the borders of the zones near enough.
func timeZone(p roadnet.Point) (string, error) {
	names, distance, err := zonesNear(p)
	if err != nil {
		return "", err
	}
	if len(names) > 0 && distance[names[0]] == 0 && (len(names) == 1 || distance[names[1]] > 0) {
		return names[0], nil
	}
	if zone, err := zoneByPolygon(p, names); zone != "" || err != nil {
		return zone, err
	}
	return zoneByPolygon(p, nil)
}

// tile is a tile of the usual map grid.
type tile struct{ x, y, z int }

// tileAt is the tile of a place.
func tileAt(p roadnet.Point, zoom int) tile {
	n := math.Exp2(float64(zoom))
	lat := max(-85.05, min(85.05, p.Lat)) * math.Pi / 180
	x := int((p.Lon + 180) / 360 * n)
	y := int((1 - math.Asinh(math.Tan(lat))/math.Pi) / 2 * n)
	return tile{min(x, int(n)-1), min(y, int(n)-1), zoom}
}

// zoneReach is how many tiles around a place are looked at, of about 5 km each.
const zoneReach = 64

// zonesNear is the zones that have tiles near a place, the nearest first, with
// the distance in tiles of the finest kind; 0 where the place lies on one.
func zonesNear(p roadnet.Point) (names []string, distance map[string]int, err error) {
	_, zoom, err := indexZooms()
	if err != nil {
		return nil, nil, err
	}
	at := tileAt(p, zoom)
	distance = map[string]int{}
	err = eachField(tzfrellite.PreindexData, func(num protowire.Number, v fieldValue) error {
		if num != 3 {
			return nil
		}
		t, name, err := parseZoneTile(v.bytes)
		if err != nil || t.z > zoom {
			return err
		}
		d := max(outside(at.x, t.x, zoom-t.z), outside(at.y, t.y, zoom-t.z))
		if have, ok := distance[string(name)]; d <= zoneReach && (!ok || d < have) {
			distance[string(name)] = d
		}
		return nil
	})
	names = slices.SortedFunc(maps.Keys(distance), func(a, b string) int {
		return cmp.Or(cmp.Compare(distance[a], distance[b]), cmp.Compare(a, b))
	})
	return names, distance, err
}

// outside is how far x lies outside the range of a tile that is larger by the
// given number of zooms.
func outside(x, tile, zooms int) int {
	lo, hi := tile<<zooms, (tile+1)<<zooms-1
	return max(lo-x, x-hi, 0)
}

// indexZooms is the range of zooms of the tiles in the index.
func indexZooms() (from, to int, err error) {
	err = eachField(tzfrellite.PreindexData, func(num protowire.Number, v fieldValue) error {
		switch num {
		case 1:
			to = int(v.number)
		case 2:
			from = int(v.number)
		}
		return nil
	})
	if err == nil && (from < 0 || to < from || to > 20) {
		err = errors.New("the index of time zones is not understood")
	}
	return from, to, err
}

// parseZoneTile reads one entry of the index.
func parseZoneTile(data []byte) (t tile, name []byte, err error) {
	err = eachField(data, func(num protowire.Number, v fieldValue) error {
		switch num {
		case 1:
			name = v.bytes
		case 2:
			t.x = int(v.number)
		case 3:
			t.y = int(v.number)
		case 4:
			t.z = int(v.number)
		}
		return nil
	})
	return t, name, err
}

// errZoneFound ends a walk.
var errZoneFound = errors.New("found")

// zoneByPolygon looks at the borders of the named zones, or of all with nil.
func zoneByPolygon(p roadnet.Point, names []string) (zone string, err error) {
	err = eachField(tzfrellite.LiteCompressData, func(num protowire.Number, v fieldValue) error {
		if num != 2 || names != nil && !hasName(v.bytes, names) {
			return nil
		}
		var item pb.CompressedTimezone
		if err := proto.Unmarshal(v.bytes, &item); err != nil {
			return err
		}
		one := &pb.CompressedTimezones{Method: pb.CompressMethod_COMPRESS_METHOD_POLYLINE, Timezones: []*pb.CompressedTimezone{&item}}
		finder, err := tzf.NewFinderFromCompressed(one, tzf.SetDropPBTZ)
		if err != nil {
			return err
		}
		if zone = finder.GetTimezoneName(p.Lon, p.Lat); zone != "" {
			return errZoneFound
		}
		return nil
	})
	if err == errZoneFound {
		err = nil
	}
	return zone, err
}

// hasName reports whether an encoded zone has one of the names.
func hasName(zone []byte, names []string) (has bool) {
	eachField(zone, func(num protowire.Number, v fieldValue) error {
		if num == 2 {
			for _, n := range names {
				has = has || n == string(v.bytes)
			}
		}
		return nil
	})
	return has
}
