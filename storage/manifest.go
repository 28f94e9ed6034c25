package storage

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.etcd.io/bbolt"

	"retrace/engine/roadnet"
)

// manifest says what a stored network consists of. It is written last: a
// network without one is not there. A second copy stands behind the chunks.
type manifest struct {
	Generation uint64           `json:"generation"` // number of its chunks
	Info       roadnet.Info     `json:"info"`
	Columns    []manifestColumn `json:"columns"`
}

// manifestColumn describes one column, by whose index its chunks are found.
type manifestColumn struct {
	Of    Kind        `json:"of"` // network, background or report
	Name  string      `json:"name"`
	Type  elementType `json:"type"`
	Count int         `json:"count"`
}

// chunks is the number of chunks of the column.
func (c manifestColumn) chunks() int {
	per := chunkSize / c.Type.size()
	return (c.Count + per - 1) / per
}

// has reports whether the network has a part of this kind.
func (m *manifest) has(of Kind) bool {
	for _, c := range m.Columns {
		if c.Of == of {
			return true
		}
	}
	return false
}

// check says what in a manifest makes no sense.
func (m *manifest) check() error {
	for _, c := range m.Columns {
		if c.Type.size() == 0 || c.Count < 0 || c.Count > 1<<40 {
			return fmt.Errorf("its column %q makes no sense", c.Name)
		}
	}
	return nil
}

// parseManifest reads the manifest kept under a key.
func parseManifest(key, value []byte) (*manifest, error) {
	payload, err := frameManifest.open(key, value)
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if err := json.Unmarshal(payload, m); err != nil {
		return nil, errRecord
	}
	return m, m.check()
}

// getManifest is the manifest of a network, nil if there is none of the name.
func getManifest(tx *bbolt.Tx, name string) (*manifest, error) {
	value := tx.Bucket([]byte(bucketNetworks)).Get([]byte(name))
	if value == nil {
		return nil, nil
	}
	return parseManifest([]byte(name), value)
}

// manifestChunk is the column index under which the second copy of a manifest
// stands.
const manifestChunk = 0xFFFF

// chunkKey is the key of one chunk of a column.
func chunkKey(generation uint64, column, chunk int) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, 14), generation)
	key = binary.BigEndian.AppendUint16(key, uint16(column))
	return binary.BigEndian.AppendUint32(key, uint32(chunk))
}

// CheckName says what is wrong with a name for a network, nil if nothing is:
// names are 1 to 100 characters of text without control characters and without
// space at either end.
func CheckName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return fmt.Errorf("a network needs a name")
	case !utf8.ValidString(name):
		return fmt.Errorf("the name %q is not text", name)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("the name %q begins or ends with space", name)
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Errorf("the name %.20q... is longer than %d characters", name, maxName)
	case strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("the name %q contains control characters", name)
	}
	return nil
}

const maxName = 100
