package roadnet

import "fmt"

// maxLines keeps line and segment numbers within 32 bits.
const maxLines = maxVertices

// check finds whatever in the columns could make a later call fail. The error
// names the column.
func (c *columns) check() error {
	for _, part := range []func() error{
		c.checkLengths, c.checkLines, c.checkVertices, c.checkTexts, c.checkNodes,
		c.checkSegments, c.checkTurns, c.checkPaths, c.checkStretches,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// checkLengths checks that columns of the same things are as long.
func (c *columns) checkLengths() error {
	lines, vertices := len(c.lineWay), len(c.vertOSM)
	if lines > maxLines || vertices > maxVertices {
		return fmt.Errorf("column line.way: %d lines with %d vertices are more than a network can have", lines, vertices)
	}
	for _, col := range []struct {
		name       string
		have, want int
	}{
		{"line.start", len(c.lineStart), lines + 1},
		{"line.from", len(c.lineFrom), lines},
		{"line.to", len(c.lineTo), lines},
		{"line.direction", len(c.lineDir), lines},
		{"line.class", len(c.class), lines},
		{"line.flags", len(c.flags), lines},
		{"line.layer", len(c.layer), lines},
		{"line.lanes", len(c.lanes), lines},
		{"line.limit_forward", len(c.limitF), lines},
		{"line.limit_backward", len(c.limitB), lines},
		{"line.name", len(c.name), lines},
		{"line.ref", len(c.ref), lines},
		{columnLon, len(c.coords), vertices},
		{"vertex.flags", len(c.vertFlg), vertices},
		{"turn.to", len(c.turnTo), len(c.turnFrom)},
		{"stretch.ground", len(c.stretchGround), len(c.stretchDeck)},
		{"stretch.place", len(c.stretchPlace), 4 * len(c.stretchDeck)},
	} {
		if col.have != col.want {
			return fmt.Errorf("column %s: %d entries where %d are needed", col.name, col.have, col.want)
		}
	}
	return nil
}

// checkStarts checks the starts of stretches in an array of some length: from
// 0 to its end, each stretch with at least so many entries.
func checkStarts(name string, start []uint32, length, least int) error {
	if len(start) == 0 || start[0] != 0 || int(start[len(start)-1]) != length {
		return fmt.Errorf("column %s: does not run from 0 to %d", name, length)
	}
	for i := 1; i < len(start); i++ {
		if int(start[i]) < int(start[i-1])+least {
			return fmt.Errorf("column %s: entry %d: %d after %d", name, i, start[i], start[i-1])
		}
	}
	return nil
}

// checkBelow checks that numbers lie below a limit.
func checkBelow[T uint8 | uint32](name string, numbers []T, limit int) error {
	for i, x := range numbers {
		if int(x) >= limit {
			return fmt.Errorf("column %s: entry %d: %d, which must be less than %d", name, i, x, limit)
		}
	}
	return nil
}

func (c *columns) checkLines() error {
	if err := checkStarts("line.start", c.lineStart, len(c.coords), 2); err != nil {
		return err
	}
	if err := checkBelow("line.direction", c.lineDir, int(Backward)+1); err != nil {
		return err
	}
	return checkBelow("line.class", c.class, NumClasses)
}

// checkVertices checks that all lie on the earth, and that lines have lengths.
func (c *columns) checkVertices() error {
	for i, p := range c.coords {
		if !p.onEarth() {
			return fmt.Errorf("columns %s and %s: entry %d: %v lies outside the earth", columnLon, columnLat, i, p.Point())
		}
	}
	for l := range c.lineWay {
		for i := c.lineStart[l] + 1; i < c.lineStart[l+1]; i++ {
			a, b := c.coords[i-1], c.coords[i]
			if a == b || halfway(a, b) {
				return fmt.Errorf("columns %s and %s: entry %d: a piece from %v to %v cannot be", columnLon, columnLat, i, a.Point(), b.Point())
			}
		}
	}
	return nil
}

func (c *columns) checkTexts() error {
	if err := checkStarts("text.start", c.textStart, len(c.text), 0); err != nil {
		return err
	}
	if err := checkBelow("line.name", c.name, len(c.textStart)-1); err != nil {
		return err
	}
	return checkBelow("line.ref", c.ref, len(c.textStart)-1)
}

// checkNodes checks that nodes are numbered in order of appearance, and that
// no more lines meet than a builder would join.
func (c *columns) checkNodes() error {
	var lines []uint8 // that meet at each node
	meet := func(name string, l int, node uint32) error {
		switch {
		case int(node) > len(lines):
			return fmt.Errorf("column %s: entry %d: node %d, where %d is the next", name, l, node, len(lines))
		case int(node) == len(lines):
			lines = append(lines, 0)
		case lines[node] == maxLinesAtNode:
			return fmt.Errorf("column %s: entry %d: more than %d lines meet at node %d", name, l, maxLinesAtNode, node)
		}
		lines[node]++
		return nil
	}
	for l := range c.lineFrom {
		if err := meet("line.from", l, c.lineFrom[l]); err != nil {
			return err
		}
		if err := meet("line.to", l, c.lineTo[l]); err != nil {
			return err
		}
	}
	return nil
}

func (c *columns) checkSegments() error {
	segments := c.countSegments()
	if len(c.component) != segments {
		return fmt.Errorf("column segment.component: %d entries where %d are needed", len(c.component), segments)
	}
	return checkBelow("segment.component", c.component, segments)
}

// countSegments is how many segments the lines have.
func (c *columns) countSegments() int {
	segments := 2 * len(c.lineDir)
	for _, d := range c.lineDir {
		if Direction(d) != BothWays {
			segments--
		}
	}
	return segments
}

func (c *columns) checkTurns() error {
	segments := c.countSegments()
	if err := checkBelow("turn.from", c.turnFrom, segments); err != nil {
		return err
	}
	if err := checkBelow("turn.to", c.turnTo, segments); err != nil {
		return err
	}
	for i := 1; i < len(c.turnFrom); i++ {
		if c.turnFrom[i] < c.turnFrom[i-1] {
			return fmt.Errorf("column turn.from: entry %d: %d after %d", i, c.turnFrom[i], c.turnFrom[i-1])
		}
	}
	return nil
}

func (c *columns) checkPaths() error {
	if err := checkStarts("path.start", c.pathStart, len(c.pathSeg), 3); err != nil {
		return err
	}
	for i := 1; i < len(c.pathStart); i++ {
		if n := c.pathStart[i] - c.pathStart[i-1]; n > maxPathSegments {
			return fmt.Errorf("column path.start: entry %d: a path of %d segments", i, n)
		}
	}
	return checkBelow("path.segment", c.pathSeg, c.countSegments())
}

func (c *columns) checkStretches() error {
	if err := checkBelow("stretch.deck", c.stretchDeck, len(c.lineWay)); err != nil {
		return err
	}
	if err := checkBelow("stretch.ground", c.stretchGround, len(c.lineWay)); err != nil {
		return err
	}
	for i := 0; i < len(c.stretchPlace); i += 2 {
		from, to := c.stretchPlace[i], c.stretchPlace[i+1]
		if !(from >= 0 && from <= to && to <= maxStretch) {
			return fmt.Errorf("column stretch.place: entry %d: from %g to %g metres", i, from, to)
		}
	}
	return nil
}

// maxStretch is longer than any stretch can be, in metres: several times round the earth.
const maxStretch = 1e9
