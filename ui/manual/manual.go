// Package manual is the manual inside the program: pages of a text that is
// built in, searched as one types.
package manual

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"retrace/ui/kit"
	"retrace/ui/look"
)

// Page is one chapter.
type Page struct {
	Anchor string // the same in every language; empty: none
	Title  string
	Text   string // Markdown, without the title
}

// Pages cuts a text into its chapters, each of which begins with "## ", its title
// and its anchor: {#anchor}.
func Pages(text string) []Page {
	var pages []Page
	for _, part := range strings.Split("\n"+text, "\n## ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		title, anchor, _ := strings.Cut(title, "{#")
		anchor, _, _ = strings.Cut(anchor, "}")
		pages = append(pages, Page{Anchor: anchor, Title: strings.TrimSpace(title), Text: strings.TrimSpace(body)})
	}
	return pages
}

// Find lists the pages that hold all words of a query, by index: those whose
// title holds them first.
func Find(pages []Page, query string) []int {
	words := strings.Fields(strings.ToLower(query))
	var titled, others []int
	for i, p := range pages {
		switch {
		case holds(p.Title, words):
			titled = append(titled, i)
		case holds(p.Title+" "+p.Text, words):
			others = append(others, i)
		}
	}
	return append(titled, others...)
}

func holds(text string, words []string) bool {
	text = strings.ToLower(text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// View shows pages beside a list of them.
type View struct {
	Object fyne.CanvasObject
	Search *kit.SearchField

	pages  []Page
	found  []int
	list   *kit.List
	body   *container.Scroll
	status *kit.Text
}

// New shows pages. Escape leaves.
func New(pages []Page, leave func()) *View {
	v := &View{pages: pages, Search: kit.NewSearchField(lang.L("Search the manual"), leave), status: kit.NewCutText("", kit.Style{Colour: look.Muted, Size: look.SizeSmall}, 40)}
	v.list = kit.NewList(func() int { return len(v.found) }, func(i int) string { return v.pages[v.found[i]].Title }, func(i int) { v.show(v.found[i]) })
	v.body = container.NewVScroll(container.NewStack())
	v.Search.OnChanged = v.search
	v.Search.OnSubmitted = func(string) { v.open(0) }
	head := kit.NewColumn(4, v.Search, v.status)
	left := kit.NewFixed(250, 0, kit.NewBorder(head, nil, nil, nil, v.list))
	v.Object = kit.NewBorder(nil, nil, left, nil, kit.NewPad(0, 0, 0, 14, v.body))
	v.search("")
	v.open(0)
	return v
}

// search lists the pages that are found.
func (v *View) search(query string) {
	v.found = Find(v.pages, query)
	v.list.UnselectAll()
	v.list.Refresh()
	v.status.SetText("")
	if strings.TrimSpace(query) != "" {
		v.status.SetText(lang.N("{{.N}} chapters found", len(v.found), map[string]any{"N": len(v.found)}))
		v.open(0)
	}
}

// open opens a page of the list.
func (v *View) open(row int) {
	if row < len(v.found) {
		v.list.Select(row)
		if row == 0 {
			v.list.ScrollToTop()
		}
	}
}

// show shows a page.
func (v *View) show(page int) {
	p := v.pages[page]
	text := widget.NewRichTextFromMarkdown("## " + p.Title + "\n\n" + p.Text)
	text.Wrapping = fyne.TextWrapWord
	v.body.Content = kit.NewPad(0, 12, 0, 0, text)
	v.body.ScrollToTop()
	v.body.Refresh()
}
