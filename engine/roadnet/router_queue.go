package roadnet

// queue is a four-ary heap of states by key. Of two equal keys the lower state
// comes first, so that a search has one order only.
type queue []queued

type queued struct {
	key, cost float64 // cost to the state, and with the least that is still to come
	state     State
}

func (a queued) before(b queued) bool {
	return a.key < b.key || a.key == b.key && a.state < b.state
}

func (q *queue) push(item queued) {
	h := append(*q, item)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !item.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = item
	*q = h
}

func (q *queue) pop() queued {
	h := *q
	top := h[0]
	last := h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= len(h) {
			break
		}
		for c := least + 1; c < min(4*i+5, len(h)); c++ {
			if h[c].before(h[least]) {
				least = c
			}
		}
		if !h[least].before(last) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return top
}
