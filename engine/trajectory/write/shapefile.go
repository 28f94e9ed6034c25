package write

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"retrace/internal/scratch"
)

// shapefiles writes a shapefile for each layer, all in one zip archive, with a
// text that says where they come from.
type shapefiles struct {
	w      io.Writer
	folder *scratch.Folder // where they lie until all is written
	layers []spec
	files  map[Layer]*shapefile
	about  About
	*shortener
}

func newShapefiles(w io.Writer, layers []spec, about About) (*shapefiles, error) {
	folder, err := scratch.New("shapefile")
	if err != nil {
		return nil, err
	}
	s := &shapefiles{w: w, folder: folder, layers: layers, files: map[Layer]*shapefile{}, about: about, shortener: newShortener()}
	for _, l := range layers {
		if s.files[l.Layer], err = newShapefile(folder.Join(string(l.Layer)), l, s.shortener); err != nil {
			s.abort()
			return nil, err
		}
	}
	return s, nil
}

func (s *shapefiles) add(l Layer, r row) error {
	if err := s.files[l].add(r); err != nil {
		return fmt.Errorf("layer %s: %w", l, err)
	}
	return nil
}

// finish packs all files.
func (s *shapefiles) finish() error {
	defer s.abort()
	z := zip.NewWriter(s.w)
	for _, l := range s.layers {
		if err := s.files[l.Layer].finish(); err != nil {
			return err
		}
		for _, ext := range []string{".shp", ".shx", ".dbf"} {
			if err := packFile(z, s.folder.Join(string(l.Layer)+ext)); err != nil {
				return err
			}
		}
		if err := packText(z, string(l.Layer)+".prj", wgs84ESRI); err != nil {
			return err
		}
		if err := packText(z, string(l.Layer)+".cpg", "UTF-8"); err != nil {
			return err
		}
	}
	if len(s.long) > 0 {
		w, err := z.Create(fullTexts)
		if err == nil {
			err = s.shortener.write(w)
		}
		if err != nil {
			return err
		}
	}
	var about strings.Builder
	for _, m := range s.about.Members() {
		fmt.Fprintf(&about, "%s: %s\n", m[0], m[1])
	}
	if note := s.note(); note != "" {
		fmt.Fprintf(&about, "note: %s\n", note)
	}
	if err := packText(z, "about.txt", about.String()); err != nil {
		return err
	}
	return z.Close()
}

// abort removes what is not packed.
func (s *shapefiles) abort() {
	for _, f := range s.files {
		if f != nil {
			f.close()
		}
	}
	_ = s.folder.Remove()
}

func packFile(z *zip.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := z.Create(filepath.Base(path))
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}

func packText(z *zip.Writer, name, text string) error {
	w, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// wgs84ESRI is the definition of WGS 84 as .prj files hold it.
const wgs84ESRI = `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`

// shapefile is one layer: geometries, where each begins, and a table.
type shapefile struct {
	shp, shx *shapePart
	dbf      *dbfWriter
	kind     uint32 // 1: points, 3: lines
	n        int32
	reach    extent
	record   []byte
}

// shapePart is the .shp or the .shx.
type shapePart struct {
	file *os.File
	*bufio.Writer
	bytes int64
}

func newShapePart(path string) (*shapePart, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	p := &shapePart{file: f, Writer: bufio.NewWriter(f), bytes: shapeHeader}
	_, err = p.Write(make([]byte, shapeHeader))
	return p, err
}

const shapeHeader = 100

var errShapeSize = errors.New("a shapefile cannot be larger than 2 GiB: write another format, or fewer trips")

func newShapefile(stem string, l spec, shorten *shortener) (*shapefile, error) {
	s := &shapefile{kind: 3}
	if l.ofPoints() {
		s.kind = 1
	}
	var errs [3]error
	s.shp, errs[0] = newShapePart(stem + ".shp")
	s.shx, errs[1] = newShapePart(stem + ".shx")
	s.dbf, errs[2] = newDBFWriter(stem+".dbf", l.columns, shorten)
	return s, errors.Join(errs[:]...)
}

func (s *shapefile) add(r row) error {
	le := binary.LittleEndian
	box := s.reach.add(r.geometry)
	b := le.AppendUint32(s.record[:0], s.kind)
	if s.kind == 1 {
		b = appendPoint(b, r.geometry[0])
	} else {
		for _, v := range bbox(box) {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
		b = le.AppendUint32(b, 1) // parts
		b = le.AppendUint32(b, uint32(len(r.geometry)))
		b = le.AppendUint32(b, 0) // where the part begins
		for _, p := range r.geometry {
			b = appendPoint(b, p)
		}
	}
	s.record = b
	s.n++
	if s.shp.bytes+int64(len(b))+8 > math.MaxInt32 {
		return errShapeSize
	}
	words := uint32(len(b) / 2)
	index := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(s.shp.bytes/2)), words)
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(s.n)), words)
	s.shp.bytes += int64(len(b)) + 8
	s.shx.bytes += 8
	for _, err := range []error{second(s.shp.Write(head)), second(s.shp.Write(b)), second(s.shx.Write(index))} {
		if err != nil {
			return err
		}
	}
	return s.dbf.add(r.values)
}

func second(_ int, err error) error { return err }

// finish writes the headers, which say how large all is.
func (s *shapefile) finish() error {
	for _, p := range []*shapePart{s.shp, s.shx} {
		if err := p.Flush(); err != nil {
			return err
		}
		if _, err := p.file.WriteAt(s.header(p.bytes), 0); err != nil {
			return err
		}
		if err := p.file.Close(); err != nil {
			return err
		}
	}
	return s.dbf.finish(uint32(s.n))
}

func (s *shapefile) header(size int64) []byte {
	b := make([]byte, shapeHeader)
	binary.BigEndian.PutUint32(b, 9994)
	binary.BigEndian.PutUint32(b[24:], uint32(size/2))
	binary.LittleEndian.PutUint32(b[28:], 1000)
	binary.LittleEndian.PutUint32(b[32:], s.kind)
	if s.reach.any {
		for i, v := range bbox(s.reach.Bounds) {
			binary.LittleEndian.PutUint64(b[36+8*i:], math.Float64bits(v))
		}
	}
	return b
}

func (s *shapefile) close() {
	for _, p := range []*shapePart{s.shp, s.shx} {
		if p != nil {
			_ = p.file.Close()
		}
	}
	if s.dbf != nil {
		_ = s.dbf.file.Close()
	}
}
