package main

import (
	"encoding/json"

	"retrace/internal/atomicfile"
)

// bill tells of what parts a package is made.
type bill struct{ version, runtime, system string }

// component is a part as CycloneDX names it.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Purl    string `json:"purl"`
}

// sbom is the part of CycloneDX 1.5 that is written.
type sbom struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

// write writes the bill of the program at root.
func (b bill) write(root, file string) error {
	all, err := modules(root, "GOOS="+b.system)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(b.of(all), "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(file, append(text, '\n'))
}

// of puts the parts together: Go modules, and the library that models run in.
func (b bill) of(all []module) sbom {
	s := sbom{Format: "CycloneDX", Spec: "1.5", Version: 1}
	s.Metadata.Component = component{"application", "Retrace", b.version, "pkg:generic/retrace@" + b.version}
	for _, m := range all {
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		if m.Path == "Go" {
			purl = "pkg:golang/std@" + m.Version
		}
		s.Components = append(s.Components, component{"library", m.Path, m.Version, purl})
	}
	s.Components = append(s.Components, component{"library", "onnxruntime-node", b.runtime, "pkg:npm/onnxruntime-node@" + b.runtime})
	return s
}
