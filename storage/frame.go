package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Every value in the file is a frame: a header and a payload. Little-endian:
//
//	magic    4 bytes  "RTR1"
//	version  1 byte   of the payload's encoding
//	kind     1 byte   what the payload is
//	element  2 bytes  element type of a column chunk, else 0
//	length   4 bytes  of the payload
//	commit   4 bytes  number of the transaction that wrote it
//	checksum 4 bytes  CRC-32C over the header before, the key and the payload
const (
	frameMagic  = 0x31525452
	frameHeader = 20
	maxPayload  = 256 << 20
)

// frameKind says what a payload is.
type frameKind uint8

const (
	frameSchema frameKind = 1 + iota
	frameManifest
	frameChunk
	frameTrajectorySummary
	frameTrajectory
	frameRecoverySummary
	frameRecovery
	frameSetting
	frameHistory
	frameRoads     // salvaging leaves it behind: it can be computed again
	frameRoadsHead // likewise
	frameHeld
	frameHeldTrajectory
	frameHeldRecovery
)

// frameVersion is the version of all payloads so far.
const frameVersion = 1

// frame is the header of a value.
type frame struct {
	kind    frameKind
	element elementType
	commit  uint32
}

var errFrame = errors.New("its header makes no sense")

// seal puts a payload into a frame for a key.
func (f frame) seal(key, payload []byte) ([]byte, error) {
	if len(payload) > maxPayload {
		return nil, fmt.Errorf("%d bytes in one piece are more than a workspace takes (%d)", len(payload), maxPayload)
	}
	b := make([]byte, frameHeader, frameHeader+len(payload))
	binary.LittleEndian.PutUint32(b, frameMagic)
	b[4], b[5] = frameVersion, byte(f.kind)
	binary.LittleEndian.PutUint16(b[6:], uint16(f.element))
	binary.LittleEndian.PutUint32(b[8:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(b[12:], f.commit)
	b = append(b, payload...)
	binary.LittleEndian.PutUint32(b[16:], frameSum(b, key))
	return b, nil
}

// parseFrame reads the header of a value of which all or only the beginning is
// given. The size is that of the whole value.
func parseFrame(value []byte, size int64) (frame, error) {
	if len(value) < frameHeader || binary.LittleEndian.Uint32(value) != frameMagic {
		return frame{}, errFrame
	}
	if int64(binary.LittleEndian.Uint32(value[8:])) != size-frameHeader || size > frameHeader+maxPayload {
		return frame{}, errors.New("its length is not what its header says")
	}
	if value[4] != frameVersion {
		return frame{}, fmt.Errorf("its encoding has the unknown version %d", value[4])
	}
	return frame{
		kind:    frameKind(value[5]),
		element: elementType(binary.LittleEndian.Uint16(value[6:])),
		commit:  binary.LittleEndian.Uint32(value[12:]),
	}, nil
}

// open checks a value and returns its payload, a view of it.
func (k frameKind) open(key, value []byte) ([]byte, error) {
	f, err := parseFrame(value, int64(len(value)))
	if err != nil {
		return nil, err
	}
	if f.kind != k {
		return nil, fmt.Errorf("it is of kind %d instead of %d", f.kind, k)
	}
	if !frameWhole(key, value) {
		return nil, errors.New("its checksum is wrong")
	}
	return value[frameHeader:], nil
}

// frameWhole reports whether the checksum of a value is right.
func frameWhole(key, value []byte) bool {
	return binary.LittleEndian.Uint32(value[16:]) == frameSum(value, key)
}

// wholeUnder reports whether a value and the key that it stands under are as
// they were written.
func wholeUnder(key, value []byte) bool {
	_, err := parseFrame(value, int64(len(value)))
	return err == nil && frameWhole(key, value)
}

func frameSum(value, key []byte) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Update(0, table, value[:16])
	sum = crc32.Update(sum, table, key)
	return crc32.Update(sum, table, value[frameHeader:])
}
