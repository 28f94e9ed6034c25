package feature

// The constructors of columns. A flag is 0 or 1, and 0 where it is not known:
// what is not tagged as a bridge counts as none.

func flag(name string, g Group) Column { return Column{Name: name, Unit: "0 or 1", Group: g, Max: 1} }

func scaled(name, unit string, g Group, lo, hi float32) Column {
	return Column{Name: name, Unit: unit, Group: g, Min: lo, Max: hi}
}

// oneHot is a column for each name, the first being the one that is 1 where
// nothing is known.
func oneHot(prefix string, g Group, names ...string) []Column {
	cols := make([]Column, len(names))
	for i, name := range names {
		cols[i] = flag(prefix+name, g)
	}
	cols[0].Unknown = 1
	return cols
}

// clamp keeps a value in the range of its column.
func clamp(x, lo, hi float64) float32 { return float32(min(max(x, lo), hi)) }

// bit is a flag's value.
func bit(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
