package bundle

import (
	"strings"
	"testing"
)

func TestModelsThatCannotRunAreRefused(t *testing.T) {
	whole := Shape{D: 32, RoadLayers: 2, RoadGAT: true, Encoder: true, Routes: true, Time: true, Ticks: true}
	for says, change := range map[string]func(*Shape){
		"":                   func(*Shape) {},
		"lacks an encoder":   func(s *Shape) { s.Encoder = false },
		"lacks that of time": func(s *Shape) { s.Time = false },
		"no decoder":         func(s *Shape) { s.Routes, s.Time, s.Ticks = false, false, false },
		"out of range":       func(s *Shape) { s.D = 0 },
	} {
		s := whole
		change(&s)
		err := s.Check()
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%+v: error %v, want one with %q", s, err, says)
		}
	}
}
