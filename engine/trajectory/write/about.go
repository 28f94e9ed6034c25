package write

import "strings"

// members are the names and values of all that is known of where recoveries
// come from.
func (a About) members() [][2]string {
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
	var known [][2]string
	for _, m := range all {
		if m[1] != "" {
			known = append(known, m)
		}
	}
	return known
}

// text is the same in one line; empty where no more is known than the program.
func (a About) text() string {
	var parts []string
	for _, m := range a.members() {
		parts = append(parts, strings.ReplaceAll(m[0], "_", " ")+": "+m[1])
	}
	if len(parts) == 1 {
		return ""
	}
	return strings.Join(parts, "; ")
}

// Members are the names and values of all that is known of where recoveries come
// from, in the words of the files.
func (a About) Members() [][2]string { return a.members() }
