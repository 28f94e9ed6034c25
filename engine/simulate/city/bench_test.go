package city

import "testing"

// BenchmarkGenerate measures the whole generator.
func BenchmarkGenerate(b *testing.B) {
	for range b.N {
		Generate(DefaultSeed)
	}
}
