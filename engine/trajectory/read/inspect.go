package read

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
)

// An inspection reads this much of a file and lists so many problems.
const (
	inspectBytes   = 8 << 20
	inspectSamples = 300_000
	shownProblems  = 20
)

// Inspection is what a file is and what would be read from it.
type Inspection struct {
	File         string             `json:"file"`
	Kind         Kind               `json:"kind"`
	Compressed   bool               `json:"compressed"`
	Encoding     string             `json:"encoding,omitempty"` // of a text file, by its name on the web
	Bytes        int64              `json:"bytes"`              // on disk; 0: not known
	Dialect      *Dialect           `json:"dialect,omitempty"`  // of a CSV file
	Rows         [][]string         `json:"rows,omitempty"`     // the first of a CSV file, as they stand
	Notes        []string           `json:"notes,omitempty"`    // what was assumed
	Complete     bool               `json:"complete"`           // the file was read to its end; else what follows is of its beginning
	Trajectories int                `json:"trajectories"`
	Samples      int                `json:"samples"`
	Estimate     int64              `json:"samples_estimated"` // samples of the whole file, from its size
	First        string             `json:"first,omitempty"`   // earliest time, ISO 8601 UTC
	Last         string             `json:"last,omitempty"`    // latest time
	Bounds       roadnet.Bounds     `json:"bounds"`            // of the samples
	Reasons      map[string]int     `json:"reasons,omitempty"` // problems by reason
	Rules        map[clean.Rule]int `json:"rules,omitempty"`   // what each rule of cleaning did, how often
	Problems     []Problem          `json:"problems,omitempty"`
	Failure      string             `json:"failure,omitempty"` // why the file cannot be read, or not to its end; of a folder or archive: why nothing in it can
	Failed       []string           `json:"failed,omitempty"`  // why files of a folder or archive cannot be read, which are left out; the first of FailedFiles
	FailedFiles  int                `json:"failed_files,omitempty"`
}

// Inspect reads the beginning of the file at path (all of it when it is small)
// and says what it is; "-" is stdin. Where a file of a known kind cannot be
// read, the inspection says so in Failure; the error is for files that cannot
// be opened or are of no known kind, and for the end of ctx.
func Inspect(ctx context.Context, path string, stdin io.Reader, opt Options) (*Inspection, error) {
	if path == "-" {
		return inspect(ctx, "standard input", "", stdin, 0, opt)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return inspectMany(ctx, path, "folder", 0, opt)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 4)
	if n, _ := f.ReadAt(head, 0); isArchive(head[:n]) {
		return inspectMany(ctx, path, "zip archive", info.Size(), opt)
	}
	return inspect(ctx, path, path, f, info.Size(), opt)
}

// inspectMany says what would be read from the files of a folder or archive, up
// to as many samples as an inspection looks at.
func inspectMany(ctx context.Context, path string, kind Kind, size int64, opt Options) (*Inspection, error) {
	i := &Inspection{File: path, Kind: kind, Bytes: size, Reasons: map[string]int{}, Complete: true}
	opt = opt.withDefaults()
	var span timeSpan
	opt.Problem = i.telling(opt.Problem)
	for t, err := range Files(ctx, []string{path}, nil, opt) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			if i.FailedFiles++; len(i.Failed) < shownProblems {
				i.Failed = append(i.Failed, err.Error())
			}
			continue
		}
		i.add(t, &span)
		if opt.Look != nil {
			opt.Look(t)
		}
		if i.Samples >= opt.Head {
			i.Complete = false
			break
		}
	}
	if i.Trajectories == 0 && i.FailedFiles > 0 {
		i.Failure = i.Failed[0]
	}
	i.First, i.Last = span.text()
	i.Estimate = int64(i.Samples)
	return i, nil
}

func inspect(ctx context.Context, name, path string, r io.Reader, size int64, opt Options) (*Inspection, error) {
	i := &Inspection{File: name, Bytes: size, Reasons: map[string]int{}}
	opt = opt.withDefaults()
	opt.Problem = i.telling(opt.Problem)
	var span timeSpan
	yield := func(t *trajectory.Trajectory, _ error) bool {
		i.add(t, &span)
		if opt.Look != nil {
			opt.Look(t)
		}
		return true
	}
	src := &source{ctx: ctx, r: r, budget: inspectBytes}
	opt.Partial = true
	in, err := open(src, input{ctx: ctx, name: name, path: path, opt: opt, names: newNamer(), yield: yield, quota: opt.Head, guessed: i.table})
	if err != nil {
		return nil, err
	}
	defer in.close()
	f, known := in.format()
	i.Kind, i.Compressed, i.Encoding = f.kind, in.compressed, in.encoding
	err = in.read()
	if opt.Dialect != nil {
		i.Dialect, i.Notes = opt.Dialect, nil
	}
	if !known || ctx.Err() != nil {
		return nil, err
	}
	if err != nil && !errors.Is(err, errBudget) {
		i.Failure = err.Error()
	}
	i.Complete = !errors.Is(err, errBudget)
	i.First, i.Last = span.text()
	i.Estimate = int64(i.Samples)
	if !i.Complete && src.n > 0 {
		i.Estimate = int64(float64(i.Samples) * float64(size) / float64(src.n))
	}
	return i, nil
}

// table adds what is known of a table's columns.
func (i *Inspection) table(g *guess) {
	if i.Dialect == nil || i.Dialect.Separator == "" {
		i.Dialect, i.Notes = g.dialect, g.notes
	}
	if i.Rows == nil {
		i.Rows = g.rows
	}
}

// telling counts problems, and tells another of them too.
func (i *Inspection) telling(other func(Problem)) func(Problem) {
	return func(p Problem) {
		i.problem(p)
		if other != nil {
			other(p)
		}
	}
}

func (i *Inspection) problem(p Problem) {
	i.Reasons[p.Reason]++
	if p.Rule != "" {
		if i.Rules == nil {
			i.Rules = map[clean.Rule]int{}
		}
		i.Rules[clean.Rule(p.Rule)]++
	}
	if len(i.Problems) < shownProblems {
		i.Problems = append(i.Problems, p)
	}
}

// add counts a trajectory.
func (i *Inspection) add(t *trajectory.Trajectory, span *timeSpan) {
	i.Trajectories++
	for _, s := range t.Samples {
		if i.Samples == 0 {
			i.Bounds = roadnet.Bounds{MinLon: s.Lon, MinLat: s.Lat, MaxLon: s.Lon, MaxLat: s.Lat}
			span.first, span.last = s.Time, s.Time
		}
		i.Samples++
		i.Bounds.MinLon, i.Bounds.MaxLon = min(i.Bounds.MinLon, s.Lon), max(i.Bounds.MaxLon, s.Lon)
		i.Bounds.MinLat, i.Bounds.MaxLat = min(i.Bounds.MinLat, s.Lat), max(i.Bounds.MaxLat, s.Lat)
		span.first, span.last = min(span.first, s.Time), max(span.last, s.Time)
	}
}

// timeSpan is from when to when, Unix milliseconds.
type timeSpan struct{ first, last int64 }

func (s timeSpan) text() (first, last string) {
	if s == (timeSpan{}) {
		return "", ""
	}
	return time.UnixMilli(s.first).UTC().Format(time.RFC3339), time.UnixMilli(s.last).UTC().Format(time.RFC3339)
}
