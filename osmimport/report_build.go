package osmimport

import (
	"fmt"

	"retrace/engine/roadnet"
)

// noteBuild takes over what the builder found.
func (imp *importer) noteBuild(net *roadnet.Network, rep roadnet.BuildReport) {
	r := &imp.report
	r.Segments, r.Nodes, r.Lines = net.NumSegments(), net.NumNodes(), net.NumLines()
	imp.notes.kept.item("turn restrictions").Count += int64(rep.Restrictions)
	imp.noteOddity(&imp.notes.kept, "barriers that stop cars", objectNode, rep.Barriers)
	imp.noteOddity(&imp.notes.dropped, dropShort, objectWay, rep.ShortWays)
	imp.noteOddity(&imp.notes.dropped, "turn restrictions whose members do not meet or are not driven that way", objectRelation, rep.UnresolvedRestrictions)
	odd := &imp.notes.odd
	imp.noteOddity(odd, oddDuplicate, objectWay, rep.DuplicateWays)
	imp.noteOddity(odd, "ways across the 180th meridian, cut there", objectWay, rep.MeridianWays)
	imp.noteOddity(odd, "nodes repeated in a row", objectNode, rep.DuplicateNodes)
	imp.noteOddity(odd, "ways with two nodes at one place", objectWay, rep.ZeroLengthPieces)
	imp.noteOddity(odd, "nodes where more roads meet than can be joined", objectNode, rep.CrowdedNodes)
	imp.noteOddity(odd, "turn restrictions whose side is not told", objectRelation, rep.AmbiguousRestrictions)
	imp.noteComponents(net)
}

func (imp *importer) noteOddity(t *tally, what string, typ objectType, o roadnet.Oddity) {
	var some []objectKey
	for _, id := range o.IDs[:min(len(o.IDs), maxObjects)] {
		some = append(some, objectKey{typ, id})
	}
	t.addMany(what, int64(o.Count), some)
}

// noteComponents measures the network, and names ways of parts that are not
// connected with the largest one.
func (imp *importer) noteComponents(net *roadnet.Network) {
	var ways []objectKey
	segments, last := int64(0), int64(0)
	for id := range roadnet.SegmentID(net.NumSegments()) {
		line, reversed := net.LineOf(id)
		if forward, _, has, _ := net.LineSegments(line); !reversed || !has || forward == id {
			imp.report.Length += net.Length(id)
		}
		if net.Component(id) == 0 {
			continue
		}
		segments++
		if way := net.LineWay(line); way != last && len(ways) < maxObjects {
			ways, last = append(ways, objectKey{objectWay, way}), way
		}
	}
	if n := net.NumComponents(); n > 1 {
		imp.notes.odd.addMany(fmt.Sprintf("segments outside the largest connected part (%d parts in all)", n), segments, ways)
	}
}
