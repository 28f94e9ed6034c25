package render

import (
	"bytes"
	"fmt"
	"testing"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
)

// shelved is a trip that is read when it is drawn, and counts how often.
type shelved struct {
	t    *trajectory.Trajectory
	r    *trajectory.Recovery
	read int
}

func (s *shelved) Trajectory() *trajectory.Trajectory { s.read++; return s.t }
func (s *shelved) Recovery() *trajectory.Recovery     { return s.r }
func (s *shelved) Provenance() trajectory.Provenance  { return s.r.Provenance }

// shelvedTrip is the town's trip under another id, kept elsewhere.
func shelvedTrip(whole Trip, id string) (Trip, *shelved) {
	t := *whole.Trajectory
	t.ID = id
	s := &shelved{t: &t, r: whole.Recovery}
	var points, ticks []roadnet.Point
	for _, p := range t.Samples {
		points = append(points, roadnet.Point{Lon: p.Lon, Lat: p.Lat})
	}
	for _, k := range whole.Recovery.Ticks {
		ticks = append(ticks, roadnet.Point{Lon: k.Lon, Lat: k.Lat})
	}
	return Trip{Name: whole.Name, Kept: &Kept{ID: id, Journey: s, Finding: s, Points: SketchPoints(points), Path: SketchLine(ticks)}}, s
}

// crowded is the town with so many trips that are read when they are drawn.
func crowded(t *testing.T, n int) (*Scene, []*shelved) {
	s := townScene(t)
	whole := townTrip(t)
	whole.Pins, whole.Truth = nil, nil
	s.Trips, s.Selection, s.Hover, s.Marker = nil, Item{}, Item{}, nil
	var all []*shelved
	for i := range n {
		trip, kept := shelvedTrip(whole, fmt.Sprint("trip ", i))
		s.Trips, all = append(s.Trips, trip), append(all, kept)
	}
	return s, all
}

func view() Viewport { return Viewport{Center: at(4, 3), Zoom: 14, Width: 400, Height: 300, Scale: 1} }

// Few trips look as if they were held.
func TestFewTripsAreReadToBeDrawn(t *testing.T) {
	s, _ := crowded(t, 2)
	got := Picture(s, view(), Options{Layers: BasicLayers})
	held := *s
	held.Trips = nil
	for _, trip := range s.Trips {
		held.Trips = append(held.Trips, Trip{Name: trip.Name, Trajectory: trip.Kept.Journey.Trajectory(), Recovery: trip.Kept.Finding.Recovery()})
	}
	if want := Picture(&held, view(), Options{Layers: BasicLayers}); !bytes.Equal(got.Pix, want.Pix) {
		t.Error("trips that are read look another way than trips that are held")
	}
}

// Of many trips none is read, but the one that is selected or pointed at.
func TestManyTripsAreSketched(t *testing.T) {
	s, all := crowded(t, mostRead+1)
	got := Picture(s, view(), Options{Layers: BasicLayers})
	bare := *s
	bare.Trips = nil
	if none := Picture(&bare, view(), Options{Layers: BasicLayers}); bytes.Equal(got.Pix, none.Pix) {
		t.Error("many trips are not drawn at all")
	}
	reads := func() (n int) {
		for _, k := range all {
			n += k.read
		}
		return n
	}
	if reads() != 0 {
		t.Errorf("%d trips were read", reads())
	}
	ts := NewTracks(s.Network, s.Trips)
	first, again := ts.find("trip 7"), ts.find("trip 7")
	if ts.Len() != mostRead+1 || first == nil || again != first || reads() != 1 {
		t.Errorf("to select one, %d were read", reads())
	}
	x, y := view().Pixel(roadnet.Point{Lon: all[0].r.Ticks[0].Lon, Lat: all[0].r.Ticks[0].Lat})
	hits := Hit(NewBase(s.Network, nil), ts, view(), BasicLayers, Item{}, x, y)
	if len(hits) == 0 || hits[0].Kind != TripItem {
		t.Errorf("under the pointer lies %+v", hits)
	}
}

// A map that takes the same trips again does not draw anew; one that was recovered again
// is another one.
func TestTripsThatAreReadAreToldApart(t *testing.T) {
	s, _ := crowded(t, 3)
	first := NewTracks(s.Network, s.Trips)
	again := first.Renew(s.Network, s.Trips, 1)
	if first.Behind("") != again.Behind("") {
		t.Error("the same trips count as others")
	}
	other, _ := shelvedTrip(townTrip(t), "trip 1")
	s.Trips[1] = other
	if third := again.Renew(s.Network, s.Trips, 2); third.Behind("") == again.Behind("") || third.Behind("trip 1") != again.Behind("trip 1") {
		t.Error("a trip that was recovered again is drawn as it was")
	}
}
