package storage

import (
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"
)

// migration takes a workspace from one layout to the next. It runs in one
// transaction: either all of it happens or nothing.
type migration func(*change) error

// migrations lists how the layout changed: the first takes layout 1 to 2. The
// newest layout is one more than their number. Never change one that was
// released, and keep a workspace of each layout in testdata.
func migrations() []migration { return []migration{makeHistory} }

// makeHistory makes room for what the steps of the history hold. No version
// with layout 1 had written a step.
func makeHistory(c *change) error {
	for _, name := range []string{bucketHeld, bucketHeldRecords} {
		if _, err := c.tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return nil
}

const schemaKey = "schema"

var errNoSchema = errors.New("it says no layout")

// initialize makes the buckets of an empty workspace.
func initialize(db *bbolt.DB, schema int) error {
	return db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets() {
			if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		return putSchema(&change{tx: tx}, schema)
	})
}

func putSchema(c *change, schema int) error {
	return c.put(bucketMeta, frameSchema, []byte(schemaKey), binary.LittleEndian.AppendUint32(nil, uint32(schema)))
}

// readSchema tells the layout of a workspace.
func readSchema(db *bbolt.DB) (schema int, err error) {
	broken, err := guard(func() error {
		return db.View(func(tx *bbolt.Tx) error {
			meta := tx.Bucket([]byte(bucketMeta))
			if meta == nil {
				return errNoSchema
			}
			schema, err = parseSchema(meta.Get([]byte(schemaKey)))
			return err
		})
	})
	if broken != "" {
		return 0, errors.New(broken)
	}
	return schema, err
}

func parseSchema(value []byte) (int, error) {
	payload, err := frameSchema.open([]byte(schemaKey), value)
	if err != nil || len(payload) != 4 {
		return 0, errNoSchema
	}
	return int(binary.LittleEndian.Uint32(payload)), nil
}

// migrate brings a workspace to the newest layout, step by step.
func migrate(db *bbolt.DB, path string, schema int, steps []migration) error {
	for ; schema <= len(steps); schema++ {
		err := runChange(db, func(c *change) error {
			if err := steps[schema-1](c); err != nil {
				return err
			}
			return putSchema(c, schema+1)
		})
		if err != nil {
			return fmt.Errorf("workspace %s: bringing it from layout %d to %d: %w", path, schema, schema+1, err)
		}
	}
	return nil
}
