package storage

import (
	"context"
	"errors"
	"iter"
	"time"

	"retrace/engine/basemap"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

var errLater = errors.New("storage: not there yet")

// Options say how to open a workspace. The zero value opens it for writing and
// makes it if it is not there.
type Options struct {
	ReadOnly bool          // share it with other readers; the file must be there
	Program  string        // told to others who find it held; default: the executable's name
	Timeout  time.Duration // how long to wait for a holder to let go; default 1 s
}

// Workspace is one open workspace file.
type Workspace struct{}

// Open opens the workspace in the file at path.
//
// A file held by another program gives a [*LockedError], one written by a newer
// version a [*NewerError]. A file that is not whole opens read-only, see Damage.
func Open(path string, opt Options) (*Workspace, error) { return nil, errLater }

// Close lets go of the file, after running methods have returned.
func (w *Workspace) Close() error { return errLater }

// Path is the path that the workspace was opened with.
func (w *Workspace) Path() string { return "" }

// ReadOnly reports whether the workspace takes no changes.
func (w *Workspace) ReadOnly() bool { return false }

// Damage lists what is known to be lost; empty for a whole file.
func (w *Workspace) Damage() []Damage { return nil }

// Verify reads everything and adds to Damage what is not whole. A workspace
// found damaged takes no more changes.
func (w *Workspace) Verify(ctx context.Context) error { return errLater }

// SalvageTo writes all that is whole to a new workspace file at path, which
// must not be there yet, and returns what could not be taken along.
func (w *Workspace) SalvageTo(ctx context.Context, path string) ([]Damage, error) {
	return nil, errLater
}

// Space says how much room the file takes.
type Space struct {
	File int64 // bytes on disk
	Free int64 // of these, bytes that Compact would give back, about
}

// Space says how much room the file takes and how much of it is free.
func (w *Workspace) Space() (Space, error) { return Space{}, errLater }

// Compact writes the workspace anew without its free space and puts it in place
// of the old file. Readers go on meanwhile, writers wait.
func (w *Workspace) Compact(ctx context.Context) error { return errLater }

// Networks lists the networks by name.
func (w *Workspace) Networks() ([]roadnet.Info, error) { return nil, errLater }

// SaveNetwork keeps a network under the name in its Info with the map behind it
// (may be nil) and the import report (JSON, may be nil). A name that is taken
// gives an [*ExistsError].
func (w *Workspace) SaveNetwork(ctx context.Context, net *roadnet.Network, bm *basemap.Map, report []byte) error {
	return errLater
}

// ReplaceNetwork is SaveNetwork for a name that may be taken: the old network
// stays until the new one is whole. Recoveries on the old one become stale.
func (w *Workspace) ReplaceNetwork(ctx context.Context, net *roadnet.Network, bm *basemap.Map, report []byte) error {
	return errLater
}

// LoadNetwork reads a network and the map behind it, which is nil where none
// was saved.
func (w *Workspace) LoadNetwork(ctx context.Context, name string) (*roadnet.Network, *basemap.Map, error) {
	return nil, nil, errLater
}

// NetworkReport is the import report of a network, nil where none was saved.
func (w *Workspace) NetworkReport(name string) ([]byte, error) { return nil, errLater }

// RemoveNetwork removes a network with its map and report.
func (w *Workspace) RemoveNetwork(ctx context.Context, name string) error { return errLater }

// CheckName says what is wrong with a name for a network, nil if nothing is:
// names are 1 to 100 characters of text without control characters and without
// space at either end.
func CheckName(name string) error { return errLater }

// TrajectorySummary is what a list shows of a trajectory.
type TrajectorySummary struct {
	ID, Vehicle, Source string
	Start, End          int64   // Unix milliseconds
	Points              int     // samples
	Length              float64 // metres, straight from sample to sample
}

// Saved counts what became of trajectories on saving.
type Saved struct{ Added, Replaced, Same int }

// SaveTrajectories keeps trajectories. One whose ID is there already replaces
// the old and removes its recoveries, unless both are the same. Many are saved
// in several transactions: where an error ends it, Saved counts what is kept.
func (w *Workspace) SaveTrajectories(ctx context.Context, ts []*trajectory.Trajectory) (Saved, error) {
	return Saved{}, errLater
}

// KnownTrajectories returns those of the ids that the workspace holds.
func (w *Workspace) KnownTrajectories(ids []string) ([]string, error) { return nil, errLater }

// Trajectories goes through all trajectories in order.
func (w *Workspace) Trajectories(ctx context.Context) iter.Seq2[*trajectory.Trajectory, error] {
	return nil
}

// TrajectorySummaries goes through the summaries of all trajectories in order.
func (w *Workspace) TrajectorySummaries(ctx context.Context) iter.Seq2[TrajectorySummary, error] {
	return nil
}

// TrajectoryIDs lists the ids of all trajectories in order.
func (w *Workspace) TrajectoryIDs(ctx context.Context) ([]string, error) { return nil, errLater }

// Trajectory reads one trajectory.
func (w *Workspace) Trajectory(id string) (*trajectory.Trajectory, error) { return nil, errLater }

// RemoveTrajectories removes trajectories and their recoveries. Ids that are
// not there are passed over.
func (w *Workspace) RemoveTrajectories(ctx context.Context, ids []string) error { return errLater }

// RecoveryState says whether a recovery still fits its network.
type RecoveryState uint8

// The states of a recovery.
const (
	Current        RecoveryState = iota // made on the network as it is now
	Stale                               // the network of this name has changed since
	WithoutNetwork                      // the network is no longer there
)

// RecoverySummary is what a list shows of a recovery.
type RecoverySummary struct {
	Trajectory, Method   string
	Network, Fingerprint string // that it was made on
	State                RecoveryState
	Start, End           int64   // of the ticks, Unix milliseconds
	Ticks, Parts         int     // counts
	Length               float64 // metres driven
	LowestProbability    float32 // of the ticks; 1 where there is none
	Elevated             float64 // metres driven on a deck
	UncertainTicks       int     // where deck against ground is in doubt
	SkippedSamples       int     // off the road, outliers, duplicates
	Warnings             int
}

// SaveRecoveries keeps recoveries, one for each trajectory and method: a later
// one replaces the earlier. Each must name its method and fingerprint in its
// Provenance, and its trajectory must be there. Many are saved in several
// transactions. A call costs a few writes to the disk: better save some at a
// time than each for itself.
func (w *Workspace) SaveRecoveries(ctx context.Context, rs []*trajectory.Recovery) error {
	return errLater
}

// Recovery reads the recovery of a trajectory by a method. Positions are kept
// to 1e-7 degrees, lengths to millimetres, ratios to 1e-9.
func (w *Workspace) Recovery(id, method string) (*trajectory.Recovery, error) { return nil, errLater }

// Recoveries goes through all recoveries in the order of their trajectories,
// and by method for each.
func (w *Workspace) Recoveries(ctx context.Context) iter.Seq2[*trajectory.Recovery, error] {
	return nil
}

// RecoverySummaries goes through the summaries of all recoveries in order.
func (w *Workspace) RecoverySummaries(ctx context.Context) iter.Seq2[RecoverySummary, error] {
	return nil
}

// RemoveRecoveries removes the recoveries of trajectories by a method; an empty
// method stands for all. Ids without one are passed over.
func (w *Workspace) RemoveRecoveries(ctx context.Context, ids []string, method string) error {
	return errLater
}

// Setting reads a setting; false where it was never set.
func (w *Workspace) Setting(key string) ([]byte, bool, error) { return nil, false, errLater }

// SetSetting keeps a setting; a nil value removes it.
func (w *Workspace) SetSetting(key string, value []byte) error { return errLater }

// AppendHistory adds one command (JSON) to the history and returns its number.
// Numbers rise from 1.
func (w *Workspace) AppendHistory(entry []byte) (uint64, error) { return 0, errLater }

// History goes through the commands from number from on.
func (w *Workspace) History(ctx context.Context, from uint64) iter.Seq2[HistoryEntry, error] {
	return nil
}

// HistoryEntry is one command of the history.
type HistoryEntry struct {
	Number uint64
	Entry  []byte
}

// TrimHistory removes the commands from number from on (undone and overtaken).
func (w *Workspace) TrimHistory(from uint64) error { return errLater }
