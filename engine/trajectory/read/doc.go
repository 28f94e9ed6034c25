// Package read reads trajectories from files: CSV in many dialects, the CSV of
// the Porto taxi data, GPX and GeoJSON, each also compressed with gzip. A
// file's kind is told by its content.
//
// Input is not trusted. Rows that cannot be taken are left out one by one and
// reported as a [Problem] with file, line and reason; a position that is no
// number or not on the earth, and a time that cannot be, never get through.
// Memory is bounded by one trajectory and a fixed budget, not by the file: a
// table whose vehicles are interleaved is grouped on disk once it is large.
//
// Trajectories come out in the order in which they first appear, their samples
// in order of time, and no two of one call have the same id.
package read
