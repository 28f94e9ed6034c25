package render

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// pdfInfo is the dictionary of a document's information with fields in it: under
// the names that PDF has for them, else under their own.
func pdfInfo(fields []Field) string {
	names := map[string]string{FieldSoftware: "Producer", FieldDate: "CreationDate"}
	values := map[string][]string{}
	var order []string
	for _, f := range fields {
		name := names[f.Name]
		if name == "" {
			name = strings.ReplaceAll(f.Name, " ", "")
		}
		if values[name] == nil {
			order = append(order, name)
		}
		values[name] = append(values[name], f.Value)
	}
	var s strings.Builder
	s.WriteString("<< ")
	for _, name := range order {
		text := strings.Join(values[name], "; ")
		if at, err := time.Parse(time.RFC3339, text); err == nil && name == "CreationDate" {
			fmt.Fprintf(&s, "/%s (D:%s) ", name, at.UTC().Format("20060102150405Z"))
			continue
		}
		fmt.Fprintf(&s, "/%s %s ", name, pdfText(text))
	}
	s.WriteString(">>")
	return s.String()
}

// pdfText is a text of any letters: UTF-16 in hexadecimal digits.
func pdfText(text string) string {
	var s strings.Builder
	s.WriteString("<FEFF")
	for _, u := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&s, "%04X", u)
	}
	s.WriteString(">")
	return s.String()
}
