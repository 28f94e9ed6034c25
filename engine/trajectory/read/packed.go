package read

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"retrace/internal/scratch"
)

// errPacked refuses what unpacks without end.
var errPacked = errors.New("it unpacks to more than 200 times its size, as no file of trajectories does: unpack it yourself if it is meant to")

// packedRatio is how often larger than packed a file may be, beyond a first
// allowance: tables of positions shrink to a tenth, hardly ever to a fiftieth.
const packedRatio = 200

// isArchive tells a zip archive.
func isArchive(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// packing bounds what comes out of a file that is packed, all in all.
type packing struct {
	first int64        // bytes that are free
	out   int64        // bytes that came out
	read  func() int64 // bytes of the file that were read
}

func (p *packing) reader(r io.Reader) io.Reader { return &unpacker{p, r} }

type unpacker struct {
	*packing
	r io.Reader
}

func (u *unpacker) Read(b []byte) (int, error) {
	if u.out > u.first && u.out > packedRatio*u.packing.read() {
		return 0, errPacked
	}
	n, err := u.r.Read(b)
	u.out += int64(n)
	return n, err
}

// file is the plain content as a file that can be read anywhere, with its size.
// The caller closes it.
func (in *input) file() (*os.File, int64, error) {
	path := in.path
	if path == "" || in.compressed {
		if err := in.spool(); err != nil {
			return nil, 0, err
		}
		path = in.spooled.Name()
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// spool writes the content to a file of our own.
func (in *input) spool() error {
	if in.spooled != nil {
		return nil
	}
	f, err := scratch.NewFile("unpacked")
	if err != nil {
		return fmt.Errorf("no room on disk to unpack it: %w", err)
	}
	in.spooled, in.raw.budget = f, 0
	_, err = io.Copy(f, in.text)
	return err
}

// close lets go of what was unpacked.
func (in *input) close() {
	if in.spooled != nil {
		in.spooled.Remove()
		in.spooled = nil
	}
}

// archive reads every file of a zip archive that can be read; each is read as a
// whole or not at all.
func (s *session) archive(in *input, depth int) error {
	if depth == maxNested {
		return fmt.Errorf("%s: archives lie in one another more than %d deep; unpack them first", in.name, maxNested)
	}
	f, size, err := in.file()
	if err != nil {
		return in.failure(err)
	}
	defer f.Close()
	z, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("%s: the zip archive is damaged: %w", in.name, err)
	}
	if len(z.File) > maxEntries {
		return fmt.Errorf("%s: there are %d files in this zip archive; unpack it first", in.name, len(z.File))
	}
	if depth == 0 { // archives in archives share what may come out
		in.packed = &packing{first: int64(in.opt.Limits.Packed), read: func() int64 { return size }}
	}
	a := archived{session: s, in: in, depth: depth + 1}
	if err := a.each(z); err != nil {
		return err
	}
	if a.taken == 0 && a.other != nil {
		return a.other
	}
	if a.taken == 0 && a.failed == 0 {
		return fmt.Errorf("%s: there is no trajectory file in this zip archive that can be read", in.name)
	}
	return nil
}

// maxEntries bounds the files of an archive.
const maxEntries = 1 << 20

// archived is an archive while it is read.
type archived struct {
	*session
	in            *input
	depth         int
	taken, failed int
	other         error // of the first table that holds no trajectories
}

func (a *archived) each(z *zip.Reader) error {
	for _, e := range z.File {
		name := e.Name
		if e.FileInfo().IsDir() || strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(name, "__MACOSX/") || IsSidecar(name) {
			continue
		}
		err := a.entry(z, e)
		switch {
		case err == nil:
			a.taken++
		case errors.Is(err, errStop), a.ctx.Err() != nil, errors.Is(err, errPacked):
			return err
		case errors.Is(err, errUnknown):
			a.leftOut(a.nameOf(e), "no trajectory file that can be read", "")
		case isNotTrips(err):
			a.leftOut(a.nameOf(e), noteNotTrips, err.Error())
			if a.other == nil {
				a.other = err
			}
		default:
			a.failed++
			if !a.yield(nil, err) {
				return errStop
			}
		}
	}
	return nil
}

func isNotTrips(err error) bool {
	_, ok := errors.AsType[*notTripsError](err)
	return ok
}

// nameOf is the name of a file in the archive, as people are told of it.
func (a *archived) nameOf(e *zip.File) string { return a.in.name + "!" + e.Name }

// entry reads one file of the archive. A shapefile is unpacked with all that
// goes with it.
func (a *archived) entry(z *zip.Reader, e *zip.File) error {
	if strings.EqualFold(path.Ext(e.Name), ".shp") {
		return a.shapefile(z, e)
	}
	if before, err := a.seen(e); err != nil || before != "" {
		if err == nil {
			a.leftOut(a.nameOf(e), SameFile, before)
		}
		return err
	}
	r, err := a.open(e)
	if err != nil {
		return err
	}
	defer r.Close()
	sum := sha256.New()
	content := &source{ctx: a.ctx, r: io.TeeReader(r, sum)}
	if err := a.stream(item{name: a.nameOf(e), src: content, packed: a.in.packed, depth: a.depth}); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, content); err == nil { // what a reader left
		a.opt.Known.addSum(a.nameOf(e), content.n, [sha256.Size]byte(sum.Sum(nil)))
	}
	return nil
}

// open unpacks a file of the archive, within bounds.
func (a *archived) open(e *zip.File) (io.ReadCloser, error) {
	r, err := e.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be unpacked: %w", a.nameOf(e), err)
	}
	return struct {
		io.Reader
		io.Closer
	}{a.in.packed.reader(r), r}, nil
}

// seen is the path under which the content of a file of the archive was read
// before; empty where it was not.
func (a *archived) seen(e *zip.File) (string, error) {
	size := int64(e.UncompressedSize64)
	if !a.opt.Known.anyOf(size) {
		return "", nil
	}
	r, err := a.open(e)
	if err != nil {
		return "", err
	}
	defer r.Close()
	defer func(before int64) { a.in.packed.out = before }(a.in.packed.out) // it is unpacked again to be read
	sum, err := sumAll(&source{ctx: a.ctx, r: r})
	if err != nil {
		return "", fmt.Errorf("%s: cannot be unpacked: %w", a.nameOf(e), err)
	}
	return a.opt.Known.seenSum(a.ctx, size, sum), a.ctx.Err()
}

// shapefile reads a shapefile, whose parts are found by name.
func (a *archived) shapefile(z *zip.Reader, shp *zip.File) (err error) {
	folder, err := scratch.New("unpacked")
	if err != nil {
		return fmt.Errorf("no room on disk to unpack it: %w", err)
	}
	defer folder.Remove()
	stem := strings.TrimSuffix(shp.Name, path.Ext(shp.Name))
	for _, e := range z.File {
		ext := strings.ToLower(path.Ext(e.Name))
		if strings.EqualFold(strings.TrimSuffix(e.Name, path.Ext(e.Name)), stem) && (e == shp || IsSidecar(e.Name)) {
			if err := a.unpack(e, folder.Join("part"+ext)); err != nil {
				return fmt.Errorf("%s: %w", a.nameOf(e), err)
			}
		}
	}
	file := folder.Join("part.shp")
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	sum, err := sumOf(a.ctx, file)
	if err != nil {
		return err
	}
	size := int64(shp.UncompressedSize64)
	if before := a.opt.Known.seenSum(a.ctx, size, sum); before != "" {
		a.leftOut(a.nameOf(shp), SameFile, before)
		return nil
	}
	defer func() {
		if err == nil {
			a.opt.Known.addSum(a.nameOf(shp), size, sum)
		}
	}()
	return a.stream(item{name: a.nameOf(shp), path: file, src: &source{ctx: a.ctx, r: f}, packed: a.in.packed, depth: a.depth})
}

func (a *archived) unpack(e *zip.File, to string) error {
	r, err := e.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, &source{ctx: a.ctx, r: a.in.packed.reader(r)})
	return errors.Join(err, f.Close())
}
