package roadnet

// Controls counts what holds traffic up.
type Controls struct {
	Signals, Stops, GiveWays, Crossings, BusStops, Calmings, TollBooths uint16
}

// ControlCounts counts what a car driving a segment meets on it, between its
// ends, and at its end. What stands at its start belongs to the segment before.
func (n *Network) ControlCounts(id SegmentID) (on, atEnd Controls) {
	line, reversed := n.LineOf(id)
	first, last := n.lineStart[line], n.lineStart[line+1]-1
	for v := first + 1; v < last; v++ {
		on.add(facing(VertexFlags(n.vertFlg[v]), reversed))
	}
	if reversed {
		last = first
	}
	atEnd.add(facing(VertexFlags(n.vertFlg[last]), reversed))
	return on, atEnd
}

// add counts what stands at one vertex.
func (c *Controls) add(f VertexFlags) {
	count := func(flag VertexFlags, counter *uint16) {
		if f&flag != 0 && *counter < 65535 {
			*counter++
		}
	}
	count(VertexSignal, &c.Signals)
	count(VertexStop, &c.Stops)
	count(VertexGiveWay, &c.GiveWays)
	count(VertexCrossing, &c.Crossings)
	count(VertexBusStop, &c.BusStops)
	count(VertexCalming, &c.Calmings)
	count(VertexTollBooth, &c.TollBooths)
}
