// Package bundle reads models as they are shipped: a folder with a manifest.json,
// the graphs as ONNX files, and golden vectors, which are answers of PyTorch that
// a device is tested by. All is checked before anything runs: layout, schema of
// the features, SHA-256, opset, and that every weight is a number.
package bundle
