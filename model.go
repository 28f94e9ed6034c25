package main

import (
	"os"

	"retrace/engine"
	"retrace/engine/ort"
)

// openModel loads the bundle of a folder on the CPU. What it loads stays until
// the program ends.
func openModel(folder string) (*engine.Model, error) {
	bundle, err := ort.ReadBundle(os.DirFS(folder))
	if err != nil {
		return nil, err
	}
	library, err := ort.Library(".cache/onnxruntime")
	if err != nil {
		return nil, err
	}
	runtime, err := ort.Open(library)
	if err != nil {
		return nil, err
	}
	model, err := bundle.Load(runtime, ort.CPU, 1)
	if err != nil {
		return nil, err
	}
	return &engine.Model{Name: bundle.Manifest.Name, Device: string(ort.CPU), Scorer: model, Routes: bundle.Manifest.Features.Routes}, nil
}
