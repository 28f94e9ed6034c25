// Package osmimport reads OpenStreetMap extracts (.osm.pbf, .osm, .osm.gz,
// .osm.bz2, told apart by content) into a road network and what a map draws
// behind it.
//
// Input is not trusted: every length, count and compression ratio is checked
// against [Limits] before anything is allocated for it, and what a file gets
// wrong without being unreadable (missing references, unsorted or negative or
// repeated ids, a wrong header box) is repaired or left out, counted, and
// named in the [Report]. Memory grows with the network, not with the file:
// files are read in two passes, ways and relations first, then only the nodes
// that they need.
package osmimport
