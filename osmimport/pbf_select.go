package osmimport

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// selector goes through the ways and relations of a block, checks all that the
// library takes for granted (its decoder runs in goroutines of its own, where
// a wrong index would end the program), and writes those that are wanted into
// a block of their own, without what nobody reads.
type selector struct {
	limits Limits
	which  waysRead
	block  pbfBlock
	keys   []bool // by string: a key that makes a way wanted
	types  []bool // by string: a value of type that makes a relation wanted
	typeID uint64 // the string "type"; 0: none
	refs   int    // in the block so far
	tags   int
	member int
	object int
	group  []byte // wanted objects of the group
	msg    []byte // the object under way
	out    []byte
	info   blockInfo
}

// blockInfo is what is remembered of a block for the later passes.
type blockInfo struct {
	frame          frame
	nodes          bool // holds nodes
	minWay, maxWay int64
	objectRun
}

// run goes through one unpacked block. The result is valid until the next call
// and nil where nothing is wanted.
func (s *selector) run(data []byte) ([]byte, blockInfo, error) {
	if err := s.block.parse(data); err != nil {
		return nil, blockInfo{}, err
	}
	s.info = blockInfo{minWay: 1, maxWay: 0}
	s.refs, s.tags, s.member, s.object = 0, 0, 0, 0
	s.markStrings()
	s.out = s.out[:0]
	for _, g := range s.block.groups {
		if err := s.runGroup(g); err != nil {
			return nil, blockInfo{}, err
		}
	}
	if len(s.out) == 0 {
		return nil, s.info, nil
	}
	s.out = protowire.AppendTag(s.out, 1, protowire.BytesType)
	s.out = protowire.AppendBytes(s.out, s.block.table)
	return s.out, s.info, nil
}

// markStrings finds out once for each string of the block what it decides.
func (s *selector) markStrings() {
	s.keys, s.types, s.typeID = s.keys[:0], s.types[:0], 0
	for i, str := range s.block.strings {
		s.keys = append(s.keys, isWantedKey(string(str)))
		s.types = append(s.types, isWantedType(string(str)))
		if i > 0 && string(str) == "type" {
			s.typeID = uint64(i)
		}
	}
}

// isWantedKey reports whether a way with this key may be a road or belong to
// the background.
func isWantedKey(key string) bool {
	switch key {
	case "highway", "natural", "waterway", "landuse", "leisure", "building", "railway", "route":
		return true
	}
	return false
}

// isWantedType reports whether a relation of this type is read.
func isWantedType(value string) bool {
	return strings.HasPrefix(value, "restriction") || value == "multipolygon"
}

func (s *selector) runGroup(group []byte) error {
	s.group = s.group[:0]
	err := eachField(group, func(num protowire.Number, v fieldValue) error {
		if !v.isBytes {
			return nil
		}
		if s.object++; s.object > maxBlockObjects {
			return fmt.Errorf("more than %d objects in one block", maxBlockObjects)
		}
		switch num {
		case groupNode, groupDense:
			s.info.nodes = true
		case groupWay:
			return s.runWay(v.bytes)
		case groupRelation:
			return s.runRelation(v.bytes)
		}
		return nil
	})
	if err != nil || len(s.group) == 0 {
		return err
	}
	s.out = protowire.AppendTag(s.out, 2, protowire.BytesType)
	s.out = protowire.AppendBytes(s.out, s.group)
	return nil
}

// runWay checks one way and keeps it where it is wanted.
func (s *selector) runWay(data []byte) error {
	o, err := parsePacked(data, 8)
	if err != nil {
		return fmt.Errorf("way %d: %w", o.id, err)
	}
	s.info.read.Ways++
	s.info.see(objectWay, o.id)
	if s.info.minWay > s.info.maxWay {
		s.info.minWay, s.info.maxWay = o.id, o.id
	}
	s.info.minWay, s.info.maxWay = min(s.info.minWay, o.id), max(s.info.maxWay, o.id)
	refs, err := countVarints(o.packed[0])
	if err != nil {
		return fmt.Errorf("way %d: %w", o.id, err)
	}
	wanted, err := s.checkTags(o, s.keys)
	if err != nil {
		return fmt.Errorf("way %d: %w", o.id, err)
	}
	if !wanted && s.which != everyWay || refs == 0 {
		return nil
	}
	if refs > s.limits.Refs {
		s.info.large.add(objectWay, o.id)
		return nil
	}
	if s.refs += refs; s.refs > maxBlockRefs {
		return fmt.Errorf("way %d: more than %d references in one block", o.id, maxBlockRefs)
	}
	s.keep(groupWay, o, 8)
	return nil
}

// runRelation checks one relation and keeps it where it is wanted.
func (s *selector) runRelation(data []byte) error {
	o, err := parsePacked(data, 8, 9, 10)
	if err != nil {
		return fmt.Errorf("relation %d: %w", o.id, err)
	}
	s.info.read.Relations++
	s.info.see(objectRelation, o.id)
	members, err := s.checkMembers(o)
	if err != nil {
		return fmt.Errorf("relation %d: %w", o.id, err)
	}
	wanted, err := s.checkTags(o, nil)
	if err != nil {
		return fmt.Errorf("relation %d: %w", o.id, err)
	}
	if !wanted {
		return nil
	}
	if members > s.limits.Refs {
		s.info.large.add(objectRelation, o.id)
		return nil
	}
	if s.member += members; s.member > maxBlockMembers {
		return fmt.Errorf("relation %d: more than %d members in one block", o.id, maxBlockMembers)
	}
	s.keep(groupRelation, o, 8, 9, 10)
	return nil
}

// checkMembers checks that roles, ids and types are as many as each other and
// point at strings that exist.
func (s *selector) checkMembers(o packedObject) (int, error) {
	var n [3]int
	for i, data := range o.packed[:3] {
		var err error
		if n[i], err = countVarints(data); err != nil {
			return 0, err
		}
	}
	if n[0] != n[1] || n[0] != n[2] {
		return 0, fmt.Errorf("%d roles, %d members and %d types", n[0], n[1], n[2])
	}
	roles := varints{o.packed[0]}
	for roles.more() {
		if r, _ := roles.next(); r >= uint64(len(s.block.strings)) {
			return 0, errStringIndex
		}
	}
	return n[0], nil
}

var errStringIndex = errors.New("a string that its block does not hold")

// checkTags checks the tags of an object; wanted tells whether one has a
// wanted key, or with nil, whether the type is wanted.
func (s *selector) checkTags(o packedObject, wantedKeys []bool) (wanted bool, err error) {
	keys, vals := varints{o.keys}, varints{o.vals}
	n := 0
	for keys.more() && vals.more() {
		k, err1 := keys.next()
		v, err2 := vals.next()
		if err1 != nil || err2 != nil {
			return false, errVarint
		}
		if count := uint64(len(s.block.strings)); k >= count || v >= count {
			return false, errStringIndex
		}
		if wantedKeys != nil {
			wanted = wanted || wantedKeys[k]
		} else if s.typeID != 0 && k == s.typeID {
			wanted = wanted || s.types[v]
		}
		n++
	}
	if keys.more() || vals.more() {
		return false, errors.New("not as many keys as values")
	}
	if n > s.limits.Tags {
		return false, fmt.Errorf("%d tags, more than the limit of %d", n, s.limits.Tags)
	}
	if s.tags += n; s.tags > maxBlockTags {
		return false, fmt.Errorf("more than %d tags in one block", maxBlockTags)
	}
	return wanted, nil
}

// keep appends an object to the group under way: its id, its tags and its
// packed fields.
func (s *selector) keep(num protowire.Number, o packedObject, fields ...protowire.Number) {
	m := protowire.AppendTag(s.msg[:0], 1, protowire.VarintType)
	m = protowire.AppendVarint(m, uint64(o.id))
	put := func(field protowire.Number, data []byte) {
		if len(data) > 0 {
			m = protowire.AppendTag(m, field, protowire.BytesType)
			m = protowire.AppendBytes(m, data)
		}
	}
	put(2, o.keys)
	put(3, o.vals)
	for i, f := range fields {
		put(f, o.packed[i])
	}
	s.msg = m
	s.group = protowire.AppendTag(s.group, num, protowire.BytesType)
	s.group = protowire.AppendBytes(s.group, m)
}
