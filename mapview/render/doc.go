// Package render draws maps: a road network over its background, and over both
// what went into a recovery and what came out of it. It draws into images and
// into vector files, and knows nothing of windows.
//
// # Words
//
//   - viewport: which part of the world is drawn, how large and on how many
//     pixels.
//   - zoom: the world is 512 * 2^zoom logical pixels wide; it is continuous.
//   - logical pixel: what widths and text sizes are given in; an image holds
//     Scale pixels for each.
//   - scene: what there is to draw; layers and options say what is shown of it.
//   - tile: a square of 512 image pixels of the map behind the trips.
package render
