package read

// Role is what a column of a CSV file holds.
type Role string

// The roles. A file needs Lon, Lat and either Time, or Date and Clock.
const (
	Ignore       Role = ""
	TrajectoryID Role = "trajectory"
	VehicleID    Role = "vehicle"
	Time         Role = "time"
	Date         Role = "date"  // the day alone
	Clock        Role = "clock" // the time of day alone
	Lon          Role = "lon"
	Lat          Role = "lat"
)

// Column is one column of a CSV file.
type Column struct {
	Name string `json:"name"` // from the header; empty where there is none
	Role Role   `json:"role"`
}

// Dialect says how a CSV file is to be read.
type Dialect struct {
	Separator    string     `json:"separator"` // one byte: , ; | or tab
	DecimalComma bool       `json:"decimal_comma"`
	Header       bool       `json:"header"` // the first row names the columns
	Columns      []Column   `json:"columns"`
	Time         TimeFormat `json:"time"`
}

// TimeFormat is how times are written: one of the Epoch constants, or a pattern
// of YYYY MM DD hh mm ss, with AM where a half of the day is given. A zone at
// the end of a time is always understood.
type TimeFormat string

// Times as a number since 1970-01-01 UTC.
const (
	EpochSeconds TimeFormat = "epoch s"
	EpochMillis  TimeFormat = "epoch ms"
	EpochMicros  TimeFormat = "epoch us"
	EpochNanos   TimeFormat = "epoch ns"
)
