package osmimport

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/paulmach/osm"

	"retrace/engine/roadnet"
)

// xmlFile reads one OSM XML file, packed or not.
type xmlFile struct {
	path   string
	format format
	limits Limits
	size   int64
	writer string
	date   string
	box    *roadnet.Bounds
}

func newXMLFile(path string, f format, limits Limits) (*xmlFile, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return &xmlFile{path: path, format: f, limits: limits, size: st.Size()}, nil
}

func (f *xmlFile) close() error { return nil }

// xmlVisitor is called with the tags below the root: start with every start
// tag, end with the depth of every element that ends.
type xmlVisitor interface {
	start(*xmlReader, *xmlTag) error
	end(depth int) error
}

// each walks the file. progress is told the bytes of the file read so far.
func (f *xmlFile) each(ctx context.Context, progress func(int64), v xmlVisitor) error {
	s, err := openXML(ctx, f.path, f.format, f.limits)
	if err != nil {
		return err
	}
	defer s.close()
	x := newXMLReader(f.path, s, f.limits)
	for tags := 0; ; tags++ {
		if tags%1024 == 0 {
			progress(s.in.n)
		}
		t, err := x.next()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if t.depth == 1 {
			err = f.root(x, t)
		} else {
			err = visit(x, t, v)
		}
		if err != nil {
			return err
		}
	}
}

func visit(x *xmlReader, t *xmlTag, v xmlVisitor) error {
	ends, depth := t.end || t.empty, t.depth
	if !t.end {
		if err := v.start(x, t); err != nil {
			return err
		}
	}
	if ends {
		return v.end(depth)
	}
	return nil
}

// root reads the root of the file.
func (f *xmlFile) root(x *xmlReader, t *xmlTag) error {
	if t.name != "osm" {
		return notAnExtract(f.path, []byte("<"+t.name))
	}
	if !t.end {
		f.writer, _ = x.str("generator")
		f.date, _ = x.str("timestamp")
	}
	return nil
}

// header reads what stands beside the objects.
func (f *xmlFile) header(x *xmlReader, t *xmlTag) {
	switch t.name {
	case "bounds":
		c1, ok1 := x.coord("minlon", "minlat")
		c2, ok2 := x.coord("maxlon", "maxlat")
		if ok1 && ok2 {
			p, q := c1.Point(), c2.Point()
			f.box = &roadnet.Bounds{MinLon: p.Lon, MinLat: p.Lat, MaxLon: q.Lon, MaxLat: q.Lat}
		}
	case "meta":
		if v, err := x.str("osm_base"); err == nil && v != "" {
			f.date = v
		}
	}
}

// id is the id of the current tag; every object must have one.
func (x *xmlReader) id() (int64, error) {
	raw := x.attr("id")
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return 0, x.fail(fmt.Sprintf("a %s with the id %.30q", x.tag.name, raw), adviceDamaged)
	}
	return n, nil
}

// deleted tells objects that an editor or a history keeps though they are no
// longer there.
func (x *xmlReader) deleted() bool {
	return string(x.attr("visible")) == "false" || string(x.attr("action")) == "delete"
}

// coord is the place that two attributes give; false where they give none.
func (x *xmlReader) coord(lon, lat string) (roadnet.Coord, bool) {
	lo, err1 := strconv.ParseFloat(string(x.attr(lon)), 64)
	la, err2 := strconv.ParseFloat(string(x.attr(lat)), 64)
	if err1 != nil || err2 != nil {
		return roadnet.Coord{}, false
	}
	return coordOf(lo, la)
}

// addTag appends the tag that the current element is.
func (x *xmlReader) addTag(tags osm.Tags) (osm.Tags, error) {
	if len(tags) == x.limits.Tags {
		return tags, x.fail(fmt.Sprintf("more tags than the limit of %d", x.limits.Tags), adviceLimit)
	}
	k, err := x.str("k")
	if err != nil {
		return tags, err
	}
	v, err := x.str("v")
	return append(tags, osm.Tag{Key: k, Value: v}), err
}

// ref is the object that the current element points to.
func (x *xmlReader) ref() (int64, error) {
	n, err := strconv.ParseInt(string(x.attr("ref")), 10, 64)
	if err != nil {
		return 0, x.fail(fmt.Sprintf("a reference to %.30q", x.attr("ref")), adviceDamaged)
	}
	return n, nil
}

func (f *xmlFile) describe() FileReport {
	return FileReport{Path: f.path, Format: f.format.String(), Bytes: f.size, Writer: f.writer, Date: f.date}
}

func (f *xmlFile) headerBox() *roadnet.Bounds { return f.box }
