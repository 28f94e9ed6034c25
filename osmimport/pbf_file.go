package osmimport

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"google.golang.org/protobuf/encoding/protowire"

	"retrace/engine/roadnet"
	"retrace/internal/inorder"
)

// workers is how many goroutines unpack and decode.
const workers = 2

// pbfFile reads one PBF file.
type pbfFile struct {
	path   string
	limits Limits
	file   *os.File
	size   int64
	header pbfHeader
	blocks []blockInfo // filled by the first pass
}

func openPBF(path string, limits Limits) (*pbfFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &pbfFile{path: path, limits: limits, file: f, size: st.Size()}, nil
}

func (p *pbfFile) close() error { return p.file.Close() }

func (p *pbfFile) frames() *frameReader {
	return &frameReader{path: p.path, r: p.file, size: p.size}
}

// selected is a block that holds wanted objects only, framed for the library;
// data is nil where there are none.
type selected struct {
	data []byte
	info blockInfo
}

// objects hands the wanted ways and relations to sink, in the order of the
// file, and notes for the later passes what the blocks hold.
func (p *pbfFile) objects(ctx context.Context, which waysRead, sink objectSink) error {
	frames := p.frames()
	type worker struct {
		inflater inflater
		selector selector
	}
	pool := sync.Pool{New: func() any {
		return &worker{inflater{limits: p.limits}, selector{limits: p.limits, which: which}}
	}}
	work := func(fr frame) (selected, error) {
		w := pool.Get().(*worker)
		defer pool.Put(w)
		data, err := w.inflater.read(ctx, frames, fr)
		if err != nil {
			return selected{}, err
		}
		out, info, err := w.selector.run(data)
		if err != nil {
			return selected{}, p.wrongContent(fr.offset, err)
		}
		info.frame = fr
		return selected{frameBlock(out), info}, nil
	}
	reading, cancel := context.WithCancel(ctx)
	defer cancel()
	src := &blockSource{pipe: startPipeline(reading, workers, p.allFrames(ctx, frames), work), cancel: cancel}
	defer src.pipe.Stop()
	src.each = func(b blockInfo) {
		p.blocks = append(p.blocks, b)
		sink.read(b.objectRun)
		sink.progress(b.frame.blob + int64(b.frame.size))
	}
	return p.decode(ctx, src, sink)
}

func (p *pbfFile) wrongContent(offset int64, err error) error {
	return &FormatError{Path: p.path, Offset: offset, Problem: "a block with wrong content", Advice: adviceDamaged, Err: err}
}

// decode runs the library over the selected blocks.
func (p *pbfFile) decode(ctx context.Context, src *blockSource, sink objectSink) error {
	var failed error
	// The library knows nothing of ctx: called off, two of its goroutines write the
	// same field. It is called off by the end of what it reads, an error in order.
	scanner := osmpbf.New(context.WithoutCancel(ctx), src, 1)
	scanner.SkipNodes = true
	// The objects are taken where they are decoded and none is passed on: the
	// library would hold tens of thousands of them at once.
	scanner.FilterWay = func(w *osm.Way) bool {
		if ctx.Err() != nil {
			return false // blocks that the library has read already
		}
		failed = errors.Join(failed, protect(func() error { sink.way(w); return nil }))
		return false
	}
	scanner.FilterRelation = func(r *osm.Relation) bool {
		if ctx.Err() != nil {
			return false
		}
		failed = errors.Join(failed, protect(func() error { sink.relation(r); return nil }))
		return false
	}
	for scanner.Scan() {
	}
	err := scanner.Err()
	src.cancel() // the library reads on to the end of the file otherwise
	scanner.Close()
	var format *FormatError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed != nil:
		return fmt.Errorf("%s: %w", p.path, failed)
	case err == nil, errors.As(err, &format):
		return err
	}
	return p.wrongContent(src.at, err)
}

// allFrames goes through the whole file, and reads its header.
func (p *pbfFile) allFrames(ctx context.Context, frames *frameReader) func(func(frame) error) error {
	return func(submit func(frame) error) error {
		z := inflater{limits: p.limits}
		for {
			fr, err := frames.next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if !fr.header {
				if err := submit(fr); err != nil {
					return err
				}
				continue
			}
			data, err := z.read(ctx, frames, fr)
			if err != nil {
				return err
			}
			if err := p.header.parse(data); err != nil {
				return &FormatError{Path: p.path, Offset: fr.offset, Problem: err.Error(), Advice: adviceHeader}
			}
		}
	}
}

// someFrames goes through the blocks that the first pass found to be of use.
func (p *pbfFile) someFrames(use func(blockInfo) bool) func(func(frame) error) error {
	return func(submit func(frame) error) error {
		for _, b := range p.blocks {
			if !use(b) {
				continue
			}
			if err := submit(b.frame); err != nil {
				return err
			}
		}
		return nil
	}
}

// blockSource hands selected blocks to the library as one stream.
type blockSource struct {
	pipe   *inorder.Pipeline[selected]
	cancel context.CancelFunc // ends the pipe before it is read to its end
	each   func(blockInfo)
	rest   []byte
	at     int64 // of the last block in the file
	err    error
}

// Read implements io.Reader.
func (s *blockSource) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		b, ok, err := s.pipe.Next()
		if !ok {
			if s.err = err; err == nil {
				s.err = io.EOF
			}
			return 0, s.err
		}
		s.at = b.info.frame.offset
		s.each(b.info)
		s.rest = b.data
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// frameBlock puts the frame of the format round a block; nil stays nil.
func frameBlock(block []byte) []byte {
	if block == nil {
		return nil
	}
	blobSize := 1 + protowire.SizeBytes(len(block))
	header := protowire.AppendTag(nil, 1, protowire.BytesType)
	header = protowire.AppendString(header, "OSMData")
	header = protowire.AppendTag(header, 3, protowire.VarintType)
	header = protowire.AppendVarint(header, uint64(blobSize))
	out := make([]byte, 0, 4+len(header)+blobSize)
	out = binary.BigEndian.AppendUint32(out, uint32(len(header)))
	out = append(out, header...)
	out = protowire.AppendTag(out, 1, protowire.BytesType)
	return protowire.AppendBytes(out, block)
}

func (p *pbfFile) describe() FileReport {
	return FileReport{Path: p.path, Format: formatPBF.String(), Bytes: p.size, Writer: p.header.writer, Date: p.header.date}
}

func (p *pbfFile) headerBox() *roadnet.Bounds { return p.header.box }
