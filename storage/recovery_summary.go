package storage

import "retrace/engine/trajectory"

// RecoveryState says whether a recovery still fits its network.
type RecoveryState uint8

// The states of a recovery.
const (
	Current        RecoveryState = iota // made on the network as it is now
	Stale                               // the network of this name has changed since
	WithoutNetwork                      // the network is no longer there
)

// String is the state in a word.
func (s RecoveryState) String() string {
	switch s {
	case Current:
		return "current"
	case Stale:
		return "stale"
	}
	return "without network"
}

// RecoverySummary is what a list shows of a recovery.
type RecoverySummary struct {
	Trajectory, Method   string
	Network, Fingerprint string // that it was made on
	State                RecoveryState
	Start, End           int64   // of the ticks, Unix milliseconds
	Ticks, Parts         int     // counts
	Length               float64 // metres driven, to the millimetre
	LowestProbability    float32 // of the ticks; 1 where there is none
	Elevated             float64 // metres driven on a deck, to the millimetre
	UncertainTicks       int     // where deck against ground is in doubt
	SkippedSamples       int     // off the road or outliers
	Warnings             int
}

// summarizeRecovery is what a list shows of a recovery; its State is not known
// from it alone.
func summarizeRecovery(r *trajectory.Recovery) RecoverySummary {
	p := r.Provenance
	s := RecoverySummary{Trajectory: r.Trajectory, Method: p.Method, Network: p.Network, Fingerprint: p.Fingerprint,
		Ticks: len(r.Ticks), Parts: len(r.Parts), LowestProbability: 1, Warnings: len(r.Warnings)}
	if n := len(r.Ticks); n > 0 {
		s.Start, s.End = r.Ticks[0].Time, r.Ticks[n-1].Time
	}
	for i, t := range r.Ticks {
		s.LowestProbability = min(s.LowestProbability, t.Probability)
		if t.Uncertain() {
			s.UncertainTicks++
		}
		if i+1 == len(r.Ticks) || r.Ticks[i+1].Part != t.Part {
			s.Length += t.Along // the last tick of a part has come all its way
		}
	}
	for _, m := range r.Matches {
		if m.State == trajectory.OffRoad || m.State == trajectory.Outlier {
			s.SkippedSamples++
		}
	}
	for _, span := range r.Spans {
		if span.Kind == trajectory.OnDeck {
			s.Elevated += span.To - span.From
		}
	}
	return s
}

func encodeRecoverySummary(s RecoverySummary) ([]byte, error) {
	e := &encoder{}
	for _, t := range []string{s.Trajectory, s.Method, s.Network, s.Fingerprint} {
		e.text(t)
	}
	e.int(s.Start)
	e.int(s.End - s.Start)
	for _, n := range []int{s.Ticks, s.Parts, s.UncertainTicks, s.SkippedSamples, s.Warnings} {
		e.uint(uint64(n))
	}
	e.metres("length", s.Length)
	e.metres("elevated length", s.Elevated)
	e.share("probability", s.LowestProbability)
	return e.b, e.err
}

func decodeRecoverySummary(b []byte) (RecoverySummary, error) {
	d := &decoder{b: b}
	var s RecoverySummary
	for _, t := range []*string{&s.Trajectory, &s.Method, &s.Network, &s.Fingerprint} {
		*t = d.text()
	}
	s.Start = d.int()
	s.End = s.Start + d.int()
	for _, n := range []*int{&s.Ticks, &s.Parts, &s.UncertainTicks, &s.SkippedSamples, &s.Warnings} {
		*n = int(d.uint())
	}
	s.Length = d.metres()
	s.Elevated = d.metres()
	s.LowestProbability = d.share()
	return s, d.end()
}

// fingerprints maps the names of the networks to what they are now.
func (w *Workspace) fingerprints() (map[string]string, error) {
	infos, err := w.Networks()
	m := make(map[string]string, len(infos))
	for _, i := range infos {
		m[i.Name] = i.Fingerprint
	}
	return m, err
}

// stateOn tells whether the recovery fits the network of its name.
func (s RecoverySummary) stateOn(networks map[string]string) RecoveryState {
	f, ok := networks[s.Network]
	if f == s.Fingerprint {
		return Current
	}
	for _, other := range networks {
		if other == s.Fingerprint {
			return Current // it has another name now
		}
	}
	if !ok {
		return WithoutNetwork
	}
	return Stale
}
