package osmimport

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// frame is where one blob of a PBF file lies.
type frame struct {
	offset int64 // of the frame in the file
	blob   int64 // of the blob in the file
	size   int   // of the blob
	header bool  // an OSMHeader, else an OSMData
}

// frameReader walks the frames of a PBF file: a length, a header and a blob
// each. Nothing is believed before it fits into the file.
type frameReader struct {
	path string
	r    io.ReaderAt
	size int64
	at   int64
	buf  []byte
}

// next is the next frame of known type; io.EOF exactly at the end of the file.
func (f *frameReader) next() (frame, error) {
	for {
		fr, kind, err := f.read()
		if err != nil {
			return frame{}, err
		}
		f.at = fr.blob + int64(fr.size)
		switch kind {
		case "OSMHeader":
			fr.header = true
			return fr, nil
		case "OSMData":
			return fr, nil
		}
	}
}

func (f *frameReader) read() (fr frame, kind string, err error) {
	if f.at == f.size {
		return fr, "", io.EOF
	}
	if f.size-f.at < 4 {
		return fr, "", f.fail("the file ends inside the length of a block", adviceDamaged)
	}
	var length [4]byte
	if _, err := f.r.ReadAt(length[:], f.at); err != nil {
		return fr, "", fmt.Errorf("%s: %w", f.path, err)
	}
	n := int64(binary.BigEndian.Uint32(length[:]))
	if n > maxBlobHeader {
		return fr, "", f.fail(fmt.Sprintf("a block header of %d bytes, the format allows %d", n, maxBlobHeader), adviceDamaged)
	}
	if f.size-f.at-4 < n {
		return fr, "", f.fail("the file ends inside a block header", adviceDamaged)
	}
	f.buf = append(f.buf[:0], make([]byte, n)...)
	if _, err := f.r.ReadAt(f.buf, f.at+4); err != nil {
		return fr, "", fmt.Errorf("%s: %w", f.path, err)
	}
	kind, size, err := parseBlobHeader(f.buf)
	if err != nil {
		return fr, "", f.fail(err.Error(), adviceDamaged)
	}
	fr = frame{offset: f.at, blob: f.at + 4 + n, size: int(size)}
	if size > maxBlob {
		return fr, "", f.fail(fmt.Sprintf("a block of %d bytes, the format allows %d", size, maxBlob), adviceDamaged)
	}
	if f.size-fr.blob < size {
		return fr, "", f.fail(fmt.Sprintf("the file ends inside a block: %d bytes of it are missing",
			size-(f.size-fr.blob)), adviceDamaged)
	}
	return fr, kind, nil
}

func (f *frameReader) fail(problem, advice string) error {
	return &FormatError{Path: f.path, Offset: f.at, Problem: problem, Advice: advice}
}

// parseBlobHeader reads type and size of the blob that follows.
func parseBlobHeader(data []byte) (kind string, size int64, err error) {
	size = -1
	err = eachField(data, func(num protowire.Number, v fieldValue) error {
		switch num {
		case 1:
			kind = string(v.bytes)
		case 3:
			size = int64(v.number)
		}
		return nil
	})
	if err == nil && (size < 0 || kind == "") {
		err = errors.New("a block header without type or size")
	}
	return kind, size, err
}

// blob is a blob as it lies in the file, told apart by compression.
type blob struct {
	raw, zlib []byte
	rawSize   int64
	other     string // a compression that is not read here
}

func parseBlob(data []byte) (b blob, err error) {
	b.rawSize = -1
	err = eachField(data, func(num protowire.Number, v fieldValue) error {
		switch num {
		case 1:
			b.raw = v.bytes
		case 2:
			b.rawSize = int64(v.number)
		case 3:
			b.zlib = v.bytes
		case 4, 5, 6, 7:
			b.other = [...]string{"lzma", "bzip2", "lz4", "zstd"}[num-4]
		}
		return nil
	})
	return b, err
}

// fieldValue is the value of one field of a message: a number or bytes.
type fieldValue struct {
	isBytes bool
	number  uint64
	bytes   []byte
}

// eachField calls f with each field of a message.
func eachField(data []byte, f func(protowire.Number, fieldValue) error) error {
	for len(data) > 0 {
		num, typ, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		var v fieldValue
		switch typ {
		case protowire.VarintType:
			v.number, n = protowire.ConsumeVarint(data)
		case protowire.BytesType:
			v.isBytes = true
			v.bytes, n = protowire.ConsumeBytes(data)
		case protowire.Fixed32Type, protowire.Fixed64Type:
			n = protowire.ConsumeFieldValue(num, typ, data)
		default:
			return fmt.Errorf("field %d has the wire type %d, which the format does not use", num, typ)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if err := f(num, v); err != nil {
			return err
		}
	}
	return nil
}

// inflater unpacks blobs, one at a time, into memory that it keeps.
type inflater struct {
	limits Limits
	in     []byte
	out    []byte
	zr     io.ReadCloser
}

// read reads and unpacks the blob of a frame. The result is valid until the
// next call.
func (z *inflater) read(ctx context.Context, f *frameReader, fr frame) ([]byte, error) {
	fail := func(problem, advice string, err error) error {
		return &FormatError{Path: f.path, Offset: fr.offset, Problem: problem, Advice: advice, Err: err}
	}
	z.in = grow(z.in, fr.size)
	if _, err := f.r.ReadAt(z.in, fr.blob); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	b, err := parseBlob(z.in)
	switch {
	case err != nil:
		return nil, fail("a block that is no blob", adviceDamaged, err)
	case b.other != "":
		return nil, fail("a block packed with "+b.other, "write the file again with zlib, e.g. with osmium cat", nil)
	case b.zlib == nil && len(b.raw) > maxRawBlob, b.zlib != nil && b.rawSize > maxRawBlob:
		return nil, fail(fmt.Sprintf("a block of %d bytes unpacked, the format allows %d", max(b.rawSize, int64(len(b.raw))), maxBlob), adviceDamaged, nil)
	case b.zlib == nil:
		return b.raw, nil
	case b.rawSize < 0:
		return nil, fail("a packed block that does not tell its size", adviceDamaged, nil)
	case b.rawSize > z.limits.Ratio*int64(len(b.zlib))+1024:
		return nil, fail(fmt.Sprintf("a block of %d bytes that claims to unpack to %d", len(b.zlib), b.rawSize), adviceLimit, nil)
	}
	z.out = grow(z.out, int(b.rawSize))
	if err := z.inflate(ctx, b.zlib, z.out); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fail("a block that does not unpack to what it claims", adviceDamaged, err)
	}
	return z.out, nil
}

// grow is b with the length n, its content lost; it holds on to the memory.
func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n, n+n/4)
	}
	return b[:n]
}
