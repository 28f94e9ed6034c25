package manual

import (
	"slices"
	"strings"
	"testing"

	"retrace/assets"
)

func TestPagesAreCutAtTheirTitles(t *testing.T) {
	pages := Pages("# All\nbefore\n## First\nabout trips\n### Part\nmore\n## Second\nabout roads\n")
	if len(pages) != 2 || pages[0].Title != "First" || !strings.Contains(pages[0].Text, "### Part") || pages[1].Text != "about roads" {
		t.Errorf("%+v", pages)
	}
}

func TestSearchFindsTitlesFirst(t *testing.T) {
	pages := []Page{{"Roads", "of trips"}, {"Trips", "all of them"}, {"Keys", "none"}}
	if got := Find(pages, "TRIPS"); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("trips: %v", got)
	}
	if got := Find(pages, "roads trips"); !slices.Equal(got, []int{0}) {
		t.Errorf("both words: %v", got)
	}
	if got := Find(pages, ""); len(got) != 3 {
		t.Errorf("nothing asked: %v", got)
	}
}

// What a user may look for has a chapter.
func TestManualAnswersWhatIsAsked(t *testing.T) {
	text, err := assets.Manual("en")
	if err != nil {
		t.Fatal(err)
	}
	pages := Pages(text)
	for _, p := range pages {
		if len(p.Text) < 200 {
			t.Errorf("%s says almost nothing", p.Title)
		}
	}
	for _, query := range []string{"drop extract", "csv column", "GCJ-02", "gap cut", "recover all", "pin", "undo", "elevated deck",
		"probability", "play", "filter", "export GeoPackage", "outside network", "text size", "keyboard", "workspace", "GPU", "problems", "screen line", "offline"} {
		if len(Find(pages, query)) == 0 {
			t.Errorf("nothing is found of %q", query)
		}
	}
}
