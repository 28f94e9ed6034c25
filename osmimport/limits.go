package osmimport

// Limits bounds what a file may ask for. Zero fields take the default.
type Limits struct {
	Ratio     int64 // uncompressed bytes for each compressed one, over a gzip or bzip2 file so far, or one PBF blob; default 400
	Total     int64 // uncompressed bytes of one gzip or bzip2 file; default 64 GiB
	Attribute int   // bytes of one XML attribute; default 64 KiB
	Depth     int   // nesting of XML elements; default 16
	Refs      int   // nodes of a way, members of a relation; default 100,000
	Tags      int   // tags of one object; default 10,000
}

// Limits of the PBF format itself, and what one block of it may hold. The
// format allows a block 8,000 objects; some writers put more into one.
const (
	maxBlobHeader   = 64 << 10
	maxBlob         = 32 << 20
	maxRawBlob      = 32<<20 - 4<<10 // a little less, so that a block can be framed again
	maxBlockStrings = 1 << 20
	maxBlockText    = 8 << 20 // bytes of the strings; the library holds some ten blocks at once
	maxBlockObjects = 1 << 21
	maxBlockRefs    = 1 << 21
	maxBlockMembers = 1 << 19
	maxBlockTags    = 1 << 21
)

func (l Limits) withDefaults() Limits {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	if l.Ratio <= 0 {
		l.Ratio = 400
	}
	if l.Total <= 0 {
		l.Total = 64 << 30
	}
	set(&l.Attribute, 64<<10)
	set(&l.Depth, 16)
	set(&l.Refs, 100_000)
	set(&l.Tags, 10_000)
	return l
}
