package roadnet

import (
	"fmt"
	"strings"
)

// maxText is how many bytes all names and refs may have together.
const maxText = 1 << 30

// textTable numbers texts; the empty text is 0.
type textTable struct {
	numbers map[string]uint32
	list    []string
	size    int
}

func newTextTable() textTable {
	return textTable{numbers: map[string]uint32{"": 0}, list: []string{""}}
}

// add is the number of a text, a new one where it is not known.
func (t *textTable) add(s string) (uint32, error) {
	if i, ok := t.numbers[s]; ok {
		return i, nil
	}
	if t.size+len(s) > maxText {
		return 0, fmt.Errorf("the names of a network cannot have more than %d bytes together", maxText)
	}
	s = strings.Clone(s)
	i := uint32(len(t.list))
	t.numbers[s] = i
	t.list = append(t.list, s)
	t.size += len(s)
	return i, nil
}

// packTexts renumbers the texts that the lists refer to in order of first use,
// and returns them end to end.
func packTexts(texts []string, lists ...[]uint32) (start []uint32, packed string) {
	number := make([]uint32, len(texts)) // 0: not used yet; the empty text stays 0
	start = []uint32{0, 0}
	var all strings.Builder
	for _, list := range lists {
		for i, old := range list {
			if number[old] == 0 && old != 0 {
				number[old] = uint32(len(start)) - 1
				all.WriteString(texts[old])
				start = append(start, uint32(all.Len()))
			}
			list[i] = number[old]
		}
	}
	return start, all.String()
}
