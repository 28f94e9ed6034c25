package render

import "fmt"

// countWords name the classes of counts: "1", "2–4", "≥ 10".
func (m *LinkMap) countWords() []string {
	out := make([]string, len(m.limits))
	for i, least := range m.limits {
		switch {
		case i+1 == len(m.limits):
			out[i] = fmt.Sprintf("≥ %d", least)
		case m.limits[i+1] == least+1:
			out[i] = fmt.Sprint(least)
		default:
			out[i] = fmt.Sprintf("%d–%d", least, m.limits[i+1]-1)
		}
	}
	return out
}

// speedWords name the classes of speeds in km/h or miles an hour.
func (m *LinkMap) speedWords(miles bool) []string {
	limits, unit := m.speedEnds(miles), unitSpeed(miles)
	if len(limits) == 0 {
		return nil
	}
	out := []string{fmt.Sprintf("< %.0f", limits[0]*unit)}
	for i := 1; i < len(limits); i++ {
		out = append(out, fmt.Sprintf("%.0f–%.0f", limits[i-1]*unit, limits[i]*unit))
	}
	return append(out, fmt.Sprintf("> %.0f", limits[len(limits)-1]*unit))
}
