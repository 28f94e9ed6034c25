package command

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"

	"retrace/engine/roadnet"
	"retrace/engine/simulate"
	"retrace/engine/trajectory/write"
	"retrace/internal/atomicfile"
	"retrace/ui/sample"
)

type sampleCommand struct {
	Dir     string `arg:"" name:"dir" help:"Folder to write to; made if it is not there."`
	Seed    uint64 `default:"1" placeholder:"S" help:"Seed of the city and its trips."`
	Recover bool   `help:"Also recover the trips, measure the result against the truth, and write recovery.csv, recovery.gpkg and recovery.png."`
	methodFlags
}

func (sampleCommand) Help() string {
	return "Writes the generated city (sample.osm.gz), sparse trips over it (trips.csv) and where they really went (truth.csv, " +
		"with the columns of recovered points).\n\n" +
		"Examples:\n  retrace sample demo\n  retrace recover demo/trips.csv --network demo/sample.osm.gz -o demo/recovered.csv\n  retrace sample demo --recover"
}

func (c *sampleCommand) Run(s *session) error {
	if err := os.MkdirAll(c.Dir, 0o777); err != nil {
		return err
	}
	s.progress.show("building the city", "")
	if err := c.writeExtract(); err != nil {
		return err
	}
	r, err := sample.Import(s.ctx, c.Seed)
	if err != nil {
		return err
	}
	trips, err := c.writeTrips(s, r.Network)
	if err != nil {
		return err
	}
	s.progress.clear()
	if c.Recover {
		return c.recover(s, r, trips)
	}
	if s.globals.JSON {
		return s.printJSON(map[string]any{"folder": c.Dir, "seed": c.Seed, "segments": r.Network.NumSegments(), "trips": len(trips)})
	}
	_, err = fmt.Fprintf(s.stdout, "%s: a city of %s (%s), %s and their truth\n",
		c.Dir, plural(r.Network.NumSegments(), "segment", "segments"), sample.ExtractName, plural(len(trips), "sparse trip", "sparse trips"))
	return err
}

func (c *sampleCommand) writeExtract() error {
	f, err := atomicfile.Create(filepath.Join(c.Dir, sample.ExtractName))
	if err != nil {
		return err
	}
	defer f.Abort()
	b := bufio.NewWriter(f)
	if err := sample.WriteExtract(b, c.Seed); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return f.Commit()
}

// writeTrips simulates the trips and writes what was reported and what was
// driven.
func (c *sampleCommand) writeTrips(s *session, net *roadnet.Network) ([]simulate.Trip, error) {
	about := write.About{Network: net.Info(), Method: "simulated", Settings: fmt.Sprintf("seed=%d", c.Seed), Version: s.version}
	reported, err := write.CreateSamples(filepath.Join(c.Dir, "trips.csv"), about)
	if err != nil {
		return nil, err
	}
	defer reported.Abort()
	truth, err := write.CreateCSV(filepath.Join(c.Dir, "truth.csv"), write.Points, net, about)
	if err != nil {
		return nil, err
	}
	defer truth.Abort()
	var all []simulate.Trip
	for trip, err := range sample.Trips(s.ctx, net, c.Seed, s.globals.Threads) {
		if err != nil {
			return nil, err
		}
		all = append(all, trip)
		s.progress.show("simulating trips", count(len(all)))
		if err := reported.Write(trip.Trajectory); err != nil {
			return nil, err
		}
		if err := truth.Write(trip.Truth); err != nil {
			return nil, err
		}
	}
	if err := reported.Close(); err != nil {
		return nil, err
	}
	return all, truth.Close()
}
