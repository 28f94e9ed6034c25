package work

import (
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/clean"
)

// Switch is a rule of cleaning, whether it works and with which threshold.
type Switch struct {
	On    bool
	Value float64 // in the rule's unit; 0: it has none
}

// Cleaning says which rules tidy and cut trips while they are read.
type Cleaning map[clean.Rule]Switch

// CleaningRules are the rules in the order in which they work.
func CleaningRules() []clean.Rule {
	return []clean.Rule{clean.Backwards, clean.Duplicates, clean.Outside, clean.Jumps, clean.Gaps, clean.Stops, clean.Standing}
}

// DefaultCleaning is what the command line reads with, and thresholds to begin
// with for what is switched off: km/h, metres and minutes.
func DefaultCleaning() Cleaning {
	d := clean.Default()
	return Cleaning{
		clean.Backwards:  {On: d.DropBackwards},
		clean.Duplicates: {On: d.Duplicates},
		clean.Outside:    {On: d.Inside != nil, Value: 500},
		clean.Jumps:      {On: d.MaxSpeed > 0, Value: 200},
		clean.Gaps:       {On: d.Gap > 0, Value: d.Gap.Minutes()},
		clean.Stops:      {On: d.Stop > 0, Value: 5},
		clean.Standing:   {On: d.Standing > 0, Value: 20},
	}
}

// complete fills in rules that are not named.
func (c Cleaning) complete() Cleaning {
	all := DefaultCleaning()
	for rule, s := range c {
		if _, known := all[rule]; known {
			all[rule] = s
		}
	}
	return all
}

// rules are the rules as the reader takes them. Without a network no point lies
// far from it.
func (c Cleaning) rules(net *roadnet.Network) clean.Rules {
	value := func(rule clean.Rule) float64 {
		if s := c[rule]; s.On {
			return s.Value
		}
		return 0
	}
	minutes := func(rule clean.Rule) time.Duration { return time.Duration(value(rule) * float64(time.Minute)) }
	return clean.Rules{
		DropBackwards: c[clean.Backwards].On,
		Duplicates:    c[clean.Duplicates].On,
		Inside:        nearRoads(net, value(clean.Outside)),
		MaxSpeed:      value(clean.Jumps) / 3.6,
		Standing:      value(clean.Standing),
		Gap:           minutes(clean.Gaps),
		Stop:          minutes(clean.Stops),
	}
}

// nearRoads reports whether a place lies within so many metres of a road; nil
// where all are wanted.
func nearRoads(net *roadnet.Network, metres float64) func(lon, lat float64) bool {
	if net == nil || metres <= 0 {
		return nil
	}
	var hits []roadnet.Hit
	return func(lon, lat float64) bool {
		hits = net.Near(roadnet.Point{Lon: lon, Lat: lat}, metres, hits[:0])
		return len(hits) > 0
	}
}
