package ui

import (
	"testing"
	"time"
)

func TestShots(t *testing.T) {
	s := openStage(t, t.TempDir()+"/w.retrace", 1600, 1000, 1)
	start := time.Now()
	s.until("the sample is shown", func() bool { return s.m.Network() != nil || len(s.m.Notices()) > 0 })
	t.Log("network after", time.Since(start))
	s.idle()
	t.Log("recovered after", time.Since(start), s.m.Count())
	for _, n := range s.m.Notices() {
		t.Log(n)
	}
	s.shot("x")
	s.showTrip(s.m.Trips()[2].ID())
	s.settle(3 * time.Second)
	s.shot("sample-light")
	s.toggleDark()
	s.pointBeside(1)
	s.pointBeside(1)
	s.pointBeside(1)
	s.settle(3 * time.Second)
	s.shot("sample-dark")
}

func TestGround(t *testing.T) {
	s := openStage(t, t.TempDir()+"/w.retrace", 1600, 1000, 1)
	s.until("the sample is shown", func() bool { return s.m.Network() != nil })
	s.idle()
	s.shot("x")
	s.desk.SavePicture("/tmp/u/shots/ground.png", s.view.Scene(), s.view.View(), s.view.Look())
	s.idle()
	t.Log(s.view.View(), s.m.Network().Info())
	s.shot("ground-window")
}
