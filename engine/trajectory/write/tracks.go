package write

import (
	"bufio"
	"io"

	"retrace/engine/trajectory"
)

// track is a trajectory as formats hold it that know positions and times alone.
type track struct {
	id, vehicle string
	parts       [][]trajectory.Sample // none is empty
}

// trackEncoder writes tracks in one format.
type trackEncoder interface {
	write(t track) error
	finish() error
}

func newTracks(w io.Writer, format Format, about About) trackEncoder {
	b := bufio.NewWriter(w)
	switch format.Extension {
	case ".kml":
		return &kmlEncoder{w: b, about: about}
	case ".mfjson":
		return &mfEncoder{w: b, about: about}
	}
	return &gpxEncoder{w: b, about: about}
}

// recoveredTracks writes the recovered instants of recoveries as tracks.
type recoveredTracks struct{ trackEncoder }

func (e recoveredTracks) Write(r *trajectory.Recovery) error {
	t := track{id: r.Trajectory}
	for i, tick := range r.Ticks {
		if i == 0 || tick.Part != r.Ticks[i-1].Part {
			t.parts = append(t.parts, nil)
		}
		last := &t.parts[len(t.parts)-1]
		*last = append(*last, trajectory.Sample{Time: tick.Time, Lon: tick.Lon, Lat: tick.Lat})
	}
	return e.write(t)
}
