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
	imp.noteOddity(odd, "ways across the 180th meridian, dropped", objectWay, rep.MeridianWays)
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

// checkBox compares the box that a file's header states with the nodes that it
// gave.
func (imp *importer) checkBox(file int) {
	stated := imp.files[file].headerBox()
	if stated == nil {
		return
	}
	var data roadnet.Bounds
	inside, all := 0, 0
	for i, c := range imp.table.coords {
		if c.Lat == noCoord || imp.table.from != nil && imp.table.from[i] != uint16(file) {
			continue
		}
		p := c.Point()
		if all == 0 {
			data = roadnet.Bounds{MinLon: p.Lon, MinLat: p.Lat, MaxLon: p.Lon, MaxLat: p.Lat}
		}
		data.MinLon, data.MaxLon = min(data.MinLon, p.Lon), max(data.MaxLon, p.Lon)
		data.MinLat, data.MaxLat = min(data.MinLat, p.Lat), max(data.MaxLat, p.Lat)
		if all++; stated.Contains(p) {
			inside++
		}
	}
	if all > 0 && boxIsWrong(*stated, data, inside, all) {
		it := imp.notes.odd.item(oddBox)
		it.Count++
		it.Objects = append(it.Objects, fmt.Sprintf("%s: stated %s, data %s", imp.paths[file], boxText(*stated), boxText(data)))
	}
}

// boxIsWrong tells a box that misses half of the data or is ten times as wide
// or high; extracts whose ways reach beyond their box are common and right.
func boxIsWrong(stated, data roadnet.Bounds, inside, all int) bool {
	if inside*2 < all {
		return true
	}
	const small = 0.01 // degrees: in tiny files the ratio means nothing
	return stated.MaxLon-stated.MinLon > 10*max(data.MaxLon-data.MinLon, small) ||
		stated.MaxLat-stated.MinLat > 10*max(data.MaxLat-data.MinLat, small)
}

func boxText(b roadnet.Bounds) string {
	return fmt.Sprintf("%.4f,%.4f,%.4f,%.4f", b.MinLon, b.MinLat, b.MaxLon, b.MaxLat)
}
