package osmimport

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/paulmach/osm"
	"google.golang.org/protobuf/encoding/protowire"

	"retrace/engine/roadnet"
)

// nodeBatch is what one block gives of the nodes that are needed.
type nodeBatch struct {
	end      int64 // where the block ends in the file
	read     int64
	order    orderRun
	negative someObjects
	nodes    []foundNode
	places   []place
	outside  []objectKey // nodes whose coordinates lie outside the world
}

// foundNode is a needed node.
type foundNode struct {
	slot  uint32 // in the node table
	flags roadnet.VertexFlags
	coord roadnet.Coord
}

// nodes hands the needed nodes and the places to sink, in the order of the
// file. It decodes by itself: the library makes an object of each node.
func (p *pbfFile) nodes(ctx context.Context, need *idSet, sink nodeSink) error {
	frames := p.frames()
	pool := sync.Pool{New: func() any {
		return &nodeDecoder{inflater: inflater{limits: p.limits}, need: need}
	}}
	batches := sync.Pool{New: func() any { return &nodeBatch{} }}
	work := func(fr frame) (*nodeBatch, error) {
		d := pool.Get().(*nodeDecoder)
		defer pool.Put(d)
		data, err := d.inflater.read(ctx, frames, fr)
		if err != nil {
			return nil, err
		}
		batch := batches.Get().(*nodeBatch)
		if err := d.run(data, batch); err != nil {
			return nil, p.wrongContent(fr.offset, err)
		}
		batch.end = fr.blob + int64(fr.size)
		return batch, nil
	}
	pipe := startPipeline(ctx, workers, p.someFrames(func(b blockInfo) bool { return b.nodes }), work)
	defer pipe.Stop()
	for {
		batch, ok, err := pipe.Next()
		if !ok {
			return err
		}
		sink.nodes(batch)
		*batch = nodeBatch{nodes: batch.nodes[:0]}
		batches.Put(batch)
	}
}

// allNodes hands every node that lies in the world to take, in the order of the
// file.
func (p *pbfFile) allNodes(ctx context.Context, take nodeTaker) error {
	frames := p.frames()
	d := &nodeDecoder{inflater: inflater{limits: p.limits}, all: take}
	return p.allFrames(ctx, frames)(func(fr frame) error {
		data, err := d.inflater.read(ctx, frames, fr)
		if err != nil {
			return err
		}
		if err := d.run(data, &nodeBatch{}); err != nil {
			return p.wrongContent(fr.offset, err)
		}
		return ctx.Err()
	})
}

// nodeDecoder decodes the nodes of blocks: all, or those that are needed.
type nodeDecoder struct {
	all      nodeTaker
	inflater inflater
	need     *idSet
	block    pbfBlock
	place    uint64 // the string "place"; 0: none
	tags     osm.Tags
	batch    *nodeBatch
}

// run decodes the nodes of one unpacked block.
func (d *nodeDecoder) run(data []byte, into *nodeBatch) error {
	if err := d.block.parse(data); err != nil {
		return err
	}
	d.place = 0
	for i, s := range d.block.strings {
		if i > 0 && string(s) == "place" {
			d.place = uint64(i)
		}
	}
	d.batch = into
	for _, g := range d.block.groups {
		err := eachField(g, func(num protowire.Number, v fieldValue) error {
			switch {
			case num == groupDense && v.isBytes:
				return d.dense(v.bytes)
			case num == groupNode && v.isBytes:
				return d.plain(v.bytes)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// dense decodes a group of dense nodes: ids, coordinates and tags in arrays.
func (d *nodeDecoder) dense(data []byte) error {
	var ids, lats, lons, tags varints
	err := eachField(data, func(num protowire.Number, v fieldValue) error {
		switch num {
		case 1:
			ids.data = v.bytes
		case 8:
			lats.data = v.bytes
		case 9:
			lons.data = v.bytes
		case 10:
			tags.data = v.bytes
		}
		return nil
	})
	if err != nil {
		return err
	}
	return d.denseNodes(ids, lats, lons, tags)
}

// denseNodes decodes the arrays of a group, which hold differences.
func (d *nodeDecoder) denseNodes(ids, lats, lons, tags varints) (err error) {
	var id, lat, lon int64
	var own []byte
	hasTags := tags.more()
	for ids.more() {
		did, err1 := ids.nextZigzag()
		dlat, err2 := lats.nextZigzag()
		dlon, err3 := lons.nextZigzag()
		if err1 != nil || err2 != nil || err3 != nil {
			return fmt.Errorf("after node %d: not as many ids as coordinates", id)
		}
		id, lat, lon = id+did, lat+dlat, lon+dlon
		if hasTags {
			if own, err = d.denseTags(&tags); err != nil {
				return fmt.Errorf("node %d: %w", id, err)
			}
		}
		d.take(id, lat, lon, own)
	}
	if lats.more() || lons.more() {
		return fmt.Errorf("after node %d: not as many ids as coordinates", id)
	}
	return nil
}

// denseTags is the stretch of the tag array that belongs to the next node:
// keys and values in turn up to a zero, which is left out.
func (d *nodeDecoder) denseTags(tags *varints) ([]byte, error) {
	start, n := tags.data, 0
	for {
		rest := len(tags.data)
		k, err := tags.next()
		if err != nil {
			return nil, err
		}
		if k == 0 {
			return start[:len(start)-rest], nil
		}
		v, err := tags.next()
		if err != nil {
			return nil, err
		}
		if count := uint64(len(d.block.strings)); k >= count || v >= count {
			return nil, errStringIndex
		}
		if n++; n > d.inflater.limits.Tags {
			return nil, fmt.Errorf("more tags than the limit of %d", d.inflater.limits.Tags)
		}
	}
}

// plain decodes a node that stands alone.
func (d *nodeDecoder) plain(data []byte) error {
	var id, lat, lon int64
	var keys, vals varints
	err := eachField(data, func(num protowire.Number, v fieldValue) error {
		switch num {
		case 1:
			id = protowire.DecodeZigZag(v.number)
		case 2:
			keys.data = v.bytes
		case 3:
			vals.data = v.bytes
		case 8:
			lat = protowire.DecodeZigZag(v.number)
		case 9:
			lon = protowire.DecodeZigZag(v.number)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var own []byte
	for keys.more() {
		k, err1 := keys.next()
		v, err2 := vals.next()
		if count := uint64(len(d.block.strings)); err1 != nil || err2 != nil || k >= count || v >= count {
			return fmt.Errorf("node %d: wrong tags", id)
		}
		own = protowire.AppendVarint(protowire.AppendVarint(own, k), v)
	}
	d.take(id, lat, lon, own)
	return nil
}

// take notes a node if it is needed or a place, or hands it on. tags are keys and values in
// turn, checked.
func (d *nodeDecoder) take(id, lat, lon int64, tags []byte) {
	if d.all != nil {
		if coord, ok := d.block.coord(lon, lat); ok {
			d.all(id, coord, d.decodeTags(tags))
		}
		return
	}
	b := d.batch
	b.read++
	b.order.see(objectNode, id)
	b.negative.seeNegative(objectNode, id)
	slot, needed := d.need.find(id)
	if !needed && (len(tags) == 0 || !d.hasPlace(tags)) {
		return
	}
	coord, ok := d.block.coord(lon, lat)
	if !ok {
		b.outside = append(b.outside, objectKey{objectNode, id})
		return
	}
	var t osm.Tags
	if len(tags) > 0 {
		t = d.decodeTags(tags)
	}
	if needed {
		b.nodes = append(b.nodes, foundNode{uint32(slot), nodeFlags(t), coord})
	}
	if p, ok := placeOf(id, coord, t); ok {
		b.places = append(b.places, p)
	}
}

func (d *nodeDecoder) hasPlace(tags []byte) bool {
	for v := (varints{tags}); d.place != 0 && v.more(); {
		k, _ := v.next()
		if k == d.place {
			return true
		}
		v.next()
	}
	return false
}

func (d *nodeDecoder) decodeTags(tags []byte) osm.Tags {
	d.tags = d.tags[:0]
	for v := (varints{tags}); v.more(); {
		k, _ := v.next()
		val, _ := v.next()
		d.tags = append(d.tags, osm.Tag{Key: string(d.block.strings[k]), Value: string(d.block.strings[val])})
	}
	return d.tags
}

// coord is a place in a block's own units; false outside the world.
func (b *pbfBlock) coord(lon, lat int64) (roadnet.Coord, bool) {
	x, ok1 := inWorld(lon, b.lonOffset, b.granularity, 180)
	y, ok2 := inWorld(lat, b.latOffset, b.granularity, 90)
	return roadnet.Coord{Lon: x, Lat: y}, ok1 && ok2
}

// inWorld turns a number of a block into 1e-7 degrees, rounded; false beyond
// the given degrees.
func inWorld(v, offset, granularity, degrees int64) (int32, bool) {
	const huge = 1e11 // so that nothing overflows; granularity is below 1e7
	if v > huge || v < -huge || offset > huge*10 || offset < -huge*10 {
		return 0, false
	}
	nano := offset + v*granularity
	if nano > degrees*1e9 || nano < -degrees*1e9 {
		return 0, false
	}
	if nano < 0 {
		return int32((nano - 50) / 100), true
	}
	return int32((nano + 50) / 100), true
}

// coordOf rounds degrees; false outside the world and where they are no
// numbers.
func coordOf(lon, lat float64) (roadnet.Coord, bool) {
	if !(math.Abs(lon) <= 180 && math.Abs(lat) <= 90) {
		return roadnet.Coord{}, false
	}
	return roadnet.CoordOf(roadnet.Point{Lon: lon, Lat: lat}), true
}
