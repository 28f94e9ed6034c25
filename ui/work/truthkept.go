package work

import (
	"bytes"
	"encoding/gob"
	"fmt"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/ui/state"
)

// truthsKey is the workspace's setting that holds how trips were driven.
const truthsKey = "truths"

// keptTruth is a truth as it is kept: where each tick lies follows from the
// network.
type keptTruth struct {
	Fingerprint string
	Parts       []trajectory.Part
	Path        [][]roadnet.Point
	Ticks       []keptTick
}

type keptTick struct {
	Time  int64
	Place roadnet.Point
	At    roadnet.Position
	Part  int32
	Along float64
	Layer int8
	Deck  trajectory.Deck
}

// changedTruths are the truths of those trips whose truth has changed, as they
// are now; one without a way is not known any more.
func (d *Desk) changedTruths(u state.Unsaved) map[string]state.Truth {
	changed := map[string]state.Truth{}
	for id, f := range u.Facets {
		if f&state.Truths == 0 {
			continue
		}
		changed[id] = state.Truth{}
		if t := d.state.Trip(id); t != nil {
			changed[id] = state.Truth{Way: t.True, Path: t.Truth}
		}
	}
	return changed
}

// withTruths is the setting that holds all truths once some have changed. It
// runs beside the window.
func withTruths(ws *storage.Workspace, changed map[string]state.Truth) ([]byte, error) {
	all, err := keptTruths(ws)
	if err != nil || all == nil {
		all = map[string]keptTruth{} // what cannot be read was told when it was opened
	}
	for id, truth := range changed {
		if k := keep(truth); k != nil {
			all[id] = *k
		} else {
			delete(all, id)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(all); err != nil {
		return nil, fmt.Errorf("keep the truths: %w", err)
	}
	return b.Bytes(), nil
}

// keptTruths reads the truths that are kept, by trip.
func keptTruths(ws *storage.Workspace) (map[string]keptTruth, error) {
	data, ok, err := ws.Setting(truthsKey)
	if err != nil || !ok {
		return nil, err
	}
	var all map[string]keptTruth
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&all); err != nil {
		return nil, fmt.Errorf("the truths of the workspace: %w", err)
	}
	return all, nil
}

// keep is a truth as it is kept; nil: it is not known.
func keep(truth state.Truth) *keptTruth {
	if truth.Way == nil {
		return nil
	}
	k := &keptTruth{Fingerprint: truth.Way.Provenance.Fingerprint, Parts: truth.Way.Parts, Path: truth.Path}
	for _, x := range truth.Way.Ticks {
		k.Ticks = append(k.Ticks, keptTick{x.Time, roadnet.Point{Lon: x.Lon, Lat: x.Lat}, x.At, x.Part, x.Along, x.Layer, x.Deck})
	}
	return k
}

// truth is a truth that was kept, none where it is nil.
func (k *keptTruth) truth(id string) state.Truth {
	if k == nil {
		return state.Truth{}
	}
	way := &trajectory.Recovery{Trajectory: id, Parts: k.Parts, Provenance: trajectory.Provenance{Fingerprint: k.Fingerprint}}
	for _, x := range k.Ticks {
		way.Ticks = append(way.Ticks, trajectory.Tick{Time: x.Time, Lon: x.Place.Lon, Lat: x.Place.Lat, At: x.At, Part: x.Part,
			Along: x.Along, Layer: x.Layer, Deck: x.Deck, Probability: 1, Margin: 1})
	}
	return state.Truth{Way: way, Path: k.Path}
}
