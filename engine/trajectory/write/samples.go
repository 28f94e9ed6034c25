package write

import (
	"bufio"

	"retrace/engine/trajectory"
	"retrace/internal/atomicfile"
)

// SampleWriter writes trajectories as they were reported: a CSV with the
// columns trajectory, vehicle, time, lon, lat.
type SampleWriter struct {
	file *atomicfile.File
	w    *bufio.Writer
	line []byte
}

// CreateSamples makes a writer for the file at path.
func CreateSamples(path string) (*SampleWriter, error) {
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	w := &SampleWriter{file: f, w: bufio.NewWriter(f)}
	if _, err := w.w.WriteString("trajectory,vehicle,time,lon,lat\n"); err != nil {
		f.Abort()
		return nil, err
	}
	return w, nil
}

// Write adds one trajectory.
func (w *SampleWriter) Write(t *trajectory.Trajectory) error {
	names := quoted(t.ID) + "," + quoted(t.Vehicle) + ","
	for _, s := range t.Samples {
		w.line = append(w.line[:0], names...)
		w.line = append(appendTime(w.line, s.Time), ',')
		w.line = append(degrees.format(w.line, s.Lon), ',')
		w.line = append(degrees.format(w.line, s.Lat), '\n')
		if _, err := w.w.Write(w.line); err != nil {
			return err
		}
	}
	return nil
}

// Close syncs the file and gives it its final name.
func (w *SampleWriter) Close() error {
	if err := w.w.Flush(); err != nil {
		w.file.Abort()
		return err
	}
	return w.file.Commit()
}

// Abort leaves nothing behind. After Close it does nothing.
func (w *SampleWriter) Abort() { w.file.Abort() }
