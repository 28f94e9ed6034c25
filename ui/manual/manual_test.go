package manual

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"retrace/assets"
)

func TestPagesAreCutAtTheirTitles(t *testing.T) {
	pages := Pages("# All\nbefore\n## First {#one}\nabout trips\n### Part\nmore\n## Second\nabout roads\n")
	if len(pages) != 2 || pages[0].Title != "First" || pages[0].Anchor != "one" || pages[1].Anchor != "" || !strings.Contains(pages[0].Text, "### Part") || pages[1].Text != "about roads" {
		t.Errorf("%+v", pages)
	}
}

func TestSearchFindsTitlesFirst(t *testing.T) {
	pages := []Page{{Title: "Roads", Text: "of trips"}, {Title: "Trips", Text: "all of them"}, {Title: "Keys", Text: "none"}}
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
	pages := pagesOf(t, "en")
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

// The manual is whole in every language: the same chapters with the same lists,
// and the same keys in each.
func TestManualIsWholeInEveryLanguage(t *testing.T) {
	english := pagesOf(t, "en")
	keys := regexp.MustCompile(`\b(F1|F10|[BCDEGV])\b`)
	for _, language := range []string{"de", "pt", "zh"} {
		pages := pagesOf(t, language)
		if len(pages) != len(english) {
			t.Fatalf("%s has %d chapters, English %d", language, len(pages), len(english))
		}
		for i, p := range pages {
			e := english[i]
			if p.Anchor == "" || p.Anchor != e.Anchor {
				t.Errorf("%s: chapter %d is %q, in English %q", language, i+1, p.Anchor, e.Anchor)
			}
			if p.Title == e.Title || p.Text == e.Text {
				t.Errorf("%s: %s is not translated", language, p.Anchor)
			}
			for _, mark := range []string{"\n- ", "\n1. ", "\n\n"} {
				if got, want := strings.Count(p.Text, mark), strings.Count(e.Text, mark); got != want {
					t.Errorf("%s: %s has %d times %q, English %d", language, p.Anchor, got, mark, want)
				}
			}
			if p.Anchor == "doubts" || p.Anchor == "comparing" {
				if got, want := keysIn(keys, p.Text), keysIn(keys, e.Text); !slices.Equal(got, want) {
					t.Errorf("%s: %s names the keys %q, English %q", language, p.Anchor, got, want)
				}
			}
		}
	}
}

func keysIn(keys *regexp.Regexp, text string) []string {
	found := keys.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

func pagesOf(t *testing.T, language string) []Page {
	t.Helper()
	text, err := assets.Manual(language)
	if err != nil {
		t.Fatal(err)
	}
	return Pages(text)
}
