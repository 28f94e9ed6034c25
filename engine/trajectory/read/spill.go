package read

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"

	"retrace/engine/trajectory"
	"retrace/internal/scratch"
)

// spill keeps samples on disk in runs. Each run holds the groups in order, so
// that all runs are read once, side by side, from their beginning.
type spill struct {
	folder *scratch.Folder
	runs   []*run
}

// run is one file: for each group with samples its number, their count and the
// samples.
type run struct {
	file *os.File
	r    *bufio.Reader
	next int // number of the group that comes next; -1: none
}

const sampleBytes = 24

func newSpill() (*spill, error) {
	folder, err := scratch.New("rows")
	return &spill{folder: folder}, err
}

// write makes a run of the samples that groups hold.
func (s *spill) write(groups []group) error {
	f, err := os.Create(s.folder.Join(fmt.Sprint(len(s.runs))))
	if err != nil {
		return err
	}
	s.runs = append(s.runs, &run{file: f})
	w := bufio.NewWriterSize(f, 1<<18)
	var b []byte
	for i := range groups {
		if len(groups[i].samples) == 0 {
			continue
		}
		b = binary.AppendUvarint(b[:0], uint64(i))
		b = binary.AppendUvarint(b, uint64(len(groups[i].samples)))
		for _, p := range groups[i].samples {
			b = binary.LittleEndian.AppendUint64(b, uint64(p.Time))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.Lon))
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.Lat))
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return w.Flush()
}

// read appends the samples of a group from all runs. Groups are asked for in
// rising order.
func (s *spill) read(group int, to []trajectory.Sample) ([]trajectory.Sample, error) {
	for _, r := range s.runs {
		if r.r == nil {
			if _, err := r.file.Seek(0, io.SeekStart); err != nil {
				return nil, err
			}
			r.r = bufio.NewReaderSize(r.file, 1<<16)
			if err := r.advance(); err != nil {
				return nil, err
			}
		}
		if r.next != group {
			continue
		}
		var err error
		if to, err = r.samples(to); err != nil {
			return nil, err
		}
		if err := r.advance(); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// advance reads the number of the group that comes next.
func (r *run) advance() error {
	n, err := binary.ReadUvarint(r.r)
	if err == io.EOF {
		r.next = -1
		return nil
	}
	r.next = int(n)
	return err
}

func (r *run) samples(to []trajectory.Sample) ([]trajectory.Sample, error) {
	n, err := binary.ReadUvarint(r.r)
	if err != nil {
		return nil, err
	}
	var b [sampleBytes]byte
	for range n {
		if _, err := io.ReadFull(r.r, b[:]); err != nil {
			return nil, err
		}
		to = append(to, trajectory.Sample{
			Time: int64(binary.LittleEndian.Uint64(b[:])),
			Lon:  math.Float64frombits(binary.LittleEndian.Uint64(b[8:])),
			Lat:  math.Float64frombits(binary.LittleEndian.Uint64(b[16:])),
		})
	}
	return to, nil
}

// close removes the files.
func (s *spill) close() {
	for _, r := range s.runs {
		_ = r.file.Close()
	}
	_ = s.folder.Remove()
}
