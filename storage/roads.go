package storage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"
)

// What a model says of the roads of a network (X_road) is kept, so that it is
// computed once. It can be made again from network and model: so what is not
// whole of it counts as not there, and is no damage. The bucket is made when
// first needed, and versions that do not know it leave it as it is.

// Roads is what one model says of every segment of one network.
type Roads struct {
	Fingerprint string // of the network
	Model       string // hash of its bundle
	Width       int    // values of a segment
	Values      []float32
}

// roadsHead says what its chunks hold. It is written last.
type roadsHead struct {
	Fingerprint string `json:"fingerprint"`
	Model       string `json:"model"`
	Width       int    `json:"width"`
	Count       int    `json:"count"`
}

// headChunk is the number under which the head stands, behind the chunks.
const headChunk = 0xFFFFFFFF

// roadsKey is the key of a chunk: half a hash of the network's fingerprint, half
// a hash of the model's, and the number of the chunk.
func roadsKey(fingerprint, model string, chunk uint32) []byte {
	a, b := sha256.Sum256([]byte(fingerprint)), sha256.Sum256([]byte(model))
	return binary.BigEndian.AppendUint32(slices.Concat(a[:16], b[:16]), chunk)
}

// LoadRoads reads what a model says of a network: nil where nothing is kept, or
// nothing whole.
func (w *Workspace) LoadRoads(ctx context.Context, fingerprint, model string) (*Roads, error) {
	var r *Roads
	err := w.view(func(tx *bbolt.Tx) error {
		broken, err := guard(func() error {
			found, err := readRoads(ctx, tx.Bucket([]byte(bucketRoads)), fingerprint, model)
			r = found
			return err
		})
		if broken != "" || err != nil {
			r = nil
		}
		return ctx.Err()
	})
	return r, err
}

// readRoads reads chunk by chunk. An error says that something is not whole.
func readRoads(ctx context.Context, b *bbolt.Bucket, fingerprint, model string) (*Roads, error) {
	if b == nil {
		return nil, nil
	}
	key := roadsKey(fingerprint, model, headChunk)
	value := b.Get(key)
	if value == nil {
		return nil, nil
	}
	head, err := parseRoadsHead(key, value)
	if err != nil {
		return nil, err
	}
	if head.Fingerprint != fingerprint || head.Model != model {
		return nil, errors.New("it is another network's or model's")
	}
	r := &Roads{Fingerprint: fingerprint, Model: model, Width: head.Width, Values: make([]float32, head.Count)}
	for at, chunk := 0, uint32(0); at < head.Count; chunk++ {
		key := roadsKey(fingerprint, model, chunk)
		payload, err := frameRoads.open(key, b.Get(key))
		if err != nil {
			return nil, err
		}
		n := min(head.Count-at, chunkSize/4)
		if len(payload) != 4*n {
			return nil, fmt.Errorf("piece %d has %d bytes", chunk, len(payload))
		}
		decodeElements(r.Values, at, payload)
		if at += n; ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return r, nil
}

func parseRoadsHead(key, value []byte) (roadsHead, error) {
	var head roadsHead
	payload, err := frameRoadsHead.open(key, value)
	if err == nil {
		err = json.Unmarshal(payload, &head)
	}
	if err == nil && (head.Width < 1 || head.Count < 0 || head.Count > 1<<36) {
		err = errRecord
	}
	return head, err
}

// SaveRoads keeps what a model says of a network, in the place of what another
// model said. What is kept of networks that are no longer there goes.
func (w *Workspace) SaveRoads(ctx context.Context, r *Roads) error {
	err := w.update(ctx, func(c *change) error { return c.clearRoads(r) })
	for at, chunk := 0, uint32(0); at < len(r.Values) && err == nil; {
		err = w.update(ctx, func(c *change) error {
			for size := 0; size < w.opt.batchBytes && at < len(r.Values); chunk++ {
				n := min(len(r.Values)-at, chunkSize/4)
				payload := encodeElements(make([]byte, 0, 4*n), r.Values, at, at+n)
				if err := c.put(bucketRoads, frameRoads, roadsKey(r.Fingerprint, r.Model, chunk), payload); err != nil {
					return err
				}
				at, size = at+n, size+4*n
			}
			return ctx.Err()
		})
	}
	if err == nil {
		err = w.update(ctx, func(c *change) error {
			text, err := json.Marshal(roadsHead{r.Fingerprint, r.Model, r.Width, len(r.Values)})
			if err != nil {
				return err
			}
			return c.put(bucketRoads, frameRoadsHead, roadsKey(r.Fingerprint, r.Model, headChunk), text)
		})
	}
	if err != nil {
		return fmt.Errorf("keeping what the model says of the roads: %w", err)
	}
	return nil
}

// clearRoads makes room: it removes all that is not the last word on another
// network of the workspace.
func (c *change) clearRoads(r *Roads) error {
	b, err := c.tx.CreateBucketIfNotExists([]byte(bucketRoads))
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	_ = c.bucket(bucketNetworks).ForEach(func(k, v []byte) error {
		if m, err := parseManifest(k, v); err == nil && m.Info.Fingerprint != r.Fingerprint {
			kept[string(roadsKey(m.Info.Fingerprint, "", 0)[:16])] = true
		}
		return nil
	})
	var gone [][]byte
	cursor := b.Cursor()
	for k, _ := cursor.First(); k != nil; k, _ = cursor.Next() {
		if len(k) < 16 || !kept[string(k[:16])] {
			gone = append(gone, slices.Clone(k))
		}
	}
	for _, k := range gone {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
