package city

import "math/rand/v2"

// avenueName is the name of avenue i.
func avenueName(i int) string {
	return []string{"Lighthouse Avenue", "Kingfisher Avenue", "North Avenue", "Observatory Avenue", "Harbour Avenue",
		"Orchard Avenue", "South Bridge Avenue", "Island Avenue", "Meridian Avenue"}[i]
}

// names hands out street names, each once.
type names struct {
	left []string
	next int
}

// stem is the name of a wood.
func (n *names) stem(i int) string {
	return []string{"Hawthorn", "Rowan", "Heron", "Otter", "Juniper", "Raven", "Linden", "Fern", "Lark", "Elm", "Moss", "Birch"}[i%12]
}

func newNames(rng *rand.Rand) *names {
	stems := []string{"Alder", "Amber", "Anchor", "Apple", "Ash", "Barley", "Beacon", "Bell", "Birch", "Bramble",
		"Brook", "Cedar", "Chapel", "Cherry", "Clay", "Clover", "Cooper", "Copper", "Coral", "Crane", "Crescent",
		"Dove", "Elm", "Falcon", "Fern", "Ferry", "Field", "Finch", "Fountain", "Garden", "Glass", "Granite", "Grove",
		"Harvest", "Hawthorn", "Hazel", "Heron", "Hill", "Holly", "Iris", "Ivory", "Juniper", "Lantern", "Lark",
		"Laurel", "Lavender", "Lily", "Linden", "Magnolia", "Maple", "Marble", "Meadow", "Mill", "Mint", "Moss",
		"Mulberry", "Oak", "Olive", "Orchid", "Otter", "Pearl", "Pine", "Plum", "Poplar", "Quarry", "Raven", "Reed",
		"River", "Robin", "Rope", "Rose", "Rowan", "Saddle", "Sage", "Sail", "Salt", "Silver", "Sparrow", "Spring",
		"Star", "Stone", "Swan", "Tanner", "Thistle", "Timber", "Tower", "Tulip", "Valley", "Vine", "Violet", "Walnut",
		"Weaver", "Well", "Willow", "Wind", "Wren"}
	kinds := []string{"Street", "Road", "Lane", "Way", "Row", "Terrace", "Place", "Walk", "Hill", "Gate"}
	n := &names{}
	for _, stem := range stems {
		for _, kind := range kinds {
			n.left = append(n.left, stem+" "+kind)
		}
	}
	rng.Shuffle(len(n.left), func(i, j int) { n.left[i], n.left[j] = n.left[j], n.left[i] })
	return n
}

// street is a name that no street has yet, or none when all are given.
func (n *names) street() string {
	if n.next >= len(n.left) {
		return ""
	}
	n.next++
	return n.left[n.next-1]
}
