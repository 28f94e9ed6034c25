package main

import (
	"sort"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// walk tells what lies ahead on a path.
type walk struct {
	net    *roadnet.Network
	part   trajectory.Part
	starts []float64 // of each segment, metres along the path
}

func newWalk(net *roadnet.Network, part trajectory.Part) *walk {
	w := &walk{net: net, part: part}
	along := -part.StartRatio * net.Length(part.Segments[0])
	for _, id := range part.Segments {
		w.starts = append(w.starts, along)
		along += net.Length(id)
	}
	return w
}

// ahead is how far before a control or a junction a stop counts as due to it,
// metres.
const ahead = 45

// describe says where on the path a stop is.
func (w *walk) describe(along float64, first bool) string {
	if first || along < 1 {
		return "where the trip starts"
	}
	end := w.starts[len(w.starts)-1] + w.net.Length(w.part.Segments[len(w.part.Segments)-1])*w.part.EndRatio
	if along > end-20 {
		return "where the trip ends"
	}
	k := max(0, sort.SearchFloat64s(w.starts, along+0.01)-1)
	junction := false
	for ; k < len(w.starts) && w.starts[k] < along+ahead; k++ {
		vertices := w.net.Vertices(w.part.Segments[k], nil)
		for _, v := range vertices[1:] {
			at := w.starts[k] + v.Along
			if at < along-10 || at > along+ahead {
				continue
			}
			if v.Flags&roadnet.VertexSignal != 0 {
				return "before a signal"
			}
			if v.Flags&(roadnet.VertexStop|roadnet.VertexGiveWay|roadnet.VertexCrossing) != 0 {
				return "before a sign or a crossing"
			}
		}
		last := w.starts[k] + w.net.Length(w.part.Segments[k])
		if last >= along-10 && last <= along+ahead && len(w.net.Next(w.part.Segments[k])) > 1 {
			junction = true
		}
	}
	if junction {
		return "before another junction"
	}
	return "elsewhere"
}
