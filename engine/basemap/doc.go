// Package basemap holds what a map draws behind its roads: water, green,
// built-up areas, buildings, railways and the names of places.
//
// A [Map] is immutable: a [Builder] makes it, [FromColumns] takes it from what
// a workspace kept. Like a road network it is arrays throughout, sorted along a
// Hilbert curve, with an index over blocks of neighbours. Coordinates are WGS
// 84 (EPSG:4326) in 1e-7 degrees. The package does no input or output.
package basemap
