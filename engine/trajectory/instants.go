package trajectory

// Instants are the ticks between two instants that lie whole intervals after a base;
// all in milliseconds, the instants since 1970.
func Instants(base, from, to, every int64) []int64 {
	var all []int64
	for now := base + (from-base)/every*every + every; now < to; now += every {
		all = append(all, now)
	}
	return all
}
