package command

import (
	"fmt"
	"strings"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory/write"
)

// aboutFlag is for commands that write to standard output, where a table has no
// place for what it is.
type aboutFlag struct {
	About string `placeholder:"FILE.json" help:"With - as output: write here what its columns are and where it comes from, which is told on standard error as well."`
}

// stream writes a layer to standard output as CSV. Comments in it would break
// most readers, so where it comes from goes to standard error, and to the file
// that is asked for.
func (s *session) stream(layer write.Layer, net *roadnet.Network, about write.About, aboutFile string) (write.Writer, error) {
	if !s.globals.Quiet {
		var parts []string
		for _, m := range about.Members() {
			parts = append(parts, fmt.Sprintf("%s: %s", strings.ReplaceAll(m[0], "_", " "), m[1]))
		}
		s.note("retrace: %s", strings.Join(parts, "; "))
	}
	if aboutFile != "" {
		if err := write.Describe(aboutFile, layer, about); err != nil {
			return nil, err
		}
	}
	return write.StreamCSV(s.stdout, layer, net), nil
}
