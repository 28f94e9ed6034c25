package find

import (
	"slices"
	"strings"
)

// How well a name fits, the best first.
const (
	whole  = iota // it is the name
	begins        // the name begins so
	inside        // words in the name begin so
	within        // it occurs in the name
	not
)

// fit says how well a folded name fits folded words, all of which must occur.
func fit(name string, words []string) int {
	if len(words) == 1 && name == words[0] {
		return whole
	}
	worst, length := begins, len(words)-1
	for i, w := range words {
		length += len(w)
		at := strings.Index(name, w)
		switch {
		case at < 0:
			return not
		case i == 0 && at == 0:
		case at == 0 || name[at-1] == ' ' || name[at-1] == '-':
			worst = max(worst, inside)
		default:
			worst = max(worst, within)
		}
	}
	if length == len(name) && strings.Join(words, " ") == name {
		return whole
	}
	return worst
}

// ranked gathers the best of many.
type ranked struct {
	limit int
	by    [not][]Result
}

func (r *ranked) add(fit int, result func() Result) {
	if len(r.by[fit]) < r.limit {
		r.by[fit] = append(r.by[fit], result())
	}
}

func (r *ranked) best() []Result {
	all := slices.Concat(r.by[:]...)
	return all[:min(len(all), r.limit)]
}

func (n *Names) named(words []string, limit int) []Result {
	r := ranked{limit: limit}
	for i, key := range n.keys {
		if f := fit(key, words); f < not {
			r.add(f, func() Result { return Result{Kind: Trip, Name: n.ids[i]} })
		}
	}
	return r.best()
}

func (b *Book) streetsNamed(words []string, limit int) []Result {
	r := ranked{limit: limit}
	for _, s := range b.streets {
		if f := fit(s.key, words); f < not {
			r.add(f, func() Result { return b.on(Result{Kind: Street, Name: s.name, Bounds: s.bounds}, s.line) })
		}
	}
	return r.best()
}
