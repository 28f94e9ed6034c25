package read

import (
	"fmt"
	"strings"
)

// Role is what a column of a table holds.
type Role string

// The roles. A file needs Lon and Lat, or Geometry, and either Time, or Date and
// Clock, unless the geometry holds the times.
const (
	Ignore       Role = ""
	TrajectoryID Role = "trajectory"
	VehicleID    Role = "vehicle"
	Time         Role = "time"
	Date         Role = "date"     // the day alone
	Clock        Role = "clock"    // the time of day alone
	Altitude     Role = "altitude" // known, but not used, as speed and heading are
	Speed        Role = "speed"
	Heading      Role = "heading"
	Occupied     Role = "occupancy" // whether a passenger or load is on board; read where [Options.Occupancy] asks for it
	Lon          Role = "lon"
	Lat          Role = "lat"
	Geometry     Role = "geometry" // positions as WKT, WKB in hexadecimal digits, or as MobilityDB and MF-JSON write them
)

// Used reports whether what a column of the role holds is read; the others are
// only told apart.
func (r Role) Used() bool {
	switch r {
	case Ignore, Altitude, Speed, Heading, Occupied:
		return false
	}
	return true
}

// Roles are all roles that a column can have.
func Roles() []Role {
	return []Role{Ignore, TrajectoryID, VehicleID, Time, Date, Clock, Lon, Lat, Geometry, Altitude, Speed, Heading, Occupied}
}

// Column is one column of a table.
type Column struct {
	Name string `json:"name"` // from the header; empty where there is none
	Role Role   `json:"role"`
}

// Dialect says how a table is to be read. Of tables that are no text it is the
// columns and times alone.
type Dialect struct {
	Separator    string     `json:"separator"` // one byte: , ; | tab, or a blank, of which several are one
	DecimalComma bool       `json:"decimal_comma"`
	Header       bool       `json:"header"` // the first row names the columns
	Columns      []Column   `json:"columns"`
	LatFirst     bool       `json:"lat_first,omitempty"` // geometries name the latitude first
	Time         TimeFormat `json:"time"`
}

// Shape names tables that are written alike: of the same columns, by name, or
// where they have none by what they seem to hold.
func (d *Dialect) Shape() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %t", d.Separator, d.Header)
	for _, c := range d.Columns {
		if d.Header {
			fmt.Fprintf(&b, "\x1f%s", c.Name)
		} else {
			fmt.Fprintf(&b, "\x1f%s", c.Role)
		}
	}
	return b.String()
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
