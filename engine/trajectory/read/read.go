package read

import (
	"fmt"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
)

// Options says how to read; the zero value is ready for use.
type Options struct {
	Dialect   *Dialect                     // of the CSV files; nil: guessed from the first rows of each
	Columns   map[Role]string              // columns of tables that are guessed, by name or number from 1; the others are guessed
	Swap      bool                         // longitude and latitude stand the other way round
	Occupancy Occupancy                    // what is made of a column of occupancy
	Separator string                       // of CSV files whose dialect is guessed; empty: told by content
	Zone      *time.Location               // of times that name none; nil: UTC
	Encoding  string                       // of text files, by its name on the web (gb18030, windows-1252); empty: told by content
	CRS       string                       // coordinate system of files that do not name theirs: EPSG:25832, GCJ-02, BD-09; empty: WGS 84
	Clean     clean.Rules                  // what is tidied and cut; the zero value only puts samples in order of time
	Partial   bool                         // of a file that breaks off, keep what came before
	Problem   func(Problem)                // called for everything that was left out or mended; may be nil
	Progress  func(int64)                  // called now and then with the bytes read of all files so far, as they lie on disk; may be nil
	Known     *Known                       // files read before, which are left out; nil: only those of this call
	Look      func(*trajectory.Trajectory) // called by Inspect with every trajectory; may be nil
	Head      int                          // samples that Inspect looks at; 0: 300,000
	raw       projection                   // takes the coordinates as they stand; CRS says then that the file is not asked for its system
	Limits    Limits                       // zero fields take the default
}

// Limits bounds what a file may ask for. Zero fields take the default.
type Limits struct {
	Row     int // bytes of one CSV row, one GeoJSON feature or one XML token; default 32 MiB
	Samples int // of one trajectory; default 10,000,000
	Held    int // samples held in memory while a file is read, beyond which they go to disk; default 2,000,000
	Packed  int // bytes that a packed file of any size may unpack to; beyond, 200 times its size; default 32 MiB
}

// Problem is something that a reader left out or mended.
type Problem struct {
	File       string         `json:"file"`
	Line       int            `json:"line,omitempty"` // from 1; 0: the whole file
	Trajectory string         `json:"trajectory,omitempty"`
	Reason     string         `json:"reason"`          // the same words for the same kind of problem
	Rule       string         `json:"rule,omitempty"`  // of cleaning, that did it
	Value      string         `json:"value,omitempty"` // what stood there, shortened
	At         *roadnet.Point `json:"-"`               // where the sample lies that a rule is about; nil: nowhere
	Kept       bool           `json:"kept,omitempty"`  // taken all the same, mended or in doubt
}

// String is the problem in one line: file, line, reason, value.
func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d", p.Line)
	}
	s += ": " + p.Reason
	if p.Value != "" {
		s += fmt.Sprintf(": %q", p.Value)
	}
	if p.Trajectory != "" {
		s += fmt.Sprintf(" (trajectory %s)", p.Trajectory)
	}
	return s
}

// withDefaults fills the limits that are zero.
func (o Options) withDefaults() Options {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&o.Limits.Row, 32<<20)
	def(&o.Limits.Samples, 10_000_000)
	def(&o.Limits.Held, 2_000_000)
	def(&o.Limits.Packed, 32<<20)
	def(&o.Head, inspectSamples)
	return o
}
