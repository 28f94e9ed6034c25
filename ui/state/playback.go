package state

// Playback says what the player plays.
type Playback uint8

// What may be played.
const (
	PlayTrip  Playback = iota // the current trip
	PlayAll                   // all trips shown, each at its own date and time; times without any are skipped
	PlayDay                   // all trips shown as if they were of one day
	PlayStart                 // all trips shown as if they started at once
)

// aDay is the length of a day in milliseconds; what a change of summer time adds
// or takes is not played.
const aDay = 24 * 3_600_000

// SetPlayback sets what the player plays, and leaves the clock where it can.
func (m *Model) SetPlayback(p Playback) {
	if p == m.clock.Over {
		return
	}
	m.clock.Over = p
	m.clock.Playing = false
	m.clock.At = m.within(m.clock.At)
	m.touch(Time)
}

// TimeSpan is the time that the player runs over, in Unix milliseconds; false
// where there is nothing to play.
func (m *Model) TimeSpan() (from, to int64, ok bool) {
	if m.clock.Over == PlayTrip {
		t := m.Current()
		if t == nil {
			return 0, 0, false
		}
		return t.Facts.Start, t.Facts.End, true
	}
	f := m.Fleet()
	return f.from, f.to, len(f.trips) > 0
}

// within is the instant of the player's time that stands for an instant.
func (m *Model) within(at int64) int64 {
	from, to, ok := m.TimeSpan()
	if !ok {
		return at
	}
	if m.clock.Over == PlayDay {
		at = from + ((at-midnight(at, m.Zone()))%aDay+aDay)%aDay
	}
	return min(max(at, from), to)
}

// InstantOf is when a trip is where the clock shows it: the clock's own time, on
// the trip's day where all trips are played as of one, and as long after the
// trip's start where all start at once.
func (m *Model) InstantOf(t *Trip) int64 {
	from, _, ok := m.TimeSpan()
	switch {
	case !ok:
		return m.clock.At
	case m.clock.Over == PlayStart:
		return t.Facts.Start + m.clock.At - from
	case m.clock.Over != PlayDay:
		return m.clock.At
	}
	at := midnight(t.Facts.Start, m.Zone()) + m.clock.At - from
	if at < t.Facts.Start && at+aDay <= t.Facts.End {
		at += aDay // it drove past midnight
	}
	return at
}
