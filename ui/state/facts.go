package state

import "retrace/engine/trajectory/facts"

// Facts is what lists and the inspector say of a trip.
type Facts = facts.Facts
