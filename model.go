package main

import (
	"path/filepath"

	"retrace/assets"
	"retrace/engine/device"
	"retrace/engine/ort"
	"retrace/internal/userdata"
)

// newModels are the models that the program recovers by. The library that they
// run in lies beside the program or in the user's data folder.
func newModels() (*ort.Models, error) {
	files, err := assets.Model(assets.DefaultModel)
	if err != nil {
		return nil, err
	}
	m := &ort.Models{BuiltIn: files, Version: versionText()}
	if folder, err := userdata.Folder(); err == nil { // else nothing is remembered, and the library lies beside the program
		m.Folders, m.Memory = []string{folder}, device.Memory{Path: filepath.Join(folder, "devices.json")}
	}
	return m, nil
}
