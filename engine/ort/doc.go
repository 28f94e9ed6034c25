// Package ort runs ONNX models through ONNX Runtime, a library that is loaded
// when it is first needed. It is the only package that knows of it: a missing
// library, a device that refuses and a model that cannot be loaded become plain
// errors, and the program goes on without.
//
// ONNX Runtime keeps one environment a process, so there is at most one
// [Runtime] at a time.
package ort
