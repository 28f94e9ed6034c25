package storage

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"go.etcd.io/bbolt"
)

// What a model says of the roads of a network (X_road) is kept piece by piece, as it is
// found out, so that each is computed once and no more is read than is needed. It can be
// made again from network and model: so what is not whole of it counts as not there, and
// is no damage. The bucket is made when first needed, and versions that do not know it
// leave it as it is.

// Roads names what one model says of the segments of one network, in pieces of so many.
type Roads struct {
	Fingerprint string `json:"fingerprint"` // of the network
	Model       string `json:"model"`       // hash of its bundle
	Width       int    `json:"width"`       // values of a segment
	Segments    int    `json:"segments"`    // of a piece, but for the last
}

// headChunk is the number under which it is told what the pieces are of, behind them.
const headChunk = 0xFFFFFFFF

// key is the key of a piece: half a hash of the network's fingerprint, half a hash of the
// model's, and the number of the piece.
func (r Roads) key(piece uint32) []byte {
	a, b := sha256.Sum256([]byte(r.Fingerprint)), sha256.Sum256([]byte(r.Model))
	return binary.BigEndian.AppendUint32(slices.Concat(a[:16], b[:16]), piece)
}

// LoadRoads reads those of some pieces that are kept and whole.
func (w *Workspace) LoadRoads(ctx context.Context, r Roads, pieces []int) (map[int][]float32, error) {
	found := make(map[int][]float32)
	err := w.view(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte(bucketRoads))
		for _, piece := range pieces {
			broken, err := guard(func() error {
				if !r.holds(b) {
					return nil
				}
				values, err := r.read(b, piece)
				if err == nil {
					found[piece] = values
				}
				return err
			})
			if broken != "" || err != nil {
				delete(found, piece)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// holds reports whether a bucket, which may be nil, holds such pieces.
func (r Roads) holds(b *bbolt.Bucket) bool {
	if b == nil {
		return false
	}
	key := r.key(headChunk)
	payload, err := frameRoadsHead.open(key, b.Get(key))
	var head Roads
	return err == nil && json.Unmarshal(payload, &head) == nil && head == r
}

// read reads a piece; it is an error where that is not there, or not whole.
func (r Roads) read(b *bbolt.Bucket, piece int) ([]float32, error) {
	key := r.key(uint32(piece))
	payload, err := frameRoads.open(key, b.Get(key))
	if err != nil {
		return nil, err
	}
	if len(payload)%(4*r.Width) != 0 || len(payload) > 4*r.Width*r.Segments {
		return nil, fmt.Errorf("piece %d has %d bytes", piece, len(payload))
	}
	values := make([]float32, len(payload)/4)
	decodeElements(values, 0, payload)
	return values, nil
}

// SaveRoads keeps pieces, beside those that are there of the same model, and in the
// place of what another one said of the network. What is kept of networks that are no
// longer there goes.
func (w *Workspace) SaveRoads(ctx context.Context, r Roads, pieces map[int][]float32) error {
	rest := slices.Sorted(maps.Keys(pieces))
	for len(rest) > 0 {
		err := w.update(ctx, func(c *change) error {
			err := c.beginRoads(r)
			for size := 0; size < w.opt.batchBytes && len(rest) > 0 && err == nil; rest = rest[1:] {
				values := pieces[rest[0]]
				err = c.put(bucketRoads, frameRoads, r.key(uint32(rest[0])), encodeElements(make([]byte, 0, 4*len(values)), values, 0, len(values)))
				size += 4 * len(values)
			}
			return cmp.Or(err, ctx.Err())
		})
		if err != nil {
			return fmt.Errorf("keeping what the model says of the roads: %w", err)
		}
	}
	return nil
}

// beginRoads makes sure that what is there of the network are pieces of the same kind.
// The word on what they are goes in with the first of them, in one transaction.
func (c *change) beginRoads(r Roads) error {
	b, err := c.tx.CreateBucketIfNotExists([]byte(bucketRoads))
	if err != nil {
		return err
	}
	held := r.holds(b)
	if err := c.clearRoads(b, r, held); err != nil || held {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return c.put(bucketRoads, frameRoadsHead, r.key(headChunk), text)
}

// networkKey is the part of a key that names the network.
const networkKey = 16

// clearRoads makes room: it removes what is of no network of the workspace and, unless
// that is to stay, what is of the network of r.
func (c *change) clearRoads(b *bbolt.Bucket, r Roads, stays bool) error {
	kept := map[string]bool{string(r.key(0)[:networkKey]): stays}
	_ = c.bucket(bucketNetworks).ForEach(func(k, v []byte) error {
		if m, err := parseManifest(k, v); err == nil && m.Info.Fingerprint != r.Fingerprint {
			kept[string(Roads{Fingerprint: m.Info.Fingerprint}.key(0)[:networkKey])] = true
		}
		return nil
	})
	var gone [][]byte
	cursor := b.Cursor()
	for k, _ := cursor.First(); k != nil; {
		if len(k) < networkKey || !kept[string(k[:networkKey])] {
			gone = append(gone, slices.Clone(k))
			k, _ = cursor.Next()
			continue
		}
		k, _ = cursor.Seek(append(slices.Clone(k[:networkKey]), bytes.Repeat([]byte{0xFF}, networkKey+5)...)) // of the next network
	}
	for _, k := range gone {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
