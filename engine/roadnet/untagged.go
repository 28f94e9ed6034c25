package roadnet

// Untagged is the same network as it would be without any tag but those of
// direction: no classes, limits, lanes, layers, names or controls, as many
// networks come. Segments, nodes and turns keep their numbers.
func (n *Network) Untagged() *Network {
	c := n.columns
	lines := len(c.lineWay)
	c.class, c.flags, c.layer, c.lanes = make([]uint8, lines), make([]uint32, lines), make([]int8, lines), make([]uint8, lines)
	c.limitF, c.limitB = make([]uint8, lines), make([]uint8, lines)
	c.name, c.ref = make([]uint32, lines), make([]uint32, lines)
	c.vertFlg = make([]uint16, len(c.vertFlg))
	c.textStart, c.text = []uint32{0, 0}, ""
	c.stretchDeck, c.stretchGround, c.stretchPlace = nil, nil, nil
	u := &Network{info: n.info, columns: c}
	u.info.Fingerprint = fingerprint(&u.columns)
	u.derive()
	return u
}
