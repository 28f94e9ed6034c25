package ort

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"retrace/engine/device"
)

// provider is what the library calls a device's provider in its profiles.
func provider(of device.Name) string {
	switch of {
	case device.CUDA:
		return "CUDAExecutionProvider"
	case device.WebGPU:
		return "WebGpuExecutionProvider"
	case device.DirectML:
		return "DmlExecutionProvider"
	case device.CoreML:
		return "CoreMLExecutionProvider"
	}
	return "CPUExecutionProvider"
}

// event is one entry of a profile.
type event struct {
	Category string `json:"cat"`
	Name     string `json:"name"`
	Args     struct {
		Operator string `json:"op_name"`
		Provider string `json:"provider"`
	} `json:"args"`
}

// readProfile reads the profile whose name begins so: how many operators ran on
// a device, and which elsewhere.
func readProfile(prefix string, on device.Name) (nodes int, strays []string, err error) {
	found, err := filepath.Glob(prefix + "*.json")
	if err != nil || len(found) != 1 {
		return 0, nil, fmt.Errorf("the library wrote %d profiles, %v", len(found), err)
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return 0, nil, err
	}
	var events []event
	if err := json.Unmarshal(text, &events); err != nil {
		return 0, nil, fmt.Errorf("the profile of the library cannot be read: %w", err)
	}
	seen := map[string]bool{}
	for _, e := range events {
		if e.Category != "Node" || e.Args.Provider == "" || seen[e.Name] {
			continue
		}
		seen[e.Name] = true
		if e.Args.Provider == provider(on) {
			nodes++
		} else {
			strays = append(strays, e.Args.Operator)
		}
	}
	slices.Sort(strays)
	return nodes, strays, nil
}
