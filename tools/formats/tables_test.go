package main

import (
	"strings"
	"testing"

	"retrace/engine/trajectory/write"
)

func TestThePageNamesEveryFormatOfTables(t *testing.T) {
	dir := t.TempDir()
	text, err := tablesOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, ext := range write.TableExtensions() {
		if !strings.Contains(text, "| `"+ext+"` | ") {
			t.Errorf("the page lacks %s:\n%s", ext, text)
		}
	}
}
