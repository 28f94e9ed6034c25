package metrics

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	cells "retrace/internal/sheet"
)

// WriteTable writes the report for people: one table a section, a row for each
// method and thinning. Failures are those of w.
func (r *Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s: %d trips\n", r.Network, r.Cases)
	if r.Cut > 0 {
		fmt.Fprintf(t, "of them the longest stretch of a trip that breaks: %d\n", r.Cut)
	}
	for _, c := range r.Dropped {
		if c.Trips > 0 {
			fmt.Fprintf(t, "left out, %s: %d\n", c.Reason, c.Trips)
		}
	}
	for _, res := range r.Results {
		if len(res.Failed) > 0 {
			fmt.Fprintf(t, "%s at %s: %d trips not recovered\n", res.Method, res.Keep, len(res.Failed))
		}
	}
	for _, section := range sections() {
		r.table(t, section)
	}
	return t.Flush()
}

// sections in the order in which they are written, with a title each.
func sections() [][2]string {
	return [][2]string{
		{SectionPaper, "As the paper defines it"},
		{SectionCode, "As the authors' code computes it"},
		{SectionHidden, "Hidden ticks"},
		{SectionObserved, "Observed ticks"},
		{SectionElevated, "Stretches on or near elevated roads"},
		{SectionCalibration, "Expected calibration error of the ticks' probabilities"},
		{SectionReliability, "Hidden ticks by their probability, and how many are right"},
		{SectionRisk, "How well risks tell which trips and gaps are wrong"},
		{SectionOldList, "How well the least probable place of a trip told it, by which doubts were listed before"},
		{SectionGap, "Hidden ticks by the gap around them"},
		{SectionSince, "Hidden ticks by the time since the last observation"},
		{SectionClass, "By class of road"},
	}
}

// table writes one section: a line for each result or, where figures are by
// group, for each group.
func (r *Report) table(w io.Writer, section [2]string) {
	rows := r.rows(section[0])
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", section[1])
	fmt.Fprint(w, "method\tkept")
	for i, f := range rows[0].figures {
		if i == 0 && f.Group != "" {
			fmt.Fprint(w, "\t\t")
		}
		if f.Group == rows[0].figures[0].Group {
			fmt.Fprintf(w, "\t%s", heading(f))
		}
	}
	for _, row := range rows {
		for i, f := range row.figures {
			if i == 0 || f.Group != row.figures[i-1].Group {
				fmt.Fprintf(w, "\n%s\t%s", row.method, row.keep)
				if f.Group != "" {
					fmt.Fprintf(w, "\t%s\t%.0f", f.Group, f.N)
				}
			}
			fmt.Fprintf(w, "\t%s", cell(f, row.signed))
		}
	}
	fmt.Fprintln(w)
}

// row is the figures of one section of a result or of a difference.
type row struct {
	method, keep string
	signed       bool
	figures      []Figure
}

func (r *Report) rows(section string) []row {
	var out []row
	add := func(method, keep string, signed bool, all []Figure) {
		line := row{method: method, keep: keep, signed: signed}
		for _, f := range all {
			if f.Section == section {
				line.figures = append(line.figures, f)
			}
		}
		if len(line.figures) > 0 {
			out = append(out, line)
		}
	}
	for _, res := range r.Results {
		add(res.Method, res.Keep, false, res.Figures)
	}
	for _, d := range r.Differences {
		add(d.Method+" less "+d.Against, d.Keep, true, d.Figures)
	}
	return out
}

func heading(f Figure) string {
	if f.Unit == unitMetres {
		return f.Name + ", m"
	}
	return f.Name
}

// cell is a value with its range.
func cell(f Figure, signed bool) string {
	digits := 3
	if f.Unit == unitMetres {
		digits = 1
	}
	sign := ""
	if signed {
		sign = "+"
	}
	format := fmt.Sprintf("%%%s.%df (%%%s.%df to %%%s.%df)", sign, digits, sign, digits, sign, digits)
	return fmt.Sprintf(format, f.Value, f.Low, f.High)
}

// WriteMarkdown writes the sections as Markdown tables.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d trips of %s, fingerprint %s.", r.Cases, r.Network, r.Fingerprint)
	if r.Cut > 0 {
		fmt.Fprintf(&b, " Of them %d are the longest stretch of a trip that breaks.", r.Cut)
	}
	for i, d := range r.Dropped {
		if i == 0 {
			b.WriteString(" Left out:")
		}
		fmt.Fprintf(&b, " %d %s;", d.Trips, d.Reason)
	}
	b.WriteString("\n")
	for _, section := range sections() {
		rows := r.rows(section[0])
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n| |", section[1])
		for _, row := range rows {
			fmt.Fprintf(&b, " %s, %s |", row.method, row.keep)
		}
		fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---|", len(rows)))
		for _, f := range rows[0].figures {
			name := strings.TrimSpace(f.Group + " " + f.Name)
			fmt.Fprintf(&b, "| %s |", strings.TrimSpace(f.Group+" "+heading(f)))
			for _, row := range rows {
				if g, ok := find(row.figures, f.Section, name); ok {
					fmt.Fprintf(&b, " %s |", cell(g, row.signed))
				} else {
					b.WriteString(" |")
				}
			}
			b.WriteString("\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteCSV writes one line for each figure: method, against (empty unless the
// line is a difference), keep, section, group, name, unit, value, low, high, n.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	c.Write([]string{"method", "against", "keep", "section", "group", "name", "unit", "value", "low", "high", "n"})
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }
	line := func(method, against, keep string, all []Figure) {
		for _, f := range all {
			c.Write([]string{cells.Cell(method), cells.Cell(against), keep, f.Section, cells.Cell(f.Group), f.Name, f.Unit, number(f.Value), number(f.Low), number(f.High), number(f.N)})
		}
	}
	for _, res := range r.Results {
		line(res.Method, "", res.Keep, res.Figures)
	}
	for _, d := range r.Differences {
		line(d.Method, d.Against, d.Keep, d.Figures)
	}
	c.Flush()
	return c.Error()
}
