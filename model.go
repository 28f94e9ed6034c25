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
	folder, err := userdata.Folder()
	if err != nil {
		return nil, err
	}
	return &ort.Models{
		BuiltIn: files,
		Folders: []string{folder},
		Memory:  device.Memory{Path: filepath.Join(folder, "devices.json")},
		Version: versionText(),
	}, nil
}
