package osmimport

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/internal/filehead"
)

// Import reads the extracts at paths, merged into one network. Objects that
// several files hold are taken from the first. It stops with ctx's error
// within 0.2 s of its end. An error names the file, the place in it, what is
// wrong and what to do.
func Import(ctx context.Context, paths []string, opt Options) (*Result, error) {
	if len(paths) == 0 {
		return nil, errors.New("no extract to import")
	}
	if len(paths) > math.MaxUint16 {
		return nil, fmt.Errorf("%d extracts at once, more than %d", len(paths), math.MaxUint16)
	}
	imp := newImporter(paths, opt)
	defer imp.close()
	if err := imp.open(); err != nil {
		return nil, err
	}
	steps := []struct {
		name  string
		reads bool
		run   func(context.Context) error
	}{
		{"roads", true, imp.readObjects},
		{"nodes", true, imp.readNodes},
		{"background", false, imp.buildBasemap},
		{"network", false, imp.buildNetwork},
	}
	for _, s := range steps {
		start := time.Now()
		imp.clock.begin(s.name, s.reads)
		if err := await(ctx, s.run); err != nil {
			return nil, err
		}
		// A phase leaves much behind that the next one does not need, 32 MiB of
		// the library's alone; left to itself the collector lets it pile up.
		runtime.GC()
		imp.report.Phases = append(imp.report.Phases, Phase{s.name, time.Since(start).Seconds()})
	}
	if imp.network.NumSegments() == 0 {
		return nil, &EmptyError{Paths: paths, Report: imp.result().Report}
	}
	return imp.result(), nil
}

// extract reads one file, in two or three passes.
type extract interface {
	objects(ctx context.Context, which waysRead, sink objectSink) error
	members(ctx context.Context, need *idSet, take func(memberWay)) error
	nodes(ctx context.Context, need *idSet, sink nodeSink) error
	allNodes(ctx context.Context, take nodeTaker) error
	describe() FileReport
	headerBox() *roadnet.Bounds
	close() error
}

// importer is one import under way.
type importer struct {
	paths  []string
	opt    Options
	limits Limits
	clock  *progressClock
	notes  *notes
	report Report
	start  time.Time

	files []extract
	draft *draft
	table *nodeTable

	basemap *basemap.Map
	network *roadnet.Network
}

func newImporter(paths []string, opt Options) *importer {
	n := &notes{}
	return &importer{paths: paths, opt: opt, limits: opt.Limits.withDefaults(), start: time.Now(),
		clock: &progressClock{report: opt.Progress}, notes: n, draft: newDraft(n)}
}

func (imp *importer) close() {
	imp.clock.end()
	for _, f := range imp.files {
		f.close()
	}
}

// open tells the formats and opens the files.
func (imp *importer) open() error {
	for _, path := range imp.paths {
		f, err := openExtract(path, imp.limits)
		if err != nil {
			return err
		}
		imp.files = append(imp.files, f)
		imp.clock.bytes += f.describe().Bytes
	}
	return nil
}

// openExtract opens a file as what its first bytes tell that it is.
func openExtract(path string, limits Limits) (extract, error) {
	head, err := filehead.Read(path, headSize)
	if err != nil {
		return nil, err
	}
	switch kind := formatOf(head); kind {
	case formatUnknown:
		return nil, notAnExtract(path, head)
	case formatPBF:
		return openPBF(path, limits)
	default:
		return newXMLFile(path, kind, limits)
	}
}

// readObjects is the first pass: ways and relations.
func (imp *importer) readObjects(ctx context.Context) error {
	for i, f := range imp.files {
		imp.draft.file = uint16(i)
		sink := &firstPass{draft: imp.draft, clock: imp.clock}
		if err := f.objects(ctx, drawnWays, sink); err != nil {
			return err
		}
		imp.clock.fileDone(f.describe().Bytes)
		imp.report.Read.Ways += sink.run.read.Ways
		imp.report.Read.Relations += sink.run.read.Relations
		imp.notes.odd.addMany(oddUnsorted, sink.run.order.breaks, sink.run.order.at)
		imp.notes.odd.addMany(oddNegative, sink.run.negative.count, sink.run.negative.at)
		imp.notes.dropped.addMany(dropLarge, sink.run.large.count, sink.run.large.at)
	}
	imp.draft.unique()
	return imp.readMembers(ctx)
}

// readMembers is a pass for ways that have no kind of their own and that
// polygons need.
func (imp *importer) readMembers(ctx context.Context) error {
	need, err := newIDSet(ctx, imp.draft.missingMembers())
	if err != nil || len(need.ids) == 0 {
		return err
	}
	for i, f := range imp.files {
		take := func(w memberWay) {
			imp.draft.lines = append(imp.draft.lines, draftLine{w.id, uint16(i), imp.draft.refs.add(w.refs)})
		}
		if err := f.members(ctx, need, take); err != nil {
			return err
		}
	}
	imp.draft.lines = uniqueByID(imp.draft, imp.draft.lines, objectWay, func(l draftLine) (int64, uint16) { return l.id, l.file })
	return nil
}

// readNodes is the second pass: the nodes that roads and shapes need.
func (imp *importer) readNodes(ctx context.Context) error {
	set, err := newIDSet(ctx, imp.draft.nodeIDs())
	if err != nil {
		return err
	}
	imp.table = newNodeTable(set, len(imp.files), imp.notes)
	imp.table.step = imp.clock.at
	for i, f := range imp.files {
		t := imp.table
		t.startFile(i, f.headerBox())
		if err := f.nodes(ctx, set, t); err != nil {
			return err
		}
		imp.clock.fileDone(f.describe().Bytes)
		imp.notes.odd.addMany(oddUnsorted, t.order.breaks, t.order.at)
		imp.notes.odd.addMany(oddNegative, t.neg.count, t.neg.at)
		if t.box.wrong() {
			imp.notes.odd.addText(oddBox, imp.paths[i]+": "+t.box.String())
		}
	}
	imp.report.Read.Nodes = imp.table.read
	return nil
}

// name is the name of the network: given, or of the first file.
func (imp *importer) name() string {
	if imp.opt.Name != "" {
		return imp.opt.Name
	}
	name := filepath.Base(imp.paths[0])
	for _, ext := range []string{".gz", ".bz2", ".pbf", ".xml", ".osm"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// result gathers what was made.
func (imp *importer) result() *Result {
	r := &imp.report
	for _, f := range imp.files {
		r.Files = append(r.Files, f.describe())
	}
	r.Kept, r.Dropped, r.Oddities = imp.notes.kept.list(), imp.notes.dropped.list(), imp.notes.odd.list()
	r.Seconds = time.Since(imp.start).Seconds()
	r.PeakRSS = peakRSS()
	return &Result{Network: imp.network, Basemap: imp.basemap, Report: *r}
}
