package match

import "fmt"

// Settings are the constants of the model. Lengths are metres, times seconds.
type Settings struct {
	Radius        float64 // in which candidates are looked for at first
	MaxRadius     float64 // beyond it a sample is off the road
	MaxCandidates int     // for each sample, one for each segment
	Sigma         float64 // scale of the GPS error

	BetaBase     float64 // scale of the detour of a route at a gap of no time
	BetaGap      float64 // and what each second of the gap adds to it, m/s
	TimeShare    float64 // share of free-flow time in the cost of a route, 0..1
	Speed        float64 // m/s, at which the time of a route costs as much as its length
	Turn         float64 // cost of a turn at a right angle
	UTurn        float64 // cost of turning back
	Back         float64 // a step backwards that counts as standing still
	Hurry        float64 // nats where free flow takes a gap longer than it may; grows with the square
	HurryFree    float64 // as much of free-flow time over the gap costs nothing
	MaxSpeed     float64 // m/s; a straight way that asks for more was not driven
	Skip         float64 // nats for leaving out a sample
	Break        float64 // nats for a break of the path
	Centroid     float64 // how probable a segment is worth driving, see [Centroid]; 0: the most probable path
	Alternatives int     // other paths kept for each gap
}

// DefaultSettings are the settings chosen on dense trips of Porto.
func DefaultSettings() Settings {
	return Settings{
		Radius: 100, MaxRadius: 250, MaxCandidates: 14, Sigma: 8,
		BetaBase: 20, BetaGap: 1, TimeShare: 0.5, Speed: 12, Turn: 20, UTurn: 150, Back: 30,
		Hurry: 4, HurryFree: 1.5, MaxSpeed: 70, Skip: 25, Break: 35,
	}
}

// Validate names the first setting that is out of range.
func (s Settings) Validate() error {
	for _, c := range []struct {
		name      string
		value     float64
		low, high float64
	}{
		{"Radius", s.Radius, 1, s.MaxRadius},
		{"MaxRadius", s.MaxRadius, 1, 10_000},
		{"MaxCandidates", float64(s.MaxCandidates), 1, 100},
		{"Sigma", s.Sigma, 0.1, 1000},
		{"BetaBase", s.BetaBase, 0.1, 10_000},
		{"BetaGap", s.BetaGap, 0, 100},
		{"TimeShare", s.TimeShare, 0, 1},
		{"Speed", s.Speed, 0.1, 1000},
		{"Turn", s.Turn, 0, 10_000},
		{"UTurn", s.UTurn, 0, 100_000},
		{"Back", s.Back, 0, 1000},
		{"Hurry", s.Hurry, 0, 1000},
		{"HurryFree", s.HurryFree, 0, 100},
		{"MaxSpeed", s.MaxSpeed, 1, 1000},
		{"Skip", s.Skip, 0, 1e6},
		{"Break", s.Break, 0, 1e6},
		{"Centroid", s.Centroid, 0, 1},
		{"Alternatives", float64(s.Alternatives), 0, 100},
	} {
		if !(c.value >= c.low && c.value <= c.high) {
			return fmt.Errorf("match: setting %s is %g, want %g to %g", c.name, c.value, c.low, c.high)
		}
	}
	return nil
}
