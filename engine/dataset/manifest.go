package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"retrace/engine/feature"
	"retrace/internal/atomicfile"
)

// Manifest says what a data set holds.
type Manifest struct {
	Schema     feature.Schema `json:"schema"`
	SchemaHash string         `json:"schema_hash"`
	Settings   Settings       `json:"settings"`
	Networks   []NetworkEntry `json:"networks"`
	Shards     []ShardEntry   `json:"shards"`
	Dropped    map[Reason]int `json:"dropped"` // trips that are not in it, by reason
	Ticks      *TickCounts    `json:"ticks,omitempty"`
}

// NetworkEntry is one network of a data set, in the folder networks/<index>.
type NetworkEntry struct {
	Name        string            `json:"name"`
	Fingerprint string            `json:"fingerprint"`
	Segments    int               `json:"segments"`
	Files       map[string]string `json:"files"` // SHA-256 by name
}

// ShardEntry is one shard, in the folder of its name.
type ShardEntry struct {
	Name    string            `json:"name"`
	Key     string            `json:"key"` // of what it was made from
	Trips   int               `json:"trips"`
	Samples int               `json:"samples"`
	Gaps    int               `json:"gaps"`
	Dropped map[Reason]int    `json:"dropped"`
	Ticks   *TickCounts       `json:"ticks,omitempty"`
	Files   map[string]string `json:"files"` // SHA-256 by name
}

// Read reads the manifest of a data set. It refuses one with another schema
// than this program makes.
func Read(dir string) (*Manifest, error) {
	path := filepath.Join(dir, "manifest.json")
	var m Manifest
	if err := readJSON(path, &m); err != nil {
		return nil, err
	}
	if err := m.Schema.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &m, nil
}

func readJSON(path string, v any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(text, '\n'))
}

// keyOf identifies what a shard is made from, so that one made from something
// else is not taken for it when the work is resumed.
func keyOf(s Settings, fingerprint, block string) string {
	text, err := json.Marshal(s)
	if err != nil { // Settings hold nothing that JSON cannot
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(text, "\n%s\n%s\n%s", feature.CurrentSchema().Hash(), fingerprint, block))
	return hex.EncodeToString(sum[:])
}

// Reasons are those for which trips were left out, in alphabetical order.
func (m *Manifest) Reasons() []Reason {
	return slices.Sorted(maps.Keys(m.Dropped))
}
