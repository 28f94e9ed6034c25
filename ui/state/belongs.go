package state

import "retrace/engine/roadnet"

// NetworkOf names the network that a trip belongs to: of those of the study the one that
// it was recovered on, else the one that is shown where a point lies on it, else the
// first on which one does; empty: none. Two that are alike count as one.
func (m *Model) NetworkOf(t *Trip) string {
	if t.finding != nil && !t.fits {
		for _, info := range m.networks {
			if info.Fingerprint == t.finding.Provenance().Fingerprint {
				return info.Name
			}
		}
	}
	if m.net != nil && (t.fits || t.touches(m.net.Info().Bounds)) {
		return m.net.Info().Name
	}
	for _, info := range m.networks {
		if info.Bounds != (roadnet.Bounds{}) && t.touches(info.Bounds) {
			return info.Name
		}
	}
	return ""
}

// Elsewhere counts those of some trips that belong to another network than the one shown.
func (m *Model) Elsewhere(trips []*Trip) int {
	n := 0
	for _, t := range trips {
		if name := m.NetworkOf(t); name != "" && (m.net == nil || name != m.net.Info().Name) {
			n++
		}
	}
	return n
}
