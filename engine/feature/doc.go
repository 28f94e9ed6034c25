// Package feature makes everything that a model sees of a road network and a
// trajectory. It is the only author of features: the application and the data
// sets for training run the same code.
//
// Features are flat float32 or int32 slices in row-major order. A [Schema]
// names every tensor, its axes and its columns; docs/features.md lists them and
// what making them takes. It travels with a data set and with a bundle of models,
// and a reader that meets another schema refuses it.
//
// Values are scaled to about -1 to 1. What is not known has a value of its
// own: each column says which (Unknown), so that training can drop what some
// networks do not tell.
//
// # The paper's symbols
//
// RNTrajRec (Chen et al., "RNTrajRec: Road Network Enhanced Trajectory
// Recovery with Spatial-Temporal Transformer") names things in symbols:
//
//	e, V          segment, all segments of the network
//	S_i, phi_i    the grid cells that segment i passes, their number (eq. 2): [Network.Cells]
//	f_r           static features of a segment: [Network.Roads]
//	N_i           neighbours of a segment (eq. 5): [Network.Successors], [Network.Predecessors]
//	p, tau        sample, trajectory
//	delta         radius of a sub-graph, metres: [Settings.Delta]
//	gamma         scale of a sub-graph's weights, metres (eq. 7): [Settings.Gamma]
//	V_tau,i       segments of the sub-graph of sample i: [Points.Segments]
//	W_tau,i       their weights (eq. 7): [Points.Weights]
//	E_tau,i       their connections: [Points.SubSuccessors], [Points.SubPredecessors]
//	f_t           environment: hour of the day and holiday: [Environment]
//	beta          scale of the constraint mask, metres (eq. 24)
//	c             constraint mask (eq. 24)
//	epsilon       interval of a trajectory: the gap between samples, the tick between recovered points
//	r             ratio along a segment
package feature
