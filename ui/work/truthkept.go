package work

import (
	"bytes"
	"encoding/gob"
	"fmt"

	"fyne.io/fyne/v2/lang"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
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

// keepTruths keeps how trips were driven, beside the window.
func (d *Desk) keepTruths() {
	if d.sample || !d.Kept() {
		return
	}
	all := map[string]keptTruth{}
	for _, t := range d.state.Trips() {
		if t.True != nil {
			all[t.ID()] = keep(t)
		}
	}
	ws := d.ws
	d.keeper.add(func() error {
		if len(all) == 0 {
			return ws.SetSetting(truthsKey, nil)
		}
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(all); err != nil {
			return fmt.Errorf("keep the truths: %w", err)
		}
		return ws.SetSetting(truthsKey, b.Bytes())
	})
}

func keep(t *state.Trip) keptTruth {
	k := keptTruth{Fingerprint: t.True.Provenance.Fingerprint, Parts: t.True.Parts, Path: t.Truth}
	for _, x := range t.True.Ticks {
		k.Ticks = append(k.Ticks, keptTick{x.Time, roadnet.Point{Lon: x.Lon, Lat: x.Lat}, x.At, x.Part, x.Along, x.Layer, x.Deck})
	}
	return k
}

// truth is a truth that was kept.
func (k keptTruth) truth(id string) state.Truth {
	way := &trajectory.Recovery{Trajectory: id, Parts: k.Parts, Provenance: trajectory.Provenance{Fingerprint: k.Fingerprint}}
	for _, x := range k.Ticks {
		way.Ticks = append(way.Ticks, trajectory.Tick{Time: x.Time, Lon: x.Place.Lon, Lat: x.Place.Lat, At: x.At, Part: x.Part,
			Along: x.Along, Layer: x.Layer, Deck: x.Deck, Probability: 1, Margin: 1})
	}
	return state.Truth{Way: way, Path: k.Path}
}

// loadTruths shows the truths that are kept, once the trips are there.
func (d *Desk) loadTruths() {
	data, ok, err := d.ws.Setting(truthsKey)
	if err != nil || !ok {
		d.fail(lang.L("The truth cannot be read."), err)
		return
	}
	var all map[string]keptTruth
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&all); err != nil {
		d.fail(lang.L("The truth cannot be read."), err)
		return
	}
	truths := map[string]state.Truth{}
	for id, k := range all {
		truths[id] = k.truth(id)
	}
	d.state.SetTruths(truths)
}
