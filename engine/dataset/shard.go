package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sbinet/npyio/npy"
)

// Shard is a number of trips as flat arrays, see the package's description.
type Shard struct {
	SampleStart []int32   // [trips+1]
	Network     []int32   // [trips] into Manifest.Networks
	Environment []float32 // [trips][columns], at the trip's first sample
	SampleTime  []float32 // [samples] seconds from the trip's first sample

	Points          []float32 // [samples][columns]
	SubSegments     []int32   // [samples][sub]
	SubWeights      []float32 // [samples][sub]
	SubPairs        []float32 // [samples][sub][columns]
	SubSuccessors   []int32   // [samples][sub][neighbours]
	SubPredecessors []int32
	SubTarget       []int32 // [samples] place of the true segment in the sub-graph, its size where it is not in it

	CandidateStart   []int32   // [samples+1]
	Candidates       []float32 // [candidates][columns]
	CandidateSegment []int32   // [candidates]
	CandidateTarget  []int32   // [samples] the true candidate, their number where it is not among them

	OptionStart        []int32   // [gaps+1]
	OptionFrom         []int32   // [options] candidate of the sample before the gap
	OptionTo           []int32   // [options] candidate of the sample after it
	Options            []float32 // [options][columns]
	OptionOverlap      []float32 // [options] with the true way, 0..1
	OptionSegmentStart []int32   // [options+1]
	OptionSegments     []int32   // the segments of each route

	PieceStart   []int32   // [gaps+1] of the true way
	Pieces       []float32 // [pieces][columns]
	PieceSegment []int32   // [pieces]
	PieceLength  []float32 // [pieces] metres
	PieceTime    []float32 // [pieces] seconds from the start of the gap to the end of the piece

	GapSeconds []float32 // [gaps]
	TickStart  []int32   // [gaps+1] hidden ticks
	TickTime   []float32 // [ticks] seconds from the start of the gap
	TickAlong  []float32 // [ticks] metres along the true way

	// With moves only. A step is a tick of the truth, with a sample or without.
	StepStart     []int32   // [trips+1]
	StepSegment   []int32   // [steps] the true one
	StepRatio     []float32 // [steps] along it
	StepTarget    []int32   // [steps] the true move, their number where it is not among them
	MoveStart     []int32   // [steps+1]
	Moves         []float32 // [moves][columns]
	MoveSegment   []int32   // [moves]
	MoveCandidate []int32   // [moves] which candidate of the step's sample it is, -1 where the step has none
	MoveWeight    []float32 // [moves] logarithm of the constraint mask
	SampleLon     []float64 // [samples] degrees, as reported; for systems with tables of one city
	SampleLat     []float64
	StepLon       []float64 // [steps] degrees, where the vehicle truly was
	StepLat       []float64
	TripTime      []int64 // [trips] of the first sample, Unix milliseconds
	counts        TickCounts
}

// reset empties a shard and keeps its memory.
func (s *Shard) reset() {
	*s = Shard{
		SampleStart: append(s.SampleStart[:0], 0), Network: s.Network[:0], Environment: s.Environment[:0], SampleTime: s.SampleTime[:0],
		Points: s.Points[:0], SubSegments: s.SubSegments[:0], SubWeights: s.SubWeights[:0], SubPairs: s.SubPairs[:0],
		SubSuccessors: s.SubSuccessors[:0], SubPredecessors: s.SubPredecessors[:0], SubTarget: s.SubTarget[:0],
		CandidateStart: append(s.CandidateStart[:0], 0), Candidates: s.Candidates[:0],
		CandidateSegment: s.CandidateSegment[:0], CandidateTarget: s.CandidateTarget[:0],
		OptionStart: append(s.OptionStart[:0], 0), OptionFrom: s.OptionFrom[:0], OptionTo: s.OptionTo[:0],
		Options: s.Options[:0], OptionOverlap: s.OptionOverlap[:0],
		OptionSegmentStart: append(s.OptionSegmentStart[:0], 0), OptionSegments: s.OptionSegments[:0],
		PieceStart: append(s.PieceStart[:0], 0), Pieces: s.Pieces[:0], PieceSegment: s.PieceSegment[:0],
		PieceLength: s.PieceLength[:0], PieceTime: s.PieceTime[:0], GapSeconds: s.GapSeconds[:0],
		TickStart: append(s.TickStart[:0], 0), TickTime: s.TickTime[:0], TickAlong: s.TickAlong[:0],
		StepStart: append(s.StepStart[:0], 0), StepSegment: s.StepSegment[:0], StepRatio: s.StepRatio[:0], StepTarget: s.StepTarget[:0],
		MoveStart: append(s.MoveStart[:0], 0), Moves: s.Moves[:0], MoveSegment: s.MoveSegment[:0],
		MoveCandidate: s.MoveCandidate[:0], MoveWeight: s.MoveWeight[:0],
	}
}

// Trips is the number of trips held.
func (s *Shard) Trips() int { return len(s.Network) }

// arrays are the files of a shard by name.
func (s *Shard) arrays() map[string]any {
	all := map[string]any{
		"sample_start": s.SampleStart, "network": s.Network, "environment": s.Environment, "sample_time": s.SampleTime,
		"points": s.Points, "sub_segments": s.SubSegments, "sub_weights": s.SubWeights, "sub_pairs": s.SubPairs,
		"sub_successors": s.SubSuccessors, "sub_predecessors": s.SubPredecessors, "sub_target": s.SubTarget,
		"candidate_start": s.CandidateStart, "candidates": s.Candidates,
		"candidate_segment": s.CandidateSegment, "candidate_target": s.CandidateTarget,
		"option_start": s.OptionStart, "option_from": s.OptionFrom, "option_to": s.OptionTo,
		"options": s.Options, "option_overlap": s.OptionOverlap,
		"option_segment_start": s.OptionSegmentStart, "option_segments": s.OptionSegments,
		"piece_start": s.PieceStart, "pieces": s.Pieces, "piece_segment": s.PieceSegment,
		"piece_length": s.PieceLength, "piece_time": s.PieceTime, "gap_seconds": s.GapSeconds,
		"tick_start": s.TickStart, "tick_time": s.TickTime, "tick_along": s.TickAlong,
	}
	if len(s.StepSegment) > 0 {
		maps.Copy(all, s.moveArrays())
	}
	return all
}

// write stores the arrays in a new folder, which appears under its name only
// when all of it is written. It returns the SHA-256 of each file.
func (s *Shard) write(folder string) (map[string]string, error) {
	part := folder + ".part"
	if err := os.RemoveAll(part); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(part, 0o777); err != nil {
		return nil, err
	}
	sums, err := writeArrays(part, s.arrays())
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	return sums, os.Rename(part, folder)
}

func writeArrays(folder string, arrays map[string]any) (map[string]string, error) {
	sums := make(map[string]string, len(arrays))
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		sum, err := writeArray(filepath.Join(folder, name+".npy"), arrays[name])
		if err != nil {
			return nil, fmt.Errorf("array %s: %w", name, err)
		}
		sums[name+".npy"] = sum
	}
	return sums, nil
}

func writeArray(path string, values any) (sum string, err error) {
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(f, hash), 1<<20)
	err = npy.Write(w, values)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	return hex.EncodeToString(hash.Sum(nil)), err
}
