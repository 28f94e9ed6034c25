package roadnet

import "fmt"

// FromColumns makes a network from the columns of another. It checks every
// index and number, so that no column, however damaged, can make a later call
// fail; the error names the column. Bounds, Segments and Nodes of info are
// filled in; its Fingerprint is taken as it is. The columns must not be
// modified afterwards.
func FromColumns(info Info, cols []Column) (*Network, error) {
	c, err := columnsFrom(cols)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, fmt.Errorf("network %s: %w", info.Name, err)
	}
	n := &Network{info: info, columns: *c}
	n.derive()
	return n, nil
}
