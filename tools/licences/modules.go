package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// module is one module that the program is built from.
type module struct {
	Path, Version string
	Dir           string   // where its source lies
	packages      []string // folders of those of its packages that are used
}

// modules lists what the program at root is built from under an environment,
// Go's own library first.
func modules(root string, env ...string) ([]module, error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=Dir,Standard,Module", ".")
	cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the program's packages: %w: %s", err, failed.String())
	}
	goroot, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, fmt.Errorf("ask where Go lies: %w", err)
	}
	where := strings.Fields(string(goroot))
	all := []module{{Path: "Go", Version: where[1], Dir: where[0]}}
	byPath := map[string]int{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir      string
			Standard bool
			Module   *struct {
				Path, Version, Dir string
				Main               bool
				Replace            *struct{ Version string }
			}
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		if p.Module.Replace != nil && p.Module.Replace.Version == "" {
			continue // a folder of ours stands in for it
		}
		i, known := byPath[p.Module.Path]
		if !known {
			i = len(all)
			byPath[p.Module.Path] = i
			all = append(all, module{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir})
		}
		all[i].packages = append(all[i].packages, p.Dir)
	}
	return all, nil
}

// licenceFile is how files with licences are called.
func licenceFile(name string) bool {
	return regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|ofl)([-._].*)?$`).MatchString(name) && !strings.HasSuffix(name, ".go")
}

// licences are the texts of a module's licences: beside its packages, above
// them, and beside what they embed, such as fonts.
func (m module) licences() ([]string, error) {
	folders := map[string]bool{m.Dir: true}
	for _, p := range m.packages {
		below, err := filepath.Glob(filepath.Join(p, "*", "LICENSE*"))
		if err != nil {
			return nil, err
		}
		for _, file := range below {
			folders[filepath.Dir(file)] = true
		}
		for ; len(p) > len(m.Dir); p = filepath.Dir(p) {
			folders[p] = true
		}
	}
	var texts []string
	for _, folder := range sorted(folders) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		for _, e := range entries {
			if e.IsDir() || !licenceFile(e.Name()) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				return nil, err
			}
			texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(data), "\r", "")))
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s %s: no licence is found in %s", m.Path, m.Version, m.Dir)
	}
	return texts, nil
}

func sorted(set map[string]bool) []string {
	var list []string
	for s := range set {
		list = append(list, s)
	}
	sort.Strings(list)
	return list
}
