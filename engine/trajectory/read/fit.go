package read

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/muktihari/fit/decoder"
	"github.com/muktihari/fit/kit/semicircles"
	"github.com/muktihari/fit/profile/basetype"
	"github.com/muktihari/fit/profile/mesgdef"
	"github.com/muktihari/fit/profile/untyped/mesgnum"
	"github.com/muktihari/fit/proto"

	"retrace/engine/trajectory"
)

func isFIT(head []byte) bool {
	return len(head) >= 12 && (head[0] == 12 || head[0] == 14) && bytes.Equal(head[8:12], []byte(".FIT"))
}

// fitReader reads the records of one activity after another, of which a file
// may hold several.
type fitReader struct {
	in    *input
	track *trajectory.Trajectory
	n     int // record messages
	full  bool
	err   error
}

// readFIT reads the records of activities. The number of a record stands for its
// line.
func readFIT(in *input) error {
	r := &fitReader{in: in, track: &trajectory.Trajectory{ID: in.stem()}}
	d := decoder.New(in.text, decoder.WithMesgListener(r), decoder.WithBroadcastOnly(), decoder.WithNoComponentExpansion())
	for d.Next() {
		_, err := d.DecodeWithContext(in.ctx)
		if r.err != nil {
			err = r.err
		}
		if err != nil && !in.opt.Partial {
			return r.failure(err)
		}
		if done := r.finish(); done != nil {
			return done
		}
		if err != nil {
			return r.failure(err)
		}
	}
	if r.n == 0 && in.found == 0 {
		return errors.New("there are no records in this FIT file")
	}
	return nil
}

func (r *fitReader) failure(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errBudget) || errors.Is(err, errPacked) || r.in.ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("behind record %d: %w", r.n, err)
}

// OnMesg takes one message of the file.
func (r *fitReader) OnMesg(m proto.Message) {
	if r.err != nil {
		return
	}
	switch m.Num {
	case mesgnum.FileId:
		if id := mesgdef.NewFileId(&m); id.SerialNumber != basetype.Uint32zInvalid {
			r.track.Vehicle = fmt.Sprint(id.SerialNumber)
		}
	case mesgnum.Record:
		r.n++
		r.record(mesgdef.NewRecord(&m))
	}
}

func (r *fitReader) record(m *mesgdef.Record) {
	switch {
	case r.full:
		return
	case m.PositionLat == basetype.Sint32Invalid || m.PositionLong == basetype.Sint32Invalid:
		r.problem(noPosition, "")
		return
	case m.Timestamp.IsZero() || m.Timestamp.Before(time.Unix(0, 0)):
		r.problem(noTime, "")
		return
	case len(r.track.Samples) == r.in.opt.Limits.Samples:
		r.full = true
		r.problem(tooMany, "")
		return
	}
	s := trajectory.Sample{Time: m.Timestamp.UnixMilli(), Lon: semicircles.ToDegrees(m.PositionLong), Lat: semicircles.ToDegrees(m.PositionLat)}
	s.Lon, s.Lat = r.in.place(s.Lon, s.Lat)
	if reason := checkSample(s); reason != "" {
		r.problem(reason, describeSample(s))
		return
	}
	r.track.Samples = append(r.track.Samples, s)
	r.err = r.in.spend()
}

func (r *fitReader) problem(reason, value string) {
	r.in.problem(Problem{Line: r.n, Trajectory: r.track.ID, Reason: reason, Value: value})
}

// finish hands on what was read of one activity.
func (r *fitReader) finish() error {
	t := r.track
	r.track, r.full = &trajectory.Trajectory{ID: r.in.stem(), Vehicle: t.Vehicle}, false
	if len(t.Samples) == 0 {
		return nil
	}
	return r.in.emit(t, 1)
}
