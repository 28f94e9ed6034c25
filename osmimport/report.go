package osmimport

// Report tells what an import kept, what it left out and why, and what was
// odd about the files. It is made to be shown, stored and written as JSON.
type Report struct {
	Files    []FileReport `json:"files"`
	Read     Counts       `json:"read"`     // objects in the files
	Kept     []Item       `json:"kept"`     // what went into the network and the background
	Dropped  []Item       `json:"dropped"`  // what looked like a road or a restriction and was left out, by reason
	Oddities []Item       `json:"oddities"` // what was wrong with the files
	Segments int          `json:"segments"`
	Nodes    int          `json:"nodes"`
	Lines    int          `json:"lines"`
	Length   float64      `json:"length_m"` // metres of the lines
	Phases   []Phase      `json:"phases"`
	Seconds  float64      `json:"seconds"`
	PeakRSS  int64        `json:"peak_memory_bytes"` // of the whole process; 0: not known
}

// FileReport is what one file was.
type FileReport struct {
	Path   string `json:"path"`
	Format string `json:"format"` // "pbf", "xml", "xml gzip", "xml bzip2"
	Bytes  int64  `json:"bytes"`
	Writer string `json:"writer,omitempty"`    // program that wrote it
	Date   string `json:"data_date,omitempty"` // ISO 8601, if the file states it
}

// Counts counts objects by type.
type Counts struct {
	Nodes     int64 `json:"nodes"`
	Ways      int64 `json:"ways"`
	Relations int64 `json:"relations"`
}

// Item is one line of a report: how often something was met, and the first
// few objects with which it was.
type Item struct {
	What    string   `json:"what"`
	Count   int64    `json:"count"`
	Objects []string `json:"objects,omitempty"` // e.g. "way 123", "node -4"; at most maxObjects
}

// Phase is the time that one part of the import took.
type Phase struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// maxObjects bounds the objects named with one item of a report.
const maxObjects = 20
