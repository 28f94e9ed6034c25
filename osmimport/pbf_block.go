package osmimport

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// pbfBlock is one unpacked OSMData block, its parts still encoded.
type pbfBlock struct {
	table       []byte   // the string table
	strings     [][]byte // of the string table: views
	groups      [][]byte
	granularity int64 // nanodegrees
	lonOffset   int64 // nanodegrees
	latOffset   int64
}

// parse takes a block apart and checks what all its groups rely on. It may be
// called again for the next block.
func (b *pbfBlock) parse(data []byte) error {
	*b = pbfBlock{strings: b.strings[:0], groups: b.groups[:0], granularity: 100}
	err := eachField(data, func(num protowire.Number, v fieldValue) error {
		switch num {
		case 1:
			b.table = v.bytes
		case 2:
			b.groups = append(b.groups, v.bytes)
		case 17:
			b.granularity = int64(int32(v.number))
		case 19:
			b.latOffset = int64(v.number)
		case 20:
			b.lonOffset = int64(v.number)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if b.granularity < 1 || b.granularity > 1e7 {
		return fmt.Errorf("a granularity of %d nanodegrees", b.granularity)
	}
	return b.parseStrings()
}

func (b *pbfBlock) parseStrings() error {
	if len(b.table) > maxBlockText {
		return fmt.Errorf("%d bytes of strings in one block, more than %d", len(b.table), maxBlockText)
	}
	return eachField(b.table, func(num protowire.Number, v fieldValue) error {
		if num != 1 || !v.isBytes {
			return errors.New("a string table that holds something else")
		}
		if len(b.strings) == maxBlockStrings {
			return fmt.Errorf("more than %d strings in one block", maxBlockStrings)
		}
		b.strings = append(b.strings, v.bytes)
		return nil
	})
}

// The fields of a group by object type.
const (
	groupNode     protowire.Number = 1
	groupDense    protowire.Number = 2
	groupWay      protowire.Number = 3
	groupRelation protowire.Number = 4
)

// varints walks the numbers of a packed field.
type varints struct{ data []byte }

var errVarint = errors.New("a number that does not end")

func (v *varints) more() bool { return len(v.data) > 0 }

// next is the next number as it lies there.
func (v *varints) next() (uint64, error) {
	if len(v.data) > 0 && v.data[0] < 0x80 {
		n := uint64(v.data[0])
		v.data = v.data[1:]
		return n, nil
	}
	n, size := protowire.ConsumeVarint(v.data)
	if size < 0 {
		return 0, errVarint
	}
	v.data = v.data[size:]
	return n, nil
}

// nextZigzag is the next number of a signed field.
func (v *varints) nextZigzag() (int64, error) {
	n, err := v.next()
	return protowire.DecodeZigZag(n), err
}

// countVarints is how many numbers a packed field holds, and an error where
// one is longer than ten bytes or the last one does not end.
func countVarints(data []byte) (int, error) {
	n, run := 0, 0
	for _, c := range data {
		if run++; c < 0x80 {
			n++
			run = 0
		} else if run == 10 {
			return 0, errVarint
		}
	}
	if run != 0 {
		return 0, errVarint
	}
	return n, nil
}
