package main

import (
	"path/filepath"

	"retrace/assets"
	"retrace/engine/device"
	"retrace/engine/ort"
	"retrace/internal/userdata"
)

// newModels are the models that the program recovers by. The library that they
// run in lies beside the program, in the user's data folder, or where make
// onnxruntime puts it.
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
		Folders: []string{folder, filepath.Join(".cache", "onnxruntime")},
		Memory:  device.Memory{Path: filepath.Join(folder, "devices.json")},
		Version: versionText(),
	}, nil
}
