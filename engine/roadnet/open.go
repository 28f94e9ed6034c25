package roadnet

// FromColumns makes a network from the columns of another. It checks every
// index and number; the error names the column. Bounds, Segments and Nodes of
// info are filled in.
func FromColumns(info Info, cols []Column) (*Network, error) {
	c, err := columnsFrom(cols)
	if err != nil {
		return nil, err
	}
	n := &Network{info: info, columns: *c}
	n.derive()
	return n, nil
}
