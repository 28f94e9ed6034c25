package ui

import (
	"testing"
	"time"
)

func TestShots(t *testing.T) {
	s := openStage(t, t.TempDir()+"/w.retrace", 1600, 1000, 1)
	s.until("the sample is shown", func() bool { return s.m.Network() != nil || len(s.m.Notices()) > 0 })
	s.idle()
	s.settle(time.Second)
	s.shot("sample-light")
}
