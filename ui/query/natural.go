package query

import "strings"

// NaturalKey is a text to sort by: without case, and with the numbers in it by
// their value, so that "taxi 9" comes before "taxi 10".
func NaturalKey(s string) string {
	s = strings.ToLower(s)
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); {
		if s[i] < '0' || s[i] > '9' {
			b = append(b, s[i])
			i++
			continue
		}
		end := i
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		digits := strings.TrimLeft(s[i:end], "0")
		b = append(b, '0', byte(min(len(digits), 255)))
		b = append(b, digits...)
		i = end
	}
	return string(b)
}
