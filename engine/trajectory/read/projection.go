package read

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/wroge/wgs84"
)

// projection turns the coordinates of a file into longitude and latitude on
// WGS 84; nil stands for coordinates that are so already. What cannot be turned
// becomes NaN.
type projection func(x, y float64) (lon, lat float64)

// apply turns one position.
func (p projection) apply(x, y float64) (lon, lat float64) {
	if p == nil || math.IsNaN(x) || math.IsNaN(y) || math.Abs(x) > 1e9 || math.Abs(y) > 1e9 {
		return x, y
	}
	lon, lat = p(x, y)
	const digits = 1e9 // a tenth of a millimetre
	return math.Round(lon*digits) / digits, math.Round(lat*digits) / digits
}

// projectionOf is the projection of a coordinate system by its name: EPSG:25832,
// 25832, GCJ-02, BD-09; empty: WGS 84.
func projectionOf(name string) (projection, error) {
	plain := strings.NewReplacer("-", "", " ", "", "_", "").Replace(strings.ToUpper(name))
	switch plain {
	case "", "WGS84", "CRS84", "OGC:CRS84", "EPSG:4326", "4326":
		return nil, nil
	case "GCJ02":
		return gcj02, nil
	case "BD09":
		return bd09, nil
	}
	code, err := strconv.Atoi(strings.TrimPrefix(plain, "EPSG:"))
	if err != nil {
		return nil, fmt.Errorf("%q is no coordinate system that is known: give an EPSG code like EPSG:25832, GCJ-02 or BD-09", name)
	}
	return epsg(code)
}

// Transform turns coordinates of the system of a name (an EPSG code, GCJ-02,
// BD-09) into degrees on WGS 84; what cannot be turned becomes NaN.
func Transform(name string) (func(x, y float64) (lon, lat float64), error) {
	p, err := projectionOf(name)
	if err != nil {
		return nil, err
	}
	return p.apply, nil
}

// epsg is the projection of an EPSG code.
func epsg(code int) (projection, error) {
	switch code {
	case 0, 4326, 4979:
		return nil, nil
	}
	from := wgs84.EPSG().Code(code)
	if from == nil {
		return nil, fmt.Errorf("the coordinate system EPSG:%d is not known here; known are WGS 84, UTM (EPSG:32601-32660, 32701-32760, 25828-25838), "+
			"Web Mercator and several national ones: transform the file to EPSG:4326 first", code)
	}
	to := wgs84.Transform(from, wgs84.LonLat())
	return func(x, y float64) (float64, float64) {
		lon, lat, _ := to(x, y, 0)
		return lon, lat
	}, nil
}

// projectionOfWKT is the projection that a definition in well-known text names,
// as .prj files hold it.
func projectionOfWKT(text string) (projection, error) {
	trimmed := strings.TrimSpace(strings.ToUpper(text))
	if whole := regexp.MustCompile(`(?:AUTHORITY|ID)\["EPSG",\s*"?(\d{1,6})"?\]\s*\]$`).FindStringSubmatch(trimmed); whole != nil {
		code, _ := strconv.Atoi(whole[1])
		return epsg(code)
	}
	name := regexp.MustCompile(`^(GEOGCS|PROJCS|GEOGCRS|PROJCRS)\["([^"]*)"`).FindStringSubmatch(trimmed)
	switch {
	case trimmed == "", name != nil && strings.Contains(strings.ReplaceAll(name[2], " ", "_"), "WGS_1984") && strings.HasPrefix(name[1], "GEOG"),
		name != nil && strings.HasPrefix(name[2], "WGS 84") && strings.HasPrefix(name[1], "GEOG"):
		return nil, nil
	case name == nil:
		return nil, fmt.Errorf("the coordinate system cannot be read: %s", shorten(text))
	}
	return projectionOfName(name[2])
}

// projectionOfName is the projection of a name as ArcGIS and others write it,
// without a code.
func projectionOfName(name string) (projection, error) {
	plain := strings.NewReplacer(" ", "_", "/", "", "__", "_").Replace(name)
	utm := regexp.MustCompile(`^(WGS_1984|WGS_84|ETRS_1989|ETRS89)_UTM_ZONE_(\d{1,2})([NS]?)$`).FindStringSubmatch(plain)
	switch {
	case utm != nil:
		zone, _ := strconv.Atoi(utm[2])
		switch {
		case strings.HasPrefix(utm[1], "ETRS"):
			return epsg(25800 + zone)
		case utm[3] == "S":
			return epsg(32700 + zone)
		}
		return epsg(32600 + zone)
	case strings.Contains(plain, "WEB_MERCATOR") || strings.Contains(plain, "PSEUDO-MERCATOR"):
		return epsg(3857)
	case strings.Contains(plain, "OSGB") || plain == "BRITISH_NATIONAL_GRID":
		return epsg(27700)
	case strings.Contains(plain, "ETRS_1989") || plain == "ETRS89":
		return epsg(4258)
	}
	return nil, fmt.Errorf("the coordinate system %s is not known here: give its EPSG code, or transform the file to EPSG:4326 first", name)
}
