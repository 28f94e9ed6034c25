package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"retrace/engine/feature"
	"retrace/engine/metrics"
	"retrace/engine/roadnet"
)

// Case comes by a dense trip and its truth, which may take long. A reason says
// why the truth cannot be trusted.
type Case func(context.Context) (metrics.Case, Reason, error)

// Block is the trips of one shard.
type Block struct {
	Name    string    // of the shard's folder
	Network int       // into the networks given to Write
	Traffic *Gathered // what the trips tell of its roads; nil: nothing
	Content string    // tells blocks of the same name apart
	Cases   func(context.Context) ([]Case, error)
}

// Write makes a data set in a folder, several shards at once. Shards that an
// earlier run finished are kept. Progress, which may be nil, is called after
// each shard, from one goroutine at a time.
func Write(ctx context.Context, dir string, nets []*roadnet.Network, blocks []Block, s Settings, threads int, progress func(done, of int)) (*Manifest, error) {
	m := &Manifest{Schema: feature.CurrentSchema(), Settings: s, Dropped: map[Reason]int{}}
	m.SchemaHash = m.Schema.Hash()
	if s.Ticks != nil {
		m.Ticks = &TickCounts{}
	}
	for i, net := range nets {
		entry, err := writeNetwork(filepath.Join(dir, "networks", fmt.Sprint(i)), net, s.Encoder)
		if err != nil {
			return nil, fmt.Errorf("network %q: %w", net.Info().Name, err)
		}
		m.Networks = append(m.Networks, entry)
	}
	m.Shards = make([]ShardEntry, len(blocks))
	if err := writeShards(ctx, dir, nets, blocks, s, threads, m.Shards, progress); err != nil {
		return nil, err
	}
	for _, shard := range m.Shards {
		for reason, n := range shard.Dropped {
			m.Dropped[reason] += n
		}
		if shard.Ticks != nil {
			m.Ticks.add(*shard.Ticks)
		}
	}
	return m, writeJSON(filepath.Join(dir, "manifest.json"), m)
}

func writeShards(ctx context.Context, dir string, nets []*roadnet.Network, blocks []Block, s Settings, threads int, entries []ShardEntry, progress func(done, of int)) error {
	g, ctx := errgroup.WithContext(ctx)
	next, finished := make(chan int), make(chan int)
	g.Go(func() error {
		defer close(next)
		for i := range blocks {
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	workers, wctx := errgroup.WithContext(ctx)
	for range max(1, threads) {
		workers.Go(func() error {
			w := worker{dir: dir, nets: nets, settings: s, makers: map[int]*Maker{}}
			for i := range next {
				entry, err := w.shard(wctx, blocks[i])
				if err != nil {
					return fmt.Errorf("shard %s: %w", blocks[i].Name, err)
				}
				entries[i] = entry
				finished <- i
			}
			return nil
		})
	}
	g.Go(func() error { defer close(finished); return workers.Wait() })
	done := 0
	for range finished {
		done++
		if progress != nil {
			progress(done, len(blocks))
		}
	}
	return g.Wait()
}

// worker makes shards, one after another.
type worker struct {
	dir      string
	nets     []*roadnet.Network
	settings Settings
	makers   map[int]*Maker
	buffer   Shard
}

func (w *worker) shard(ctx context.Context, b Block) (ShardEntry, error) {
	folder := filepath.Join(w.dir, b.Name)
	key := keyOf(w.settings, w.nets[b.Network].Info().Fingerprint, b.Content)
	var entry ShardEntry
	err := readJSON(filepath.Join(w.dir, b.Name+".json"), &entry)
	if err == nil && entry.Key == key && exists(folder) {
		return entry, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return entry, err
	}
	entry, err = w.fill(ctx, b)
	if err != nil {
		return entry, err
	}
	entry.Key = key
	if entry.Files, err = w.buffer.write(folder); err != nil {
		return entry, err
	}
	return entry, writeJSON(filepath.Join(w.dir, b.Name+".json"), entry)
}

func exists(folder string) bool {
	_, err := os.Stat(folder)
	return err == nil
}

func (w *worker) fill(ctx context.Context, b Block) (ShardEntry, error) {
	entry := ShardEntry{Name: b.Name, Dropped: map[Reason]int{}}
	maker, err := w.maker(b.Network)
	if err != nil {
		return entry, err
	}
	cases, err := b.Cases(ctx)
	if err != nil {
		return entry, err
	}
	w.buffer.reset()
	for _, known := range cases {
		c, reason, err := known(ctx)
		if err != nil {
			return entry, err
		}
		if reason != "" {
			entry.Dropped[reason]++
			continue
		}
		for keep := range w.settings.Keep {
			if reason := maker.Add(&w.buffer, c.Dense, c.Truth, keep, b.Traffic); reason != "" {
				entry.Dropped[reason]++
			}
		}
	}
	entry.Trips = w.buffer.Trips()
	entry.Samples, entry.Gaps = len(w.buffer.SampleTime), len(w.buffer.GapSeconds)
	entry.Ticks = w.buffer.counted(w.settings.Ticks)
	return entry, nil
}

func (w *worker) maker(network int) (*Maker, error) {
	if m := w.makers[network]; m != nil {
		return m, nil
	}
	m, err := NewMaker(w.nets[network], network, w.settings)
	if err != nil {
		return nil, err
	}
	clear(w.makers) // arrays as long as the network: keep those of one only
	w.makers[network] = m
	return m, nil
}

// writeNetwork stores the features of a network, unless they are there already.
func writeNetwork(folder string, net *roadnet.Network, encoder bool) (NetworkEntry, error) {
	info := net.Info()
	entry := NetworkEntry{Name: info.Name, Fingerprint: info.Fingerprint, Segments: info.Segments}
	if !encoder {
		return entry, nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return entry, err
	}
	cells, neighbours := feature.NewCells(net), feature.NewNeighbours(net)
	c := cutsOf(net)
	sums, err := writeArrays(folder, map[string]any{
		"cut_start": c.start, "cut_lon": c.lon, "cut_lat": c.lat,
		"roads": feature.NewRoads(net).Values,
		"cells": cells.Values, "cell_count": cells.Counts, "cell_number": cells.Numbers,
		"successors": neighbours.Successors, "predecessors": neighbours.Predecessors,
	})
	entry.Files = sums
	return entry, err
}
