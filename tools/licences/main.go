// Command licences writes assets/licences.txt: the licence of every Go module
// that the program is built from, on every system, and of the other parts.
//
// usage: go run ./tools/licences
//
// With -sbom it writes instead which parts a package for one system is made of, as
// CycloneDX JSON: go run ./tools/licences -sbom sbom.json -version 1.2.3 -runtime 1.27.0 -system linux
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"retrace/internal/atomicfile"
)

func main() {
	var b bill
	sbom := flag.String("sbom", "", "file to write the parts to")
	flag.StringVar(&b.version, "version", "", "version of Retrace")
	flag.StringVar(&b.runtime, "runtime", "", "version of ONNX Runtime")
	flag.StringVar(&b.system, "system", "linux", "system that the package is for, as Go names it")
	flag.Parse()
	err := error(nil)
	if *sbom != "" {
		err = b.write(".", *sbom)
	} else {
		err = run(".")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	var all []module
	for _, system := range []string{"linux", "windows", "darwin"} {
		found, err := modules(root, "GOOS="+system)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	text, err := write(all, filepath.Join(root, "tools", "licences", "others"))
	if err != nil {
		return err
	}
	f, err := atomicfile.Create(filepath.Join(root, "assets", "licences.txt"))
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write([]byte(text)); err != nil {
		return err
	}
	return f.Commit()
}
