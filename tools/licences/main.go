// Command licences writes assets/licences.txt: the licence of every Go module
// that the program is built from, on every system, and of the other parts.
//
// usage: go run ./tools/licences
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"retrace/internal/atomicfile"
)

func main() {
	if err := run("."); err != nil {
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
