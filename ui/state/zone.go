package state

import "time"

// Zone is the place's own time zone, or UTC where it is not known or not
// wanted.
func (m *Model) Zone() *time.Location {
	if m.net == nil || !m.settings.Zone {
		return time.UTC
	}
	name := m.net.Info().TimeZone
	if m.zone == nil || m.zoneName != name {
		zone, err := time.LoadLocation(name)
		if err != nil {
			zone = time.UTC
		}
		m.zone, m.zoneName = zone, name
	}
	return m.zone
}

// midnight is the beginning of an instant's day in a zone; both are Unix
// milliseconds.
func midnight(at int64, zone *time.Location) int64 {
	y, mo, d := time.UnixMilli(at).In(zone).Date()
	return time.Date(y, mo, d, 0, 0, 0, 0, zone).UnixMilli()
}
