// Package foreign installs the other programs that Retrace is measured against,
// below a folder of the caller's and nowhere else.
package foreign

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The versions that are compared with.
const (
	ValhallaVersion    = "3.9.1"
	GraphHopperVersion = "10.2"
)

// Quiet runs a command in a folder and returns what it said only where it fails.
func Quiet(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// Valhalla installs pyvalhalla into an environment of its own below cache and
// returns the folder with Python and with Valhalla's programs. Wheels are there
// for recent versions of Python only, so several are tried.
func Valhalla(ctx context.Context, cache string) (bin, programs string, err error) {
	home := filepath.Join(cache, "valhalla")
	find := func() bool {
		tools, _ := filepath.Glob(filepath.Join(home, "lib", "python3*", "site-packages", "valhalla", "bin", "valhalla_build_tiles"))
		if len(tools) == 0 {
			return false
		}
		bin, programs = filepath.Join(home, "bin"), filepath.Dir(tools[0])
		return true
	}
	err = fmt.Errorf("valhalla: no python3")
	for _, python := range []string{"python3.13", "python3.12", "python3"} {
		if find() {
			return bin, programs, nil
		}
		if err = Quiet(ctx, "", python, "-m", "venv", "--clear", home); err == nil {
			err = Quiet(ctx, "", filepath.Join(home, "bin", "pip"), "install", "--only-binary", ":all:", "pyvalhalla=="+ValhallaVersion)
		}
	}
	if find() {
		return bin, programs, nil
	}
	return "", "", err
}

// graphHopperPOM names what Maven is to fetch.
const graphHopperPOM = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>bench</groupId><artifactId>bench</artifactId><version>1</version>
<dependencies><dependency><groupId>com.graphhopper</groupId><artifactId>graphhopper-map-matching</artifactId>
<version>` + GraphHopperVersion + `</version></dependency></dependencies></project>`

// GraphHopper fetches the libraries into cache, compiles a program that uses
// them into work and returns the class path that it runs with.
func GraphHopper(ctx context.Context, cache, work, name string, source []byte) (classes string, err error) {
	home := filepath.Join(cache, "graphhopper")
	lib := filepath.Join(home, "lib", "*")
	if jars, _ := filepath.Glob(filepath.Join(home, "lib", "graphhopper-core-*.jar")); len(jars) == 0 {
		if err := os.MkdirAll(home, 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(home, "pom.xml"), []byte(graphHopperPOM), 0o644); err != nil {
			return "", err
		}
		if err := Quiet(ctx, home, "mvn", "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=lib"); err != nil {
			return "", err
		}
	}
	file := filepath.Join(work, name+".java")
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return "", err
	}
	if err := Quiet(ctx, "", "javac", "-cp", lib, "-d", work, file); err != nil {
		return "", err
	}
	return lib + string(os.PathListSeparator) + work, nil
}
