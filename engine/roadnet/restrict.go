package roadnet

import (
	"cmp"
	"slices"
)

// Bounds on what one restriction can stand for, so that a hostile one stays
// harmless. Real ones have a handful of members and segments.
const (
	maxMemberPairs  = 64  // from and to members
	maxPathSegments = 32  // segments from the from member to the to member
	maxPathSteps    = 500 // segments looked at on the way
)

// restrict applies the restrictions to a network that has lines and nodes.
func (b *Builder) restrict(n *Network, report *BuildReport) {
	n.numberSegments()
	n.nameNodes()
	if len(b.restrictions) == 0 {
		return
	}
	slices.SortFunc(b.restrictions, compareRestrictions)
	rule := newRuleBook(n, b.restrictions)
	for _, r := range b.restrictions {
		switch rule.apply(r) {
		case resolved:
			report.Restrictions++
		case ambiguous:
			report.AmbiguousRestrictions.add(r.ID)
		default:
			report.UnresolvedRestrictions.add(r.ID)
		}
	}
	rule.write(&n.columns)
}

// compareRestrictions orders restrictions by all they say.
func compareRestrictions(a, b Restriction) int {
	only := func(r Restriction) int {
		if r.Only {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(a.ID, b.ID), cmp.Compare(only(a), only(b)), cmp.Compare(a.ViaNode, b.ViaNode),
		slices.Compare(a.From, b.From), slices.Compare(a.ViaWays, b.ViaWays), slices.Compare(a.To, b.To),
	)
}

// ruleBook gathers what the restrictions forbid.
type ruleBook struct {
	finder pathFinder
	turns  [][2]uint32
	paths  [][]uint32
	only   map[string]*onlyRule // by the segments driven so far
}

// onlyRule is what may follow after some segments.
type onlyRule struct {
	driven  []SegmentID
	allowed []SegmentID
}

func newRuleBook(n *Network, restrictions []Restriction) *ruleBook {
	return &ruleBook{finder: newPathFinder(n, restrictions), only: make(map[string]*onlyRule)}
}

// apply takes in a restriction. One with several members is resolved if any
// pair of them is.
func (b *ruleBook) apply(r Restriction) resolution {
	best := unresolved
	if len(r.From)*len(r.To) > maxMemberPairs {
		return best
	}
	for _, from := range r.From {
		for _, to := range r.To {
			paths, how := b.finder.find(r, from, to)
			best = max(best, how)
			for _, p := range paths {
				if r.Only {
					b.allow(p)
				} else {
					b.forbid(p)
				}
			}
		}
	}
	return best
}

// forbid forbids a path.
func (b *ruleBook) forbid(path []SegmentID) {
	if len(path) == 2 {
		b.turns = append(b.turns, [2]uint32{uint32(path[0]), uint32(path[1])})
		return
	}
	p := make([]uint32, len(path))
	for i, s := range path {
		p[i] = uint32(s)
	}
	b.paths = append(b.paths, p)
}

// allow makes a path the only one: at each of its segments nothing but the
// next may follow. Several restrictions from one segment allow all they name.
func (b *ruleBook) allow(path []SegmentID) {
	for i := 1; i < len(path); i++ {
		key := pathKey(path[:i])
		rule := b.only[key]
		if rule == nil {
			rule = &onlyRule{driven: path[:i:i]}
			b.only[key] = rule
		}
		rule.allowed = append(rule.allowed, path[i])
	}
}

// pathKey makes segments the key of a map.
func pathKey(path []SegmentID) string {
	key := make([]byte, 0, 4*len(path))
	for _, s := range path {
		key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
	}
	return string(key)
}

// forbidOthers forbids all that an only rule does not allow. A U-turn counts
// as a turn of the first segment; on a via way it is in nobody's mind.
func (b *ruleBook) forbidOthers(rule *onlyRule) {
	last := rule.driven[len(rule.driven)-1]
	for _, out := range b.finder.after(last) {
		back := b.finder.net.segLine[last]^b.finder.net.segLine[out] == 1
		if slices.Contains(rule.allowed, out) || (back && len(rule.driven) > 1) {
			continue
		}
		b.forbid(append(slices.Clone(rule.driven), out))
	}
}

// write fills the columns of forbidden turns and paths.
func (b *ruleBook) write(c *columns) {
	for _, rule := range b.only {
		b.forbidOthers(rule)
	}
	slices.SortFunc(b.turns, func(x, y [2]uint32) int { return slices.Compare(x[:], y[:]) })
	for _, t := range slices.Compact(b.turns) {
		c.turnFrom, c.turnTo = append(c.turnFrom, t[0]), append(c.turnTo, t[1])
	}
	slices.SortFunc(b.paths, slices.Compare[[]uint32])
	for _, p := range slices.CompactFunc(b.paths, slices.Equal[[]uint32]) {
		c.pathSeg = append(c.pathSeg, p...)
		c.pathStart = append(c.pathStart, uint32(len(c.pathSeg)))
	}
}
