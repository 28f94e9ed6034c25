package feature

import "fmt"

// Settings are the sizes that features are made with. They belong to a bundle.
type Settings struct {
	Delta  float64 `json:"delta"`   // radius of a sub-graph in metres (paper: 400)
	Gamma  float64 `json:"gamma"`   // scale of its weights in metres (paper: 30)
	SubCap int     `json:"sub_cap"` // most segments of a sub-graph, the nearest ones
}

// DefaultSettings are the paper's, with sub-graphs of at most 64 segments.
func DefaultSettings() Settings { return Settings{Delta: 400, Gamma: 30, SubCap: 64} }

// Check refuses settings that no features can be made with.
func (s Settings) Check() error {
	if !(s.Delta > 0 && s.Delta <= 5000) || !(s.Gamma > 0) || s.SubCap < 1 || s.SubCap > 4096 {
		return fmt.Errorf("feature settings out of range: delta %v m, gamma %v m, %d segments a sub-graph", s.Delta, s.Gamma, s.SubCap)
	}
	return nil
}
