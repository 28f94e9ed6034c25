package find

import "strings"

// Doable is something that the user can do now, by the name that menus give it.
type Doable struct{ ID, Name, Key string }

// onlyCommands begins a text that names nothing but what can be done.
const onlyCommands = ">"

// commands are those whose names fit a text.
func commands(text string, all []Doable, limit int) []Result {
	words := strings.Fields(fold(strings.TrimPrefix(strings.TrimSpace(text), onlyCommands)))
	r := ranked{limit: limit}
	for _, d := range all {
		if f := fit(fold(d.Name), words); f < not {
			r.add(f, func() Result { return Result{Kind: Command, Name: d.Name, ID: d.ID, Key: d.Key} })
		}
	}
	return r.best()
}
