package read

// Kind is a format of trajectory files.
type Kind string

// The formats that can be read.
const (
	CSV     Kind = "CSV"
	Porto   Kind = "Porto CSV" // TRIP_ID, TIMESTAMP, POLYLINE; a point every 15 s
	GPX     Kind = "GPX"
	GeoJSON Kind = "GeoJSON"
)

// KindOf tells the format by the first bytes of a file, gzip or not (64 KiB are
// enough). It reports false where no reader takes the file.
func KindOf(head []byte) (Kind, bool) { return "", false }
