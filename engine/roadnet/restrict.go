package roadnet

func (b *Builder) restrict(n *Network, report *BuildReport) {}
