package read

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	pq "github.com/parquet-go/parquet-go/format"
)

// A page of a Parquet file that says that it is larger, or unpacks to more, is
// refused before the library that reads it takes the memory.
const mostPage = 64 << 20

// mostFooter bounds the description at the end of a Parquet file.
const mostFooter = 64 << 20

// mostValues bounds the values of a page, of which a few bytes can hold any number.
const mostValues = 16 << 20

var errValues = fmt.Errorf("a page has more than %d values: write the file with smaller pages", mostValues)

// mostPageHeader is how long the header of a page may be, with its statistics.
const mostPageHeader = 64 << 10

var errPage = fmt.Errorf("a page takes more than %d MiB: write the file with smaller pages", mostPage>>20)

// checkFooter looks at the end of a file, where its description is.
func checkFooter(f io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < 12 {
		return io.ErrUnexpectedEOF
	}
	if _, err := f.ReadAt(tail[:], size-8); err != nil {
		return err
	}
	if string(tail[4:]) != "PAR1" {
		return io.ErrUnexpectedEOF
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > mostFooter || n > size-12 {
		return fmt.Errorf("its description has %d bytes, the limit is %d", n, min(mostFooter, size-12))
	}
	description := make([]byte, n)
	if _, err := f.ReadAt(description, size-8-n); err != nil {
		return err
	}
	return checkThrift(description)
}

// checkGroup looks over the pages of a row group.
func checkGroup(in *input, f io.ReaderAt, size int64, g *pq.RowGroup, n int) error {
	for i := range g.Columns {
		if err := in.ctx.Err(); err != nil {
			return err
		}
		meta := &g.Columns[i].MetaData
		begin := meta.DataPageOffset
		if meta.DictionaryPageOffset > 0 {
			begin = min(begin, meta.DictionaryPageOffset)
		}
		if begin < 4 || meta.TotalCompressedSize < 0 || meta.TotalCompressedSize > size-begin {
			return fmt.Errorf("row group %d, column %d lies outside of the file", n+1, i+1)
		}
		pages := bufio.NewReaderSize(io.NewSectionReader(f, begin, meta.TotalCompressedSize), 1<<16)
		if err := checkPages(pages, meta.Codec); err != nil {
			return fmt.Errorf("row group %d, column %d: %w", n+1, i+1, err)
		}
	}
	return nil
}

// checkPages looks over the pages of a column: their headers, and what they
// unpack to.
func checkPages(r *bufio.Reader, codec pq.CompressionCodec) error {
	var protocol thrift.CompactProtocol
	var body bytes.Buffer
	for {
		if _, err := r.Peek(1); err != nil {
			return nil
		}
		head, _ := r.Peek(mostPageHeader)
		if err := checkThrift(head); err != nil {
			return fmt.Errorf("the header of a page cannot be read: %w", err)
		}
		var h pq.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(r)).Decode(&h); err != nil {
			return fmt.Errorf("the header of a page cannot be read: %w", err)
		}
		if h.CompressedPageSize < 0 || h.UncompressedPageSize < 0 || h.CompressedPageSize > mostPage || h.UncompressedPageSize > mostPage {
			return errPage
		}
		for _, n := range []int32{h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues, h.DictionaryPageHeader.V.NumValues} {
			if n < 0 || n > mostValues {
				return errValues
			}
		}
		body.Reset()
		if _, err := io.CopyN(&body, r, int64(h.CompressedPageSize)); err != nil {
			return io.ErrUnexpectedEOF
		}
		packed, whole := body.Bytes(), int(h.UncompressedPageSize)
		if v2 := h.DataPageHeaderV2; v2.Valid {
			levels := int64(v2.V.DefinitionLevelsByteLength) + int64(v2.V.RepetitionLevelsByteLength)
			if levels < 0 || levels > int64(len(packed)) || levels > int64(whole) {
				return errors.New("the header of a page contradicts itself")
			}
			packed, whole = packed[levels:], whole-int(levels)
			if v2.V.IsCompressed.Valid && !v2.V.IsCompressed.V {
				continue
			}
		}
		if err := checkUnpacked(packed, whole, codec); err != nil {
			return err
		}
	}
}

// checkUnpacked unpacks a page, to no more than it says that it has.
func checkUnpacked(b []byte, whole int, codec pq.CompressionCodec) error {
	var r io.Reader
	switch codec {
	case pq.Uncompressed:
		return nil
	case pq.Snappy:
		if n, err := snappy.DecodedLen(b); err != nil || n != whole {
			return errPage
		}
		return nil
	case pq.Lz4Raw: // parquet-go 0.32.0 gives zeros for pages that shrank to more than a third
		return errors.New("the compression LZ4_RAW cannot be read: write the file with zstd or snappy")
	case pq.Gzip:
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return err
		}
		r = z
	case pq.Zstd:
		z, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostPage))
		if err != nil {
			return err
		}
		defer z.Close()
		r = z
	case pq.Brotli:
		r = brotli.NewReader(bytes.NewReader(b))
	default:
		return fmt.Errorf("the compression %s is not known", codec)
	}
	n, err := io.Copy(io.Discard, io.LimitReader(r, int64(whole)+1))
	if err != nil {
		return err
	}
	if n > int64(whole) {
		return errPage
	}
	return nil
}
