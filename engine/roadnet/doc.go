// Package roadnet holds a road network as a car sees it: directed segments
// between junctions, their geometry, what holds traffic up on them, which turns
// are allowed, and the searches over them (near, next, shortest paths).
//
// A [Network] is immutable: a [Builder] makes it from ways, [FromColumns] from
// what a workspace kept. It is arrays throughout, numbered along a Hilbert
// curve, so that neighbours on the map are neighbours in memory. The package
// does no input or output.
//
// # Words
//
//   - node: a junction or an end of a road; an OSM node can be several nodes
//     where a barrier parts the road.
//   - line: the undirected geometry that a segment shares with its reverse.
//   - segment: a directed piece of road between two nodes, of one OSM way.
//   - vertex: a point of a line's geometry, each with its OSM node id.
//   - piece: the stretch between two consecutive vertices of a segment.
//   - position: a segment and the ratio along it.
//
// # Turns
//
// [Network.Next] tells which segments may follow one, turn restrictions over a
// single junction kept. Restrictions that look back over more than one segment
// cannot be told from the segment alone: a search keeps them by going over
// states, see [State]. U-turns are a matter of their own: [Network.Reverse],
// [Network.UTurnAllowed].
//
// # Stacked roads
//
// An elevated segment (FlagElevated) is a bridge of layer 1 or more on a road
// of class secondary or above, links included. Where a lower road runs close
// to it, GPS cannot tell the two apart: [Network.Ambiguous] and
// [Network.BelowDeck] list these stretches from above and from below.
//
// # Units
//
// Lengths are metres, times seconds, speeds m/s, angles degrees clockwise from
// north (headings) or from straight on (turns, right positive), coordinates
// WGS 84 (EPSG:4326) in degrees or, where stored, in 1e-7 degrees.
package roadnet
