package roadnet

// Controls counts what holds traffic up.
type Controls struct {
	Signals, Stops, GiveWays, Crossings, BusStops, Calmings, TollBooths uint16
}

// ControlCounts counts what a car driving a segment meets on it, between its
// ends, and at its end. What stands at its start belongs to the segment before.
func (n *Network) ControlCounts(id SegmentID) (on, atEnd Controls) { return }
