//go:build !linux && !darwin

package osmimport

// peakRSS is not known on this system.
func peakRSS() int64 { return 0 }
