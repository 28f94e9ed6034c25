// Package flow knows who drove where and when: it counts trips and speeds on
// segments, finds the trips of a road, and those that cross a line or enter an
// area. An [Index] from segments to trips is kept as trips come and go, so that
// a question costs what it is about and not all that is there.
//
// An Index may be asked from many goroutines while it is being fed.
package flow
