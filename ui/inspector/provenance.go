package inspector

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"retrace/engine/trajectory"
	"retrace/ui/kit"
	"retrace/ui/words"
)

// provenance says how a recovery was made: by what, on which network, with which
// settings, on which device.
func provenance(r *trajectory.Recovery) fyne.CanvasObject {
	p := r.Provenance
	facts := []kit.Fact{{Name: lang.L("Method"), Value: words.Method(p.Method)}}
	if p.Model != "" {
		facts = append(facts, kit.Fact{Name: lang.L("Model"), Value: words.Model(p.Model)})
	}
	for _, s := range []struct{ key, name string }{{"decoder", lang.L("Decoder")}, {"tick", lang.L("A point every")}} {
		if v := setting(p.Settings, s.key); v != "" {
			facts = append(facts, kit.Fact{Name: s.name, Value: v})
		}
	}
	facts = append(facts, kit.Fact{Name: lang.L("Device"), Value: p.Device},
		kit.Fact{Name: lang.L("Network"), Value: strings.TrimSpace(p.Network + " " + p.Fingerprint[:min(len(p.Fingerprint), 12)])})
	if p.Version != "" {
		facts = append(facts, kit.Fact{Name: lang.L("Version"), Value: p.Version})
	}
	return part(lang.L("How it was recovered"), kit.NewFacts(facts))
}

// setting is a value in the canonical text of settings, empty where there is
// none.
func setting(text, key string) string {
	for _, field := range strings.Fields(text) {
		if v, ok := strings.CutPrefix(field, key+"="); ok {
			return v
		}
	}
	return ""
}
