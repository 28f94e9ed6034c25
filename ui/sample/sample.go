// Package sample makes the sample that Retrace carries: a generated city and
// sparse trips over it whose truth is known. Nothing of it is stored; the same
// seed gives the same sample.
package sample

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/simulate/city"
	"retrace/internal/scratch"
	"retrace/osmimport"
)

// TripCount is how many trips the sample has.
const TripCount = 60

// Gaps is the time between two points of its trips, as metrics write it.
const Gaps = "60s-180s"

// ExtractName is the name of the extract's file: compressed OSM XML, since no
// library writes PBF.
const ExtractName = "sample.osm.gz"

// WriteExtract writes the city of a seed as compressed OSM XML.
func WriteExtract(w io.Writer, seed uint64) error { return writeCity(w, city.Generate(seed)) }

func writeCity(w io.Writer, c *city.City) error {
	z := gzip.NewWriter(w)
	if err := osmimport.WriteXML(z, objectsOf(c)); err != nil {
		return err
	}
	return z.Close()
}

// Import makes the network of the city of a seed, under the city's name, the
// way every network is made: from an extract.
func Import(ctx context.Context, seed uint64) (*osmimport.Result, error) {
	folder, err := scratch.New("sample")
	if err != nil {
		return nil, fmt.Errorf("the sample has no room on disk: %w", err)
	}
	defer folder.Remove()
	c := city.Generate(seed)
	path := folder.Join(ExtractName)
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("the sample has no room on disk: %w", err)
	}
	err = writeCity(f, c)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, fmt.Errorf("the sample has no room on disk: %w", err)
	}
	return osmimport.Import(ctx, []string{path}, osmimport.Options{Name: c.Name, Attribution: "a city made up by Retrace"})
}

// drivers drive longer trips than most taxis do and from all of the city, so
// that many use the elevated ring.
func drivers() *simulate.Profile {
	p := simulate.DefaultProfile()
	p.Distance, p.DistanceSpread, p.Focus = 4200, 0.4, 0.8
	return p
}

// Trips are the trips of a seed over the network of its city.
func Trips(ctx context.Context, net *roadnet.Network, seed uint64, threads int) iter.Seq2[simulate.Trip, error] {
	return simulate.Trips(ctx, net, simulate.Options{Seed: seed, Count: TripCount, Threads: threads,
		MinGap: time.Minute, MaxGap: 3 * time.Minute, Profile: drivers()})
}

func objectsOf(c *city.City) osmimport.Objects {
	var o osmimport.Objects
	for _, n := range c.Nodes {
		o.Nodes = append(o.Nodes, osmimport.Node{ID: n.ID, Coord: roadnet.Coord{Lon: n.Lon, Lat: n.Lat}, Tags: tagsOf(n.Tags)})
	}
	for _, w := range c.Ways {
		o.Ways = append(o.Ways, osmimport.Way{ID: w.ID, Nodes: w.Nodes, Tags: tagsOf(w.Tags)})
	}
	for _, r := range c.Relations {
		members := make([]osmimport.Member, len(r.Members))
		for i, m := range r.Members {
			members[i] = osmimport.Member{Type: m.Kind.String(), Ref: m.Ref, Role: m.Role}
		}
		o.Relations = append(o.Relations, osmimport.Relation{ID: r.ID, Members: members, Tags: tagsOf(r.Tags)})
	}
	return o
}

func tagsOf(tags city.Tags) []osmimport.Tag {
	out := make([]osmimport.Tag, len(tags))
	for i, t := range tags {
		out[i] = osmimport.Tag(t)
	}
	return out
}
