// Package storage keeps a workspace in one file: road networks with the map
// behind them and their import reports, trajectories, recoveries, settings and
// a history of edits.
//
// # Safety
//
// Every change is one transaction or, where it is too big for one, made visible
// by its last: a program killed at any moment loses nothing that a method had
// returned from. An [Edit] changes trips, settings and the history in one
// transaction. Every value carries a checksum over its key and content. A
// file that is not whole is never written to: it opens read-only on a repaired
// copy, [Workspace.Damage] says what is lost, and [Workspace.SalvageTo] writes
// what is whole to a new file.
//
// # Sharing
//
// One program at a time holds a workspace for writing, or several for reading.
// Who finds it held gets a [LockedError] that names the holder, never a hang.
// Within a program a [Workspace] may be used from any number of goroutines.
//
// # Order
//
// Trajectories, and recoveries with them, are listed in the order in which they
// were first saved. The iterators hold no lock between two items, so that the
// loop over them may save to the same workspace; what is saved while one runs
// appears at its end.
package storage
