package osmimport

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// packedObject is a way or relation, its fields still packed.
type packedObject struct {
	id         int64
	keys, vals []byte
	packed     [3][]byte
}

// parsePacked takes a way or relation apart. Every packed field may come once.
func parsePacked(data []byte, fields ...protowire.Number) (o packedObject, err error) {
	var seen uint64
	err = eachField(data, func(num protowire.Number, v fieldValue) error {
		into := (*[]byte)(nil)
		switch {
		case num == 1 && !v.isBytes:
			o.id = int64(v.number)
			return nil
		case num == 2:
			into = &o.keys
		case num == 3:
			into = &o.vals
		}
		for i, f := range fields {
			if num == f {
				into = &o.packed[i]
			}
		}
		if into == nil {
			return nil
		}
		if !v.isBytes || seen&(1<<num) != 0 {
			return fmt.Errorf("field %d is not packed", num)
		}
		seen |= 1 << num
		*into = v.bytes
		return nil
	})
	return o, err
}
