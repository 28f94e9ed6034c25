package dock

import (
	"testing"

	"retrace/mapview/render"
)

// numbered is a source whose rows stand for trips named by their numbers.
type numbered struct{ source }

func (numbered) item(row int) render.Item {
	return render.Item{Kind: render.TripItem, Trip: string(rune('a' + row))}
}

func TestRowsUnderThePointerAreThoseShown(t *testing.T) {
	v := &view{source: numbered{}, order: []int{2, 0}} // sorted, and one filtered out
	for i, want := range map[int]string{0: "c", 1: "a", 2: "", -1: ""} {
		if got := v.item(i); got.Trip != want {
			t.Errorf("row %d shows trip %q, want %q", i, got.Trip, want)
		}
	}
}
