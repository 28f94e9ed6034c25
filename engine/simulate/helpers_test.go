package simulate

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/simulate/city"
)

// cityNetwork is the generated city as a network. The importer that the program
// uses knows many more tags; these are those that the city uses.
func cityNetwork(t testing.TB) *roadnet.Network {
	t.Helper()
	c := city.Generate(city.DefaultSeed)
	nodes := map[int64]city.Node{}
	for _, n := range c.Nodes {
		nodes[n.ID] = n
	}
	b := roadnet.NewBuilder()
	for _, w := range c.Ways {
		if way, ok := drivable(w, nodes); ok {
			if err := b.AddWay(way); err != nil {
				t.Fatal(err)
			}
		}
	}
	net, _, err := b.Build(context.Background(), roadnet.Info{Name: "city", TimeZone: "Etc/GMT"})
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func drivable(w city.Way, nodes map[int64]city.Node) (roadnet.Way, bool) {
	class, link := strings.CutSuffix(w.Tags.Get("highway"), "_link")
	if class == "" {
		return roadnet.Way{}, false
	}
	out := roadnet.Way{ID: w.ID, Nodes: w.Nodes}
	for c := range roadnet.Class(roadnet.NumClasses) {
		if c.String() == class {
			out.Road.Class = c
		}
	}
	set := func(f roadnet.Flags, on bool) {
		if on {
			out.Road.Flags |= f
		}
	}
	set(roadnet.FlagLink, link)
	set(roadnet.FlagBridge, w.Tags.Get("bridge") == "yes")
	set(roadnet.FlagTunnel, w.Tags.Get("tunnel") == "yes")
	set(roadnet.FlagRoundabout, w.Tags.Get("junction") == "roundabout")
	switch w.Tags.Get("oneway") {
	case "yes":
		out.Dir = roadnet.Forward
	case "-1":
		out.Dir = roadnet.Backward
	}
	if out.Road.Flags.Has(roadnet.FlagRoundabout) {
		out.Dir = roadnet.Forward
	}
	layer, _ := strconv.Atoi(w.Tags.Get("layer"))
	limit, _ := strconv.Atoi(w.Tags.Get("maxspeed"))
	out.Road.Layer, out.Road.LimitForward, out.Road.LimitBackward = int8(layer), uint8(limit), uint8(limit)
	for _, id := range w.Nodes {
		out.Coords = append(out.Coords, roadnet.Coord{Lon: nodes[id].Lon, Lat: nodes[id].Lat})
		out.Flags = append(out.Flags, control(nodes[id].Tags))
	}
	return out, true
}

func control(t city.Tags) roadnet.VertexFlags {
	kinds := []string{"traffic_signals", "stop", "give_way", "crossing", "bus_stop"}
	flags := []roadnet.VertexFlags{roadnet.VertexSignal, roadnet.VertexStop, roadnet.VertexGiveWay, roadnet.VertexCrossing, roadnet.VertexBusStop}
	i := slices.Index(kinds, t.Get("highway"))
	if i < 0 {
		return 0
	}
	switch t.Get("direction") + t.Get("traffic_signals:direction") {
	case "forward":
		return flags[i] | roadnet.VertexForward
	case "backward":
		return flags[i] | roadnet.VertexBackward
	}
	return flags[i]
}
