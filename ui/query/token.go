package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a piece of a filter's text.
type token struct {
	text   string
	from   int // runes from the start of the text
	length int // runes, quotes included
	quoted bool
	sign   bool // an operator or a bracket
}

func (t token) is(sign string) bool { return t.sign && t.text == sign }

// split cuts a text into tokens. A quotation that does not end ends with the
// text: it is still being typed.
func split(text string) []token {
	var tokens []token
	at := 0
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case unicode.IsSpace(r):
			text, at = text[size:], at+1
			continue
		case r == '"':
			t := quotation(text, at)
			tokens = append(tokens, t)
			text, at = skip(text, t.length), at+t.length
			continue
		}
		t := signAt(text, at)
		if t.length == 0 {
			t = wordAt(text, at)
		}
		tokens = append(tokens, t)
		text, at = skip(text, t.length), at+t.length
	}
	return tokens
}

// skip is a text without its first runes.
func skip(text string, runes int) string {
	for ; runes > 0 && text != ""; runes-- {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}

func quotation(text string, at int) token {
	inside, _, closed := strings.Cut(text[1:], `"`)
	length := utf8.RuneCountInString(inside) + 1
	if closed {
		length++
	}
	return token{text: inside, from: at, length: length, quoted: true}
}

// signAt is the operator or bracket that a text begins with; of length 0 where
// it begins with none.
func signAt(text string, at int) token {
	for _, s := range [...]struct{ typed, means string }{
		{"<=", "<="}, {">=", ">="}, {"!=", "!="}, {"<>", "!="}, {"==", "="},
		{"≤", "<="}, {"≥", ">="}, {"≠", "!="}, {"<", "<"}, {">", ">"}, {"=", "="}, {"(", "("}, {")", ")"},
	} {
		if strings.HasPrefix(text, s.typed) {
			return token{text: s.means, from: at, length: utf8.RuneCountInString(s.typed), sign: true}
		}
	}
	return token{}
}

// wordAt is the text up to the next space, operator, bracket or quotation.
func wordAt(text string, at int) token {
	end := len(text)
	for i, r := range text {
		if i > 0 && (unicode.IsSpace(r) || r == '"' || signAt(text[i:], 0).length > 0) {
			end = i
			break
		}
	}
	return token{text: text[:end], from: at, length: utf8.RuneCountInString(text[:end])}
}
