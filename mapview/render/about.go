package render

import (
	"slices"
	"time"
)

// Field is a word that a file of a picture carries on where the picture comes
// from.
type Field struct{ Name, Value string }

// The names of the fields of [Provenance].
const (
	FieldTitle       = "Title"
	FieldSoftware    = "Software"
	FieldDate        = "Creation Time" // RFC 3339
	FieldCopyright   = "Copyright"
	FieldNetwork     = "Network"
	FieldFingerprint = "Fingerprint" // of the network
	FieldData        = "Data"        // date and source of the map's data
	FieldMethod      = "Method"      // of a recovery that is drawn
	FieldModel       = "Model"       // name and hash of its model's bundle
	FieldSettings    = "Settings"    // that it was recovered with
)

// Provenance is what a picture of a scene should carry: network, date,
// fingerprint and what recovered what it shows. Fields without a value are left
// out; methods and models come once each.
func Provenance(s *Scene, software string, at time.Time) []Field {
	var fields []Field
	add := func(name, value string) {
		if f := (Field{name, value}); value != "" && !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	add(FieldSoftware, software)
	add(FieldDate, at.UTC().Format(time.RFC3339))
	if s.Network != nil {
		info := s.Network.Info()
		add(FieldTitle, info.Name)
		add(FieldCopyright, info.Attribution)
		add(FieldNetwork, info.Name)
		add(FieldFingerprint, info.Fingerprint)
		add(FieldData, joined(info.DataDate, info.Source))
	}
	for _, t := range s.Trips {
		if t.Kept != nil && t.Kept.Finding != nil {
			made := t.Kept.Finding.Provenance()
			add(FieldMethod, made.Method)
			add(FieldModel, made.Model)
			add(FieldSettings, made.Settings)
		}
		if t.Recovery != nil {
			add(FieldMethod, t.Recovery.Provenance.Method)
			add(FieldModel, t.Recovery.Provenance.Model)
			add(FieldSettings, t.Recovery.Provenance.Settings)
		}
	}
	if c := s.Comparison; c != nil {
		for _, v := range []Version{c.A, c.B} {
			if v.Recovery != nil {
				add(FieldMethod, v.Recovery.Provenance.Method)
				add(FieldModel, v.Recovery.Provenance.Model)
				add(FieldSettings, v.Recovery.Provenance.Settings)
			}
		}
	}
	return fields
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// Times is the viewport drawn finer, or coarser: f times as many image pixels
// for the same logical ones.
func (v Viewport) Times(f float64) Viewport {
	v.Width, v.Height = int(float64(v.Width)*f+0.5), int(float64(v.Height)*f+0.5)
	v.Scale *= f
	return v
}
