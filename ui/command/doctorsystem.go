package command

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
)

// systemText names the system, as far as it tells without running programs.
func systemText() string {
	name := systemName()
	if name != "" {
		name += ", "
	}
	text := fmt.Sprintf("%s%s/%s, %s", name, runtime.GOOS, runtime.GOARCH, plural(runtime.NumCPU(), "processor", "processors"))
	for _, variable := range []string{"LANG", "LC_ALL"} {
		if v := os.Getenv(variable); v != "" {
			text += ", " + variable + "=" + v
		}
	}
	return text
}

// releaseName is the name that a Linux gives itself in os-release.
func releaseName(text string) string {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return strings.Trim(name, `"'`)
		}
	}
	return ""
}

// hideWord puts a mark where a name stands as a word of its own.
func hideWord(text, name, mark string) string {
	if len(name) < 2 || name == "." {
		return text
	}
	word, err := regexp.Compile(`(^|[^\pL\pN])` + regexp.QuoteMeta(name) + `($|[^\pL\pN])`)
	if err != nil {
		return text
	}
	for range 2 { // two that stand side by side share the mark between them
		text = word.ReplaceAllString(text, "${1}"+mark+"${2}")
	}
	return text
}
