package osmimport

import (
	"context"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
)

// memberWay is a way of which only the nodes matter.
type memberWay struct {
	id   int64
	refs []int64
}

// members hands the needed ways to take, in the order of the file. Only the
// blocks that may hold them are read again.
func (p *pbfFile) members(ctx context.Context, need *idSet, take func(memberWay)) error {
	frames := p.frames()
	pool := sync.Pool{New: func() any { return &inflater{limits: p.limits} }}
	work := func(fr frame) ([]memberWay, error) {
		z := pool.Get().(*inflater)
		defer pool.Put(z)
		data, err := z.read(ctx, frames, fr)
		if err != nil {
			return nil, err
		}
		ways, err := findMembers(data, need, p.limits)
		if err != nil {
			return nil, p.wrongContent(fr.offset, err)
		}
		return ways, nil
	}
	holdsSome := func(b blockInfo) bool { return b.minWay <= b.maxWay && need.anyIn(b.minWay, b.maxWay) }
	pipe := startPipeline(ctx, workers, p.someFrames(holdsSome), work)
	defer pipe.Stop()
	for {
		ways, ok, err := pipe.Next()
		if !ok {
			return err
		}
		for _, w := range ways {
			take(w)
		}
	}
}

// findMembers finds the needed ways of one unpacked block.
func findMembers(data []byte, need *idSet, limits Limits) (ways []memberWay, err error) {
	err = eachField(data, func(num protowire.Number, group fieldValue) error {
		if num != 2 {
			return nil
		}
		return eachField(group.bytes, func(num protowire.Number, v fieldValue) error {
			if num != groupWay || !v.isBytes {
				return nil
			}
			o, err := parsePacked(v.bytes, 8)
			if err != nil || !need.has(o.id) {
				return err
			}
			refs, err := decodeRefs(o.packed[0])
			if len(refs) > limits.Refs {
				return nil // the polygon lacks it, as one that is missing
			}
			ways = append(ways, memberWay{o.id, refs})
			return err
		})
	})
	return ways, err
}

// decodeRefs is the node ids of a way.
func decodeRefs(packed []byte) ([]int64, error) {
	n, err := countVarints(packed)
	if err != nil {
		return nil, err
	}
	refs, id := make([]int64, 0, n), int64(0)
	for v := (varints{packed}); v.more(); {
		d, err := v.nextZigzag()
		if err != nil {
			return nil, err
		}
		id += d
		refs = append(refs, id)
	}
	return refs, nil
}
