package main

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// rule parts one licence from the next.
var rule = strings.Repeat("=", 72)

// write puts the licences of modules together, equal texts once below the names
// of all that have them, and those of the other parts, which lie in a folder of
// texts whose first line names the part.
func write(modules []module, others string) (string, error) {
	names := map[string]map[string]bool{} // by licence
	add := func(text, name string) {
		if names[text] == nil {
			names[text] = map[string]bool{}
		}
		names[text][name] = true
	}
	for _, m := range modules {
		texts, err := m.licences()
		if err != nil {
			return "", err
		}
		for _, text := range texts {
			add(text, m.Path+" "+m.Version)
		}
	}
	files, err := filepath.Glob(filepath.Join(others, "*.txt"))
	if err != nil {
		return "", err
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		name, text, _ := strings.Cut(string(data), "\n")
		add(strings.TrimSpace(text), name)
	}
	var parts []string
	for text, of := range names {
		parts = append(parts, strings.Join(sorted(of), "\n")+"\n\n"+text+"\n")
	}
	sort.Strings(parts)
	return strings.Join(parts, "\n"+rule+"\n\n"), nil
}
