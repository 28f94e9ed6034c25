package state

import (
	"math"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/mapview/render"
)

func TestPlayRunsToTheEnd(t *testing.T) {
	m, _ := loaded(t)
	m.Play(true)
	if m.Clock().Playing {
		t.Error("there is nothing to play")
	}
	m.SelectTrip("one")
	m.SetSpeed(60)
	m.Play(true)
	m.Advance(2 * time.Second)
	if at := m.Clock().At; at != 120_000 {
		t.Errorf("2 s at 60x are %d ms", at)
	}
	m.Advance(5 * time.Second)
	if c := m.Clock(); c.Playing || c.At != 180_000 {
		t.Errorf("clock %+v at the end", c)
	}
	m.Play(true)
	if c := m.Clock(); !c.Playing || c.At != 0 {
		t.Errorf("play at the end begins anew, got %+v", c)
	}
	m.SetLoop(true)
	m.Advance(10 * time.Second)
	if c := m.Clock(); !c.Playing || c.At != 0 {
		t.Errorf("loop gives %+v", c)
	}
}

func TestLocate(t *testing.T) {
	m, net := loaded(t)
	one := m.Trip("one")
	w, ok := m.Locate(one, 45_000)
	if !ok || w.Tick != 1 || math.Abs(w.Speed-200.0/30) > 0.01 {
		t.Fatalf("%+v %v", w, ok)
	}
	a := net.Point('A')
	if d := roadnet.Distance(a, w.At); math.Abs(d-300) > 1 {
		t.Errorf("%.1f m from A after 45 s, want 300", d)
	}
	if math.Abs(w.Heading-90) > 1 {
		t.Errorf("heading %.1f, want east", w.Heading)
	}
	if _, ok := m.Locate(one, -1); ok {
		t.Error("before the start it is nowhere")
	}
	if w, ok := m.Locate(m.Trip("three"), 30_000); !ok || math.Abs(roadnet.Distance(a, w.At)-200) > 1 {
		t.Errorf("between samples: %+v %v", w, ok)
	}
}

func TestSelectingAPointMovesTheClock(t *testing.T) {
	m, _ := loaded(t)
	m.Select(render.Item{Kind: render.TickItem, Trip: "one", Index: 3})
	if m.Clock().At != 90_000 || m.Current() != m.Trip("one") {
		t.Errorf("clock %d, current %v", m.Clock().At, m.Current())
	}
	next, ok := m.PointBeside(1)
	if !ok || next.Index != 4 {
		t.Errorf("next is %+v", next)
	}
	m.SelectTrip("one")
	m.SetTime(100_000)
	if next, _ := m.PointBeside(1); next.Index != 4 {
		t.Errorf("after 100 s comes tick %d", next.Index)
	}
	if prev, _ := m.PointBeside(-1); prev.Index != 3 {
		t.Errorf("before 100 s comes tick %d", prev.Index)
	}
	m.SelectTrip("three")
	if next, ok := m.PointBeside(1); !ok || next.Kind != render.SampleItem || next.Index != 0 {
		t.Errorf("a trip without recovery steps through its samples, got %+v", next)
	}
}
