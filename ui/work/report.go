package work

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2/lang"

	"retrace/osmimport"
	"retrace/ui/words"
)

// reportText is an import report to read.
func reportText(r osmimport.Report) string {
	var b strings.Builder
	for _, f := range r.Files {
		fmt.Fprintf(&b, "%s (%s, %s)\n", f.Path, f.Format, words.Size(f.Bytes))
	}
	fmt.Fprintf(&b, "%s\n", lang.L("{{.Segments}} segments, {{.Nodes}} junctions and ends, {{.Length}} of road", map[string]any{
		"Segments": words.Count(r.Segments), "Nodes": words.Count(r.Nodes), "Length": words.Length(r.Length)}))
	fmt.Fprintf(&b, "%s\n", lang.L("{{.S}} s, {{.Memory}} of memory at the most", map[string]any{
		"S": words.InUse().Fraction(r.Seconds, 1), "Memory": words.Size(r.PeakRSS)}))
	items(&b, lang.L("Kept"), r.Kept)
	items(&b, lang.L("Left out"), r.Dropped)
	items(&b, lang.L("Odd in the file"), r.Oddities)
	return b.String()
}

func items(b *strings.Builder, title string, list []osmimport.Item) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, i := range list {
		fmt.Fprintf(b, "%10s  %s", words.Count(int(i.Count)), i.What)
		if n := len(i.Objects); n > 0 {
			fmt.Fprintf(b, ": %s", strings.Join(i.Objects[:min(n, 5)], ", "))
			if int64(min(n, 5)) < i.Count {
				b.WriteString(" …")
			}
		}
		b.WriteString("\n")
	}
}
