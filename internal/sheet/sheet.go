// Package sheet writes texts into the cells of tables so that no spreadsheet takes
// them for formulas, and reads them again.
//
// A spreadsheet runs what begins with one of = + - @, a tab or a return, in quotes
// or not: a trip that is called =HYPERLINK(...) would. Such a text gets an
// apostrophe in front, which spreadsheets take for the mark of a text. So does one
// that has apostrophes there already: then taking one away gives every text back
// as it was.
package sheet

import (
	"strconv"
	"strings"
)

const (
	mark = "'"
	// begin is what formulas begin with, also as Chinese and Japanese are typed.
	begin = "=+-@＝＋－＠\t\r\n"
	// blank may stand before, which some spreadsheets pass over.
	blank = " \u00a0\u3000\ufeff"
)

// Cell is a text as it goes into a cell.
func Cell(s string) string {
	if taken(s) {
		return mark + s
	}
	return s
}

// Field is [Cell] for a cell that may hold a number, which stays as it is.
func Field(s string) string {
	if number(s) {
		return s
	}
	return Cell(s)
}

// Text is the text that [Cell] made a cell of.
func Text(s string) string {
	if rest, ok := strings.CutPrefix(s, mark); ok && taken(rest) {
		return rest
	}
	return s
}

// taken reports whether a text would be taken for a formula, apart from the
// apostrophes in front.
func taken(s string) bool {
	s = strings.TrimLeft(s, mark+blank)
	return s != "" && strings.IndexAny(s, begin) == 0
}

// number reports whether a text is a plain decimal number.
func number(s string) bool {
	if strings.Trim(s, "-0123456789.eE") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
