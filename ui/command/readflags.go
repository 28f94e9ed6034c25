package command

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"retrace/engine/mapcheck"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory/clean"
	"retrace/engine/trajectory/read"
	"retrace/internal/atomicfile"
	"retrace/internal/sheet"
)

// readFlags say how trajectory files are read and tidied.
type readFlags struct {
	CRS       string            `name:"crs" placeholder:"EPSG:CODE" help:"Coordinate system of files that name none: an EPSG code, GCJ-02 or BD-09. Default: WGS 84."`
	Swap      bool              `help:"Longitude and latitude stand the other way round."`
	Separator string            `placeholder:"CHAR" help:"What parts the columns of a text table: comma, semicolon, tab, bar, space or the character. Default: told by content."`
	Columns   map[string]string `mapsep:"," placeholder:"ROLE=COLUMN,..." help:"What columns of a table hold, by name or by number from 1: trajectory, vehicle, time, date, clock, lon, lat, geometry or occupancy. The others are guessed."`
	Occupancy string            `enum:"ignore,cut,mark,occupied" default:"ignore" help:"What is made of a column that tells whether somebody is on board: ignore it, cut trips where it changes, mark the pieces as occupied or free too, or keep the occupied ones only."`
	Encoding  string            `placeholder:"NAME" help:"Encoding of text files, like gb18030 or windows-1252. Default: told by content."`
	Zone      string            `placeholder:"ZONE" help:"Time zone of times that name none, like Europe/Lisbon. Default: UTC."`
	Partial   bool              `help:"Of a file that breaks off keep what came before. Default: it is left out as a whole."`

	KeepDuplicates bool          `help:"Keep several points of one instant. Default: the first is kept."`
	DropBackwards  bool          `help:"Leave out points that go back in time. Default: they are put in order."`
	MaxSpeed       float64       `placeholder:"KMH" help:"Leave out points that need more than this speed to be reached."`
	Standing       float64       `placeholder:"METRES" help:"Of points that stay within so many metres keep the first and the last."`
	Gap            time.Duration `default:"30m" placeholder:"30m" help:"Cut a trip where no point came for longer; 0: never. Default: for half an hour, and five times as long as usual in the trip."`
	Stop           time.Duration `placeholder:"5m" help:"Cut a trip where the vehicle stayed within 100 m for longer."`
	Problems       string        `placeholder:"FILE.csv" help:"Write all that was left out, mended or cut, with file, line, rule and place; recover adds where trips say that the map is wrong."`
}

// outsideFlag is for commands that have a network.
type outsideFlag struct {
	Outside float64 `placeholder:"METRES" help:"Leave out points farther than this from every road."`
}

// checkOutside refuses a distance that is none.
func (f outsideFlag) checkOutside() error {
	if !(f.Outside >= 0) || math.IsInf(f.Outside, 0) {
		return usage("--outside %v: want a distance in metres, 0 or more", f.Outside)
	}
	return nil
}

// nearRoads reports whether a place is near a road; nil where all are wanted.
func (f outsideFlag) nearRoads(net *roadnet.Network) func(lon, lat float64) bool {
	if f.Outside <= 0 {
		return nil
	}
	var hits []roadnet.Hit
	return func(lon, lat float64) bool {
		hits = net.Near(roadnet.Point{Lon: lon, Lat: lat}, f.Outside, hits[:0])
		return len(hits) > 0
	}
}

// options are the settings of the flags.
func (f readFlags) options() (read.Options, error) {
	opt := read.Options{CRS: f.CRS, Encoding: f.Encoding, Partial: f.Partial, Clean: clean.Rules{
		Duplicates: !f.KeepDuplicates, DropBackwards: f.DropBackwards, MaxSpeed: f.MaxSpeed / 3.6, Standing: f.Standing, Gap: f.Gap, Stop: f.Stop}}
	for name, v := range map[string]float64{"max-speed": f.MaxSpeed, "standing": f.Standing, "gap": f.Gap.Seconds(), "stop": f.Stop.Seconds()} {
		if !(v >= 0) || math.IsInf(v, 0) {
			return opt, usage("--%s %v: speeds, distances and times are numbers, 0 or more", name, v)
		}
	}
	var err error
	if opt.Separator, err = separatorOf(f.Separator); err != nil {
		return opt, err
	}
	if opt.Columns, err = rolesOf(f.Columns); err != nil {
		return opt, err
	}
	opt.Swap = f.Swap
	if f.Occupancy != "ignore" {
		opt.Occupancy = read.Occupancy(f.Occupancy)
	}
	if f.Zone != "" {
		zone, err := time.LoadLocation(f.Zone)
		if err != nil {
			return opt, usage("--zone %s: %w", f.Zone, err)
		}
		opt.Zone = zone
	}
	return opt, nil
}

// problemFile is a table of all that was left out, mended or cut, and of where the map
// seems to be wrong.
type problemFile struct {
	file *atomicfile.File
	w    *csv.Writer
}

// openProblems makes the table; nil where none is wanted.
func (f readFlags) openProblems() (*problemFile, error) {
	if f.Problems == "" {
		return nil, nil
	}
	file, err := atomicfile.Create(f.Problems)
	if err != nil {
		return nil, err
	}
	p := &problemFile{file: file, w: csv.NewWriter(file)}
	return p, p.w.Write([]string{"file", "line", "trajectory", "rule", "reason", "value", "kept", "lon", "lat", "line_wkt"})
}

func (p *problemFile) add(q read.Problem) error {
	if p == nil {
		return nil
	}
	lon, lat := "", ""
	if q.At != nil {
		lon, lat = degrees(q.At.Lon), degrees(q.At.Lat)
	}
	return p.w.Write([]string{sheet.Cell(q.File), strconv.Itoa(q.Line), sheet.Cell(q.Trajectory), q.Rule, sheet.Cell(q.Reason), sheet.Cell(q.Value), strconv.FormatBool(q.Kept), lon, lat, ""})
}

// addFinding writes a place where the map seems to be wrong: it lies where its line
// begins, and names the first trips that say so.
func (p *problemFile) addFinding(f mapcheck.Finding) error {
	reason := "several trips drove where the map has no road"
	if f.Kind == mapcheck.AgainstOneWay {
		reason = "several trips drove against a one-way road"
	}
	return p.w.Write([]string{"", "", sheet.Cell(strings.Join(f.Some, " ")), f.Kind.String(), reason,
		fmt.Sprintf("%s, %.0f m", plural(f.Trips, "trip", "trips"), f.Length), "true", degrees(f.Line[0].Lon), degrees(f.Line[0].Lat), lineWKT(f.Line)})
}

func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 7, 64) }

func lineWKT(line []roadnet.Point) string {
	var b strings.Builder
	b.WriteString("LINESTRING (")
	for i, p := range line {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(degrees(p.Lon) + " " + degrees(p.Lat))
	}
	return b.String() + ")"
}

// close gives the table its name.
func (p *problemFile) close() error {
	if p == nil {
		return nil
	}
	p.w.Flush()
	if err := p.w.Error(); err != nil {
		p.file.Abort()
		return fmt.Errorf("the table of problems cannot be written: %w", err)
	}
	return p.file.Commit()
}

func (p *problemFile) abort() {
	if p != nil {
		p.file.Abort()
	}
}
