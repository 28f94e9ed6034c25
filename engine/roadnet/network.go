package roadnet

// Info is what a workspace shows of a network without loading it.
type Info struct {
	Name        string
	Source      string // file names it was made from
	Attribution string // e.g. "© OpenStreetMap contributors (ODbL)"
	TimeZone    string // IANA name of the place, e.g. "Europe/Lisbon"
	DataDate    string // date of the data if the extract states it, ISO 8601
	Bounds      Bounds // of the segments
	Segments    int    // directed
	Nodes       int
	Fingerprint string // hex, over content (not over Name, Source)
}

// Segment is one segment of a network with all that is known of it.
type Segment struct {
	ID                       SegmentID
	Line                     LineID
	Reversed                 bool // driven against the order of the line's vertices
	Way                      int64
	From, To                 NodeID
	Length                   float64 // metres
	Class                    Class
	Flags                    Flags
	Layer                    int8
	Lanes                    uint8 // 0: unknown
	Limit                    uint8 // km/h in this direction, LimitUnknown, LimitNone
	OneWay                   bool
	Name, Ref                string
	StartHeading, EndHeading float64 // degrees clockwise from north
	Component                uint32  // strongly connected component; 0 is the largest
}
