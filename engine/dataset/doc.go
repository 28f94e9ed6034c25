// Package dataset turns trips with known truth into the tensors that a model is
// trained on. The features come from engine/feature, the very code that runs in
// the application; this package adds the targets and writes NumPy files.
//
// A data set is a folder of shards and a manifest.json. Each shard is a folder
// of .npy files that hold whole trips one after another, as flat arrays with
// offsets: the samples of trip i are sample_start[i] to sample_start[i+1], the
// gaps of a trip are one fewer than its samples, the candidates of sample s are
// candidate_start[s] to candidate_start[s+1], and so on. The manifest says how
// wide the rows are (the schema), how the trips were thinned, from which
// networks they come, and the SHA-256 of each file. With times alone no sample has
// a candidate and no gap a route.
//
// The same trips, networks, settings and seed make the same bytes.
package dataset
