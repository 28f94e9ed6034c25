package dock

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"retrace/ui/query"
)

// conjunctions are the words for and, or and not: the English one, and the
// user's.
func conjunctions(word string) []string {
	own := map[string]string{"and": lang.L("and"), "or": lang.L("or"), "not": lang.L("not")}[word]
	return []string{word, strings.ToLower(own)}
}

// explain says what is wrong with a filter, and what could stand there.
func explain(e *query.Error, columns []column) string {
	data := map[string]any{"Text": e.Text, "Columns": columnNames(columns)}
	if e.Column >= 0 {
		data["Column"] = columns[e.Column].Title
		data["Units"] = strings.Join(columns[e.Column].kind.Units(), ", ")
	}
	switch e.Fault {
	case query.NoColumn:
		return lang.L("No column is called “{{.Text}}”. There are: {{.Columns}}.", data)
	case query.NoValue:
		return lang.L("A value is missing behind “{{.Text}}”.", data)
	case query.NotANumber:
		return notANumber(e, columns, data)
	case query.WrongUnit:
		if data["Units"] == "" {
			return lang.L("“{{.Column}}” has no unit, so “{{.Text}}” does not fit.", data)
		}
		return lang.L("“{{.Text}}” is no unit of “{{.Column}}”. There are: {{.Units}}.", data)
	case query.NotAnOrder:
		return lang.L("“{{.Column}}” holds texts: use = or !=.", data)
	case query.NoOpening:
		return lang.L("There is a closing bracket too many.")
	case query.NoClosing:
		return lang.L("A bracket is not closed.")
	case query.TooDeep:
		return lang.L("There are too many brackets within one another.")
	}
	return lang.L("Something is missing beside “and”, “or” or “not”.")
}

func notANumber(e *query.Error, columns []column, data map[string]any) string {
	if columns[e.Column].kind == query.Instant {
		return lang.L("“{{.Text}}” is no time. Write 2024-05-06, 2024-05-06 17:30 or 17:30.", data)
	}
	return lang.L("“{{.Text}}” is no number, and “{{.Column}}” holds numbers.", data)
}

func columnNames(columns []column) string {
	var names []string
	for _, c := range columns {
		if c.name != "" {
			names = append(names, c.Title)
		}
	}
	return strings.Join(names, ", ")
}
