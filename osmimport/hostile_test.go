package osmimport

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// refused imports data that must be refused, and gives the error.
func refused(t *testing.T, name string, data []byte, limits Limits) *FormatError {
	t.Helper()
	before := totalAlloc()
	start := time.Now()
	_, err := Import(context.Background(), []string{writeFile(t, "file", data)}, Options{Limits: limits})
	var format *FormatError
	if !errors.As(err, &format) {
		t.Errorf("%s: error %v, want a FormatError", name, err)
		return &FormatError{}
	}
	if used := totalAlloc() - before; used > 256<<20 {
		t.Errorf("%s: %d MiB allocated", name, used>>20)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("%s: refused after %v", name, took)
	}
	if format.Problem == "" || format.Advice == "" || !strings.Contains(err.Error(), format.Path) {
		t.Errorf("%s: the error lacks a part: %v", name, err)
	}
	return format
}

func totalAlloc() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// blobFrame is the header of a PBF file and one more frame.
func blobFrame(kind string, blob []byte) []byte {
	return appendBlob(appendFrame(nil, "OSMHeader", encodeHeader(pbfOptions{}), false), kind, blob)
}

func packedBlob(rawSize uint64, data []byte) []byte {
	blob := protowire.AppendTag(nil, 2, protowire.VarintType)
	return bytesField(protowire.AppendVarint(blob, rawSize), 3, data)
}

// Lengths, counts and ratios of PBF files that do not fit are refused, with
// the place.
func TestHostilePBF(t *testing.T) {
	good := encodePBF(town(6, 1), pbfOptions{})
	head := len(appendFrame(nil, "OSMHeader", encodeHeader(pbfOptions{}), false))
	zeros := deflate(make([]byte, 30<<20))
	table := bytesField(nil, 1, nil)
	block := func(group []byte) []byte {
		return blobFrame("OSMData", packedRaw(bytesField(bytesField(nil, 1, table), 2, group)))
	}
	way := func(fields ...[]byte) []byte { return block(bytesField(nil, 3, bytes.Join(fields, nil))) }
	for name, c := range map[string]struct {
		data    []byte
		problem string
	}{
		"bomb":                     {blobFrame("OSMData", packedBlob(30<<20, zeros)), "claims to unpack"},
		"lying bomb":               {blobFrame("OSMData", packedBlob(1000, zeros)), "does not unpack"},
		"too short":                {blobFrame("OSMData", packedBlob(1000, deflate(make([]byte, 999)))), "does not unpack"},
		"huge raw size":            {blobFrame("OSMData", packedBlob(1<<40, zeros)), "unpacked, the format allows"},
		"no raw size":              {blobFrame("OSMData", bytesField(nil, 3, zeros)), "does not tell its size"},
		"lz4":                      {blobFrame("OSMData", bytesField(nil, 6, []byte("x"))), "lz4"},
		"huge header":              {append(append([]byte{}, good...), 0x7f, 0, 0, 0, 1), "block header of"},
		"header past the end":      {append(append([]byte{}, good...), 0, 0, 1, 0, 1), "inside a block header"},
		"cut in a length":          {good[:head+2], "inside the length"},
		"cut in a blob":            {good[:len(good)-5], "inside a block"},
		"blob past the end":        {blobFrame("OSMData", make([]byte, 40))[:head+20], "ends inside"},
		"unknown feature":          {encodePBF(town(4, 1), pbfOptions{features: []string{"Quantum"}}), "Quantum"},
		"a history":                {encodePBF(town(4, 1), pbfOptions{features: []string{"HistoricalInformation"}}), "history"},
		"garbage block":            {blobFrame("OSMData", packedRaw([]byte("\xff\xff\xff\xff"))), "wrong content"},
		"key without string":       {way(bytesField(nil, 2, []byte{9}), bytesField(nil, 3, []byte{0})), "wrong content"},
		"more keys than values":    {way(bytesField(nil, 2, []byte{0, 0}), bytesField(nil, 3, []byte{0})), "wrong content"},
		"refs twice":               {way(bytesField(nil, 8, []byte{2}), bytesField(nil, 8, []byte{2, 2, 2})), "wrong content"},
		"refs unpacked":            {way([]byte{8 << 3, 2}), "wrong content"},
		"endless number":           {way(bytesField(nil, 8, bytes.Repeat([]byte{0xff}, 30))), "wrong content"},
		"unending number":          {way(bytesField(nil, 8, []byte{0x80})), "wrong content"},
		"more roles than members":  {block(bytesField(nil, 4, bytesField(bytesField(nil, 8, []byte{0, 0}), 9, []byte{2}))), "wrong content"},
		"role without string":      {block(bytesField(nil, 4, bytesField(bytesField(bytesField(nil, 8, []byte{7}), 9, []byte{2}), 10, []byte{1}))), "wrong content"},
		"ids without coordinates":  {block(bytesField(nil, 2, bytesField(nil, 1, []byte{2, 2}))), "wrong content"},
		"node tag without string":  {block(bytesField(nil, 2, denseNode([]byte{9, 9, 0}))), "wrong content"},
		"node tags that stop":      {block(bytesField(nil, 2, denseNode([]byte{0x80}))), "wrong content"},
		"granularity":              {blobFrame("OSMData", packedRaw(append(bytesField(nil, 1, table), 0x88, 0x01, 0))), "wrong content"},
		"a string table of groups": {blobFrame("OSMData", packedRaw(bytesField(nil, 1, []byte{8, 1}))), "wrong content"},
		"much text":                {blobFrame("OSMData", packedRaw(bytesField(nil, 1, bytesField(nil, 1, make([]byte, 9<<20))))), "wrong content"},
		"many strings":             {blobFrame("OSMData", packedRaw(bytesField(nil, 1, bytes.Repeat([]byte{0x0a, 0}, 2<<20)))), "wrong content"},
	} {
		e := refused(t, name, c.data, Limits{Ratio: 900})
		if !strings.Contains(e.Problem, c.problem) {
			t.Errorf("%s: %q, want %q", name, e.Problem, c.problem)
		}
		if e.Offset == 0 && e.Line == 0 && name != "unknown feature" && name != "a history" {
			t.Errorf("%s: no place", name)
		}
	}
}

// packedRaw is a blob that is not packed.
func packedRaw(block []byte) []byte { return bytesField(nil, 1, block) }

// denseNode is one dense node with the given tags.
func denseNode(tags []byte) []byte {
	return bytesField(bytesField(bytesField(bytesField(nil, 1, []byte{2}), 8, []byte{2}), 9, []byte{2}), 10, tags)
}

// A file cut exactly between two blocks cannot be told by itself; the missing
// nodes tell.
func TestCutBetweenBlocks(t *testing.T) {
	o := town(10, 1)
	o.Nodes, o.Ways = nil, o.Ways[:4]
	_, err := Import(context.Background(), []string{writeFile(t, "cut.osm.pbf", encodePBF(o, pbfOptions{}))}, Options{})
	var empty *EmptyError
	if !errors.As(err, &empty) || count(empty.Report.Oddities, oddMissing) == 0 || !strings.Contains(err.Error(), oddMissing) {
		t.Errorf("error %v", err)
	}
}

// XML that asks for too much, or is none, is refused with its line.
func TestHostileXML(t *testing.T) {
	wrap := func(s string) string { return "<?xml version='1.0'?>\n<osm version='0.6'>\n" + s + "\n</osm>" }
	laughs := "<?xml version='1.0'?>\n<!DOCTYPE osm [<!ENTITY lol 'lol'><!ENTITY l2 '&lol;&lol;&lol;'>]>\n<osm>&l2;</osm>"
	for name, c := range map[string]struct {
		data    string
		problem string
		line    int
	}{
		"entities":            {laughs, "document type", 2},
		"own entity":          {wrap("<way id='1'><tag k='name' v='&lol;'/></way>"), "entity &lol;", 3},
		"bad character":       {wrap("<way id='1'><tag k='name' v='&#xD800;'/></way>"), "entity", 3},
		"deep":                {wrap(strings.Repeat("<a>", 1<<20)), "nested", 3},
		"long attribute":      {wrap("<way id='1'><tag k='name' v='" + strings.Repeat("x", 100<<10) + "'/></way>"), "attribute", 3},
		"endless tag":         {wrap("<way " + strings.Repeat("y", 8<<20)), "a tag of more", 3},
		"many attributes":     {wrap("<way " + strings.Repeat("a='1' ", 1000) + "/>"), "attribute", 3},
		"many tags":           {wrap("<way id='1'>" + strings.Repeat("<tag k='a' v='b'/>", 10_001) + "</way>"), "more tags", 3},
		"cut":                 {"<osm>\n<way id='1'>\n", "ends inside the element way", 3},
		"cut in a tag":        {"<osm>\n<way id='1", "inside a tag", 2},
		"cut in a comment":    {"<osm>\n<!-- way", "inside a comment", 2},
		"wrong end":           {"<osm>\n<way id='1'></node></osm>", "fits no beginning", 2},
		"no id":               {wrap("<way/>"), "with the id", 3},
		"id too large":        {wrap("<way id='99999999999999999999'/>"), "with the id", 3},
		"no quotes":           {wrap("<way id=1/>"), "without quotes", 3},
		"half an attribute":   {wrap("<way id/>"), "broken attribute", 3},
		"a < in a tag":        {wrap("<way <way/>"), "< inside a tag", 3},
		"nothing after <":     {wrap("< way/>"), "starts no tag", 3},
		"ref to nothing":      {wrap("<way id='1'><nd ref='x'/></way>"), "reference", 3},
		"UTF-16 by its words": {"<?xml version='1.0' encoding='UTF-16'?><osm/>", "UTF-8", 1},
		"GPX":                 {"<?xml version='1.0'?><!--" + strings.Repeat("x", 600) + "--><gpx/>", "GPX", 0},
	} {
		e := refused(t, name, []byte(c.data), Limits{})
		if !strings.Contains(e.Problem, c.problem) || c.line != 0 && e.Line != c.line {
			t.Errorf("%s: line %d: %q; want line %d, %q", name, e.Line, e.Problem, c.line, c.problem)
		}
	}
}

// Files that unpack to far more than they are, or break off, are refused.
func TestHostileGzip(t *testing.T) {
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	io.WriteString(w, "<osm>")
	for range 64 {
		w.Write(bytes.Repeat([]byte{' '}, 1<<20))
	}
	w.Close()
	if e := refused(t, "bomb", bomb.Bytes(), Limits{}); !strings.Contains(e.Problem, "unpack to more") {
		t.Error(e)
	}
	good := gzipped(encodeXML(town(20, 1)))
	if e := refused(t, "total", good, Limits{Total: 1000}); !strings.Contains(e.Problem, "more than 1000 bytes") {
		t.Error(e)
	}
	if e := refused(t, "cut", good[:len(good)/2], Limits{}); !strings.Contains(e.Problem, "too early") {
		t.Error(e)
	}
	broken := append([]byte{}, good...)
	broken[len(broken)/2] ^= 0x55
	refused(t, "broken", broken, Limits{})
	sum := append([]byte{}, good...)
	binary.LittleEndian.PutUint32(sum[len(sum)-8:], 12345)
	refused(t, "wrong checksum", sum, Limits{})
	// A bzip2 file of the right beginning and nothing behind it.
	refused(t, "bzip2", []byte("BZh91AY&SY\x01\x02\x03\x04"), Limits{})
}

// Every file that is no extract is refused with a word on what it is.
func TestNotAnExtract(t *testing.T) {
	for want, data := range map[string][]byte{
		"empty":         nil,
		"zip":           []byte("PK\x03\x04....."),
		"GPX":           []byte("<?xml version='1.0'?><gpx>"),
		"changes":       []byte("<osmChange version='0.6'>"),
		"OpenStreetMap": []byte("id,time,lon,lat\n"),
	} {
		if e := refused(t, want, data, Limits{}); !strings.Contains(e.Problem, want) {
			t.Errorf("%s: %q", want, e.Problem)
		}
	}
	if _, err := Import(context.Background(), []string{"/no/such/file"}, Options{}); err == nil {
		t.Error("a file that is not there is read")
	}
	if _, err := Import(context.Background(), nil, Options{}); err == nil {
		t.Error("no file is read")
	}
}

// A panic inside the decoding becomes an error that the caller sees.
func TestPanicBecomesError(t *testing.T) {
	p := startPipeline(context.Background(), 2, func(submit func(int) error) error {
		for i := range 10 {
			if err := submit(i); err != nil {
				return err
			}
		}
		return nil
	}, func(i int) (string, error) {
		if i == 5 {
			panic("five")
		}
		return fmt.Sprint(i), nil
	})
	defer p.Stop()
	for i := range 5 {
		if v, ok, err := p.Next(); !ok || err != nil || v != fmt.Sprint(i) {
			t.Fatal(v, ok, err)
		}
	}
	if _, ok, err := p.Next(); ok || err == nil || !strings.Contains(err.Error(), "five") {
		t.Errorf("after the panic: %v %v", ok, err)
	}
}

// An object with more references than any map needs is left out and named; the
// rest of the extract is imported.
func TestLargeObjectsAreLeftOut(t *testing.T) {
	o := town(6, 1)
	var large Relation
	large.ID, large.Tags = 777, []Tag{{"type", "multipolygon"}, {"natural", "water"}}
	other := Relation{ID: 778, Tags: []Tag{{"type", "route"}}}
	for range 100_001 {
		large.Members = append(large.Members, Member{Type: "way", Ref: 1, Role: "outer"})
	}
	other.Members = large.Members
	long := Way{ID: 4000, Tags: []Tag{{"highway", "residential"}}}
	for i := range 100_001 {
		long.Nodes = append(long.Nodes, int64(1+i%2))
	}
	o.Relations = append(o.Relations, large, other)
	o.Ways = append(o.Ways, long)
	want := mustImport(t, writeFile(t, "small.osm", encodeXML(town(6, 1)))).Report.Segments
	for name, data := range map[string][]byte{"a.osm": encodeXML(o), "a.osm.pbf": encodePBF(o, pbfOptions{raw: true})} {
		r := mustImport(t, writeFile(t, name, data)).Report
		if r.Segments != want || count(r.Dropped, dropLarge) != 2 {
			t.Errorf("%s: %d segments, want %d; left out %+v", name, r.Segments, want, r.Dropped)
		}
		for _, it := range r.Dropped {
			if it.What == dropLarge && !slices.Equal(it.Objects, []string{"way 4000", "relation 777"}) {
				t.Errorf("%s: named are %v", name, it.Objects)
			}
		}
	}
}

// What holds OpenStreetMap's data in a way that is not read is named for what it is.
func TestForeignFilesAreNamed(t *testing.T) {
	osc := []byte("<?xml version=\"1.0\"?>\n<osmChange version=\"0.6\"><modify/></osmChange>")
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"a.o5m":     {[]byte("\xff\xe0\x04o5m2\xff\x10"), "format o5m"},
		"a.o5c":     {[]byte("\xff\xe0\x04o5c2\xff\x10"), "format o5c"},
		"a.opl":     {[]byte("n1 v2 dV c3 t2020-01-01T00:00:00Z i4 ufoo T x1.5 y2.5\nn2 v1 dV"), "format OPL"},
		"plain.opl": {[]byte("n1 T x1.5 y2.5\n"), "format OPL"},
		"a.osc":     {osc, "changes to OpenStreetMap (.osc)"},
		"a.osc.gz":  {gzipped(osc), "changes to OpenStreetMap (.osc)"},
		"a.gpx":     {append([]byte("<?xml version='1.0'?><!-- "+strings.Repeat("x", 100_000)+" -->"), "<gpx version='1.1'/>"...), "GPX"},
	} {
		path := writeFile(t, name, c.data)
		if IsExtractFile(path) {
			t.Errorf("%s passes for an extract", name)
		}
		if e := refused(t, name, c.data, Limits{}); !strings.Contains(e.Problem, c.says) {
			t.Errorf("%s: %q, want %q", name, e.Problem, c.says)
		}
		if foreign := Foreign(path, c.data[:min(len(c.data), 512)]); (foreign == nil) != (name == "a.gpx") {
			t.Errorf("%s: %v", name, foreign)
		}
	}
	if path := writeFile(t, "a.osm", append([]byte("<?xml version='1.0'?><!-- "+strings.Repeat("x", 100_000)+" -->"), encodeXML(town(4, 1))[38:]...)); !IsExtractFile(path) {
		t.Error("an extract behind a long comment is none")
	}
}
