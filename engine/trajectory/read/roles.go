package read

import (
	"slices"
	"strings"
	"unicode"
)

// roleNames are the names of columns (and of GeoJSON properties) by role, the
// surest first, in lower case without blanks and signs.
func roleNames(r Role) []string {
	switch r {
	case TrajectoryID:
		return []string{"trajectory", "trajectoryid", "trip", "tripid", "trajid", "traj", "track", "trackid", "journey", "journeyid",
			"ride", "rideid", "tour", "tourid", "fahrt", "fahrtid", "viagem", "segmentid", "tid", "id", "name", "轨迹", "轨迹id", "订单id", "orderid"}
	case VehicleID:
		return []string{"vehicle", "vehicleid", "veh", "vehid", "taxi", "taxiid", "car", "carid", "bus", "busid", "truck", "truckid",
			"device", "deviceid", "imei", "plate", "licenseplate", "platenumber", "driver", "driverid", "userid", "user", "uid",
			"objectid", "unit", "unitid", "fahrzeug", "fahrzeugid", "kennzeichen", "veiculo", "placa", "车辆", "车牌", "车牌号", "mmsi"}
	case Time:
		return []string{"timestamp", "datetime", "gpstime", "gpstimestamp", "utctime", "utcdatetime", "time", "utc", "epoch", "unixtime",
			"unixtimestamp", "epochtime", "datatime", "ts", "t", "timeutc", "timems", "timestampms", "recordedat", "createdat", "fixtime", "devicetime",
			"zeit", "zeitstempel", "zeitpunkt", "datahora", "hora", "tempo", "fecha", "fechahora", "horodatage", "时间", "时间戳", "定位时间", "date", "datum"}
	case Lon:
		return []string{"lon", "lng", "long", "longitude", "gpslon", "gpslongitude", "lonwgs84", "longitudewgs84", "londeg", "xlon",
			"laenge", "länge", "laengengrad", "längengrad", "longitud", "经度", "經度", "経度", "x", "xcoord", "pointx",
			"easting", "east", "eastings", "rechtswert", "ostwert"}
	case Lat:
		return []string{"lat", "latitude", "gpslat", "gpslatitude", "latwgs84", "latitudewgs84", "latdeg", "ylat",
			"breite", "breitengrad", "latitud", "纬度", "緯度", "y", "ycoord", "pointy",
			"northing", "north", "northings", "hochwert", "nordwert"}
	case Altitude:
		return []string{"altitude", "alt", "ele", "elevation", "height", "altitudem", "hoehe", "höhe", "altura", "高度", "海拔", "z"}
	case Speed:
		return []string{"speed", "velocity", "gpsspeed", "speedkmh", "speedkph", "speedms", "kmh", "spd", "geschwindigkeit", "velocidade", "velocidad", "速度", "v"}
	case Heading:
		return []string{"heading", "bearing", "course", "direction", "cog", "azimuth", "angle", "kurs", "richtung", "rumo", "rumbo", "方向", "航向"}
	case Occupied:
		return []string{"occupancy", "occupied", "occupancystatus", "hired", "passenger", "passengers", "laden", "loaded", "载客", "载客状态", "重车", "ocupado", "besetzt"}
	}
	return nil
}

// weakID reports whether a name may as well be that of a row's own number.
func weakID(name string) bool {
	switch plain(name) {
	case "id", "tid", "name", "segmentid", "objectid":
		return true
	}
	return false
}

// rank says how sure it is that a column of this name has the role: the lower,
// the surer; -1 not at all.
func rank(name string, r Role) int {
	names := roleNames(r)
	if i := slices.Index(names, plain(name)); i >= 0 {
		return i
	}
	parts := words(name)
	if (r == TrajectoryID || r == VehicleID) && !slices.Contains(parts, "id") {
		return -1
	}
	for i, n := range names {
		if len(n) > 2 && slices.Contains(parts, n) {
			return len(names) + i
		}
	}
	return -1
}

// plain is a name in lower case, letters and digits only.
func plain(name string) string {
	return strings.Join(words(name), "")
}

// words are the words of a name, in lower case: of "GPS_lon (deg)" gps, lon and
// deg.
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
