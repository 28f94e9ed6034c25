package main

import (
	"strings"
	"testing"
)

func TestPageSaysWhatWasMeasured(t *testing.T) {
	text := `goos: linux
cpu: Some CPU
BenchmarkWindow/start-2        	       1	         0 ns/op	       120.0 first-own-ms	       250.0 first-wall-ms
BenchmarkWindow/use/frame-2        	       1	         0 ns/op	         3.250 p50-own-ms	         9.500 p95-own-ms	    117000 segments	      1000 trips
BenchmarkManyTrips-2   	       1	       151.7 cancel-ms	       201.7 heap-MB	    200000 trips
BenchmarkWindow/use/memory-2    	       1	        60.5 heap-MB	         2.000 paths-held-MB	        33.00 tiles-held-MB
`
	parts := parse(text)
	if parts["start"]["first-own-ms"] != 120 || parts["frame"]["p95-own-ms"] != 9.5 {
		t.Fatalf("understood %v", parts)
	}
	var page strings.Builder
	write(&page, parts, machine(text), "nothing else to do")
	writeMany(&page, parts["ManyTrips"], "nothing else to do")
	for _, want := range []string{"(117000)", "1000 simulated", "Some CPU", "| frame, panning and zooming, 95th percentile | 9.5 ms |", "| 120.0 ms | 250.0 ms | 1 s |",
		"holds 60.5 MB", "has 201.7 MB", "after 152 ms", "| finished tiles of the map | 33.0 |\n| the trips' paths, ready to be drawn | 2.0 |"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page does not say %q:\n%s", want, page.String())
		}
	}
}
