// Package citymodel recovers by the systems that the paper compares in their own
// form: their tables belong to one network and its grid, and they run on no other.
// They are MTrajRec (Ren et al., KDD 2021), t2vec with its decoder (Li et al., ICDE
// 2018) and RNTrajRec in the paper's form; all share MTrajRec's decoder.
//
// A system walks over the ticks of a trip and takes the best segment at each
// (greedy), which the mask c (eq. 24) holds to the candidates of the sample at a
// tick with one. Nothing tells it what can be reached, so that its ticks need not be
// connected: the cheapest way between each two is what is drawn.
package citymodel
