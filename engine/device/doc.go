// Package device finds out what models can run on. Every device is probed in a
// process of its own, so that a driver that crashes, hangs or answers wrongly
// costs that device and nothing else; what was found is remembered until the
// library, the driver or the model changes.
//
// It knows no runtime: package ort answers the probe in the child process.
package device
