package write

import (
	"bufio"
	"fmt"
	"path/filepath"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/internal/atomicfile"
)

// SampleWriter writes trajectories as they were reported.
type SampleWriter struct {
	output
	beside *sidecar // nil: the file says itself where it comes from
	write  func(*trajectory.Trajectory) error
}

// CreateSamples makes a writer for the file at path, whose extension chooses the
// format. Tables have the columns trajectory, vehicle, time and the position.
func CreateSamples(path string, about About) (*SampleWriter, error) {
	format, ok := formatOf(filepath.Ext(path))
	if !ok {
		return nil, fmt.Errorf("%s: the extension says no format that can be written (%s)", path, Extensions())
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w := &SampleWriter{output: output{file: f}}
	switch {
	case format.Extension == ".csv":
		e := newSampleCSV(bufio.NewWriter(f))
		w.beside = &sidecar{path, e.columns, about}
		w.begin(sampleSink{e})
	case format.Tracks:
		e := newTracks(f, format, about)
		w.encoder = recoveredTracks{e}
		w.write = func(t *trajectory.Trajectory) error {
			if len(t.Samples) == 0 {
				return nil
			}
			return e.write(track{id: t.ID, vehicle: t.Vehicle, parts: [][]trajectory.Sample{t.Samples}})
		}
	default:
		s, err := newSink(f, format, specsOf([]Layer{Samples}), about)
		if err != nil {
			f.Abort()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		w.begin(s)
	}
	return w, nil
}

// begin writes into a sink from now on.
func (w *SampleWriter) begin(s sink) {
	w.encoder = &layered{sink: s}
	w.write = func(t *trajectory.Trajectory) error {
		for _, p := range t.Samples {
			if err := s.add(Samples, row{[]any{t.ID, t.Vehicle, p.Time}, []roadnet.Point{{Lon: p.Lon, Lat: p.Lat}}}); err != nil {
				return err
			}
		}
		return nil
	}
}

// Write adds one trajectory.
func (w *SampleWriter) Write(t *trajectory.Trajectory) error { return w.write(t) }

// Close syncs the file and gives it its final name.
func (w *SampleWriter) Close() error {
	if err := w.output.Close(); err != nil || w.beside == nil || w.file.Device() {
		return err
	}
	return w.beside.write()
}

// newSampleCSV writes samples as CSV.
func newSampleCSV(w *bufio.Writer) *csvEncoder {
	return &csvEncoder{w: w, layer: Samples, columns: append(columnsOf(Samples), column{name: "lon", kind: degrees}, column{name: "lat", kind: degrees})}
}

// sampleSink makes a sink of a table of samples.
type sampleSink struct{ *csvEncoder }

func (s sampleSink) add(_ Layer, r row) error {
	return s.csvEncoder.write(append(r.values, r.geometry[0].Lon, r.geometry[0].Lat))
}
