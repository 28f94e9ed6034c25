package write

import (
	"slices"
	"strings"

	"retrace/engine/trajectory"
)

// Add adds what a recovery says of how it was made. An output of recoveries that
// were made in several ways names each.
func (a *About) Add(r *trajectory.Recovery) {
	a.Gaps = a.Gaps || len(r.Doubts) > 0
	a.Method = among(a.Method, r.Provenance.Method)
	a.Model = among(a.Model, r.Provenance.Model)
	a.Settings = among(a.Settings, r.Provenance.Settings)
	a.Alternatives = a.Alternatives || len(r.Alternatives) > 0
}

// Between what an output names several of.
const (
	several     = " | "
	mostSeveral = 8
	andMore     = "and more"
)

// among adds a text to a list of different ones.
func among(list, one string) string {
	if list == "" || one == "" {
		return list + one
	}
	all := strings.Split(list, several)
	switch {
	case slices.Contains(all, one), all[len(all)-1] == andMore:
		return list
	case len(all) == mostSeveral:
		one = andMore
	}
	return list + several + one
}

// Members are the names and values of all that is known of where recoveries come
// from, in the words of the files.
func (a About) Members() [][2]string {
	all := [][2]string{
		{"generator", strings.TrimSpace("Retrace " + a.Version)},
		{"method", a.Method},
		{"model", a.Model},
		{"settings", a.Settings},
		{"network", a.Network.Name},
		{"network_fingerprint", a.Network.Fingerprint},
		{"network_data_date", a.Network.DataDate},
		{"attribution", a.Network.Attribution},
	}
	return slices.DeleteFunc(all, func(m [2]string) bool { return m[1] == "" })
}

// text is the same in one line; empty where no more is known than the program.
func (a About) text() string {
	var parts []string
	for _, m := range a.Members() {
		parts = append(parts, strings.ReplaceAll(m[0], "_", " ")+": "+m[1])
	}
	if len(parts) == 1 {
		return ""
	}
	return strings.Join(parts, "; ")
}
