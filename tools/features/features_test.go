package main

import (
	"bytes"
	"strings"
	"testing"

	"retrace/engine/feature"
)

func TestBenchmarksBecomeATable(t *testing.T) {
	rows := parse("goos: linux\n" +
		"BenchmarkFeatures/gap_of_ticks/10k-2 \t 300\t 331 ns/op\t 0 bytes/gap\t 26.5 us/gap\t 43 B/op\t 1 allocs/op\n" +
		"BenchmarkFeatures/gap_of_ticks/601k \t 300\t 331 ns/op\t 0 bytes/gap\t 27.5 us/gap\t 43 B/op\t 1 allocs/op\nPASS\n")
	var page bytes.Buffer
	writeCosts(&page, rows)
	for _, want := range []string{"µs, 10k segments | µs, 601k segments", "| gap of ticks | gap | 26.5 | 27.5 | 0 | 1 |"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not in\n%s", want, page.String())
		}
	}
}

func TestEveryTensorIsListed(t *testing.T) {
	var page bytes.Buffer
	s := feature.CurrentSchema()
	writeSchema(&page, s)
	for _, tensor := range s.Tensors {
		if !strings.Contains(page.String(), "### "+tensor.Name+"\n") {
			t.Errorf("%s is not there", tensor.Name)
		}
	}
}
