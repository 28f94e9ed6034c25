package osmimport

import (
	"retrace/engine/basemap"
	"retrace/engine/roadnet"
)

// Options says how to import; the zero value is ready for use.
type Options struct {
	Name        string         // of the network; empty: from the first file's name
	Attribution string         // to be shown with the data; empty: that of OpenStreetMap
	Limits      Limits         // zero fields take the default
	Progress    func(Progress) // called from one goroutine at a time, at most some 20 times a second; may be nil
}

// Progress tells how far an import is.
type Progress struct {
	Phase       string // "roads", "nodes", "network", "background"
	Done, Total int64  // bytes of the files read in this phase; Total 0: not known
}

// Result is what an import makes.
type Result struct {
	Network *roadnet.Network
	Basemap *basemap.Map
	Report  Report
}
