package main

import (
	"fmt"
	"io/fs"
	"os"

	"retrace/assets"
	"retrace/engine"
	"retrace/engine/ort"
)

// openModel loads the bundle of a folder, or the one built in where none is
// named, on the CPU. What it loads stays until the program ends.
func openModel(folder string) (*engine.Model, error) {
	bundle, err := readBundle(folder)
	if err != nil {
		return nil, err
	}
	library, err := ort.Library(".cache/onnxruntime")
	if err != nil {
		return nil, fmt.Errorf("%w (make onnxruntime installs it)", err)
	}
	runtime, err := ort.Open(library)
	if err != nil {
		return nil, err
	}
	model, err := bundle.Load(runtime, ort.CPU, 1)
	if err != nil {
		return nil, err
	}
	return &engine.Model{Name: bundle.Manifest.Name, Device: func() string { return string(ort.CPU) }, Lost: func() error { return nil }, Scorer: model, Routes: bundle.Manifest.Features.Routes}, nil
}

func readBundle(folder string) (*ort.Bundle, error) {
	var files fs.FS = os.DirFS(folder)
	if folder == "" {
		var err error
		if files, err = assets.Model(assets.DefaultModel); err != nil {
			return nil, err
		}
	}
	return ort.ReadBundle(files)
}
