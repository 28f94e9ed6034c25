package command

import (
	"fmt"
	"os"
	"path/filepath"

	"retrace/engine"
	"retrace/engine/device"
	"retrace/storage/netfile"
)

type networksExport struct {
	Network string `arg:"" name:"network" help:"A network of the workspace, a network file, or an extract."`
	Output  string `short:"o" required:"" placeholder:"FILE.network" help:"File to write."`
	Model   string `placeholder:"DIR" help:"Folder of the bundle of the model that is asked about the roads. Default: the one built in."`
	NoModel bool   `help:"Ask no model about the roads: who recovers by one asks it, each anew."`
	NoMap   bool   `help:"Leave out what is drawn behind the roads."`
}

func (networksExport) Help() string {
	return "The file holds the network, what is drawn behind its roads, and what the model says of each road, which takes a while to find out. " +
		"It can be named wherever a network is, is checked when it is opened, and is mapped into memory: any number of processes share it. " +
		"A new file may take its name while it is in use; its content must not be changed in place.\n\n" +
		"Examples:\n  retrace networks export porto -o porto.network\n  retrace networks export porto.osm.pbf -o porto.network --no-model"
}

func (c *networksExport) Run(s *session) error {
	if filepath.Ext(c.Output) != netfile.Extension {
		return usage("%s: the name of a network file ends in %s", c.Output, netfile.Extension)
	}
	net, bm, err := s.network(c.Network)
	if err != nil {
		return err
	}
	if c.NoMap {
		bm = nil
	}
	var roads []netfile.Roads
	if !c.NoModel {
		settings := engine.DefaultSettings()
		settings.Threads = s.globals.Threads
		if err := (methodFlags{Method: engine.MethodRNTrajRec, Model: c.Model, Device: string(device.CPU)}).choose(s, &settings); err != nil {
			return fmt.Errorf("%w; --no-model writes the network alone", err)
		}
		if encoder := settings.Model.Encoder; encoder != nil {
			values, err := s.allRoads(net, settings)
			if err != nil {
				return err
			}
			roads = append(roads, netfile.Roads{Model: settings.Model.Hash, Width: encoder.Width(), Values: values})
		}
	}
	s.progress.show("writing", c.Output)
	err = netfile.Write(c.Output, net, bm, roads, "retrace "+s.version)
	s.progress.clear()
	if err != nil {
		return err
	}
	return c.print(s, networkLineOf(net.Info()), len(roads) > 0)
}

// print tells what was written.
func (c *networksExport) print(s *session, line networkLine, asked bool) error {
	info, err := os.Stat(c.Output)
	if err != nil {
		return err
	}
	if s.globals.JSON {
		return s.printJSON(struct {
			File  string      `json:"file"`
			Bytes int64       `json:"bytes"`
			Roads bool        `json:"roads"`
			Of    networkLine `json:"network"`
		}{c.Output, info.Size(), asked, line})
	}
	what := "without what a model says of its roads"
	if asked {
		what = "with what the model says of its roads"
	}
	_, err = fmt.Fprintf(s.stdout, "%s: %s, %s, %s; fingerprint %s\n", c.Output, plural(line.Segments, "segment", "segments"), size(info.Size()), what, short(line.Fingerprint))
	return err
}
