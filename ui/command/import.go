package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"retrace/engine/roadnet"
	"retrace/osmimport"
	"retrace/storage"
)

type importCommand struct {
	Extracts []string `arg:"" name:"extract" help:"OpenStreetMap extracts (.osm.pbf, .osm, .osm.gz, .osm.bz2), merged to one network."`
	Name     string   `placeholder:"NAME" help:"Name of the network. Default: that of the first file."`
}

func (importCommand) Help() string {
	return "Prints what was kept, what was left out and why, and what was odd about the files, with object ids.\n\n" +
		"Examples:\n  retrace import porto.osm.pbf\n  retrace import --name North norte.osm.pbf galicia.osm.pbf"
}

func (c *importCommand) Run(s *session) error {
	if c.Name == "" {
		c.Name = networkName(c.Extracts[0])
	}
	if err := storage.CheckName(c.Name); err != nil {
		return usage("%w", err)
	}
	w, err := s.workspace(false)
	if err != nil {
		return err
	}
	defer w.Close()
	if err := nameFree(w, c.Name); err != nil {
		return err
	}
	r, err := s.importExtracts(c.Extracts, c.Name)
	if err != nil {
		return err
	}
	report, err := json.Marshal(r.Report)
	if err != nil {
		return err
	}
	s.progress.show("keeping the network", "")
	if err := w.SaveNetwork(s.ctx, r.Network, r.Basemap, report); err != nil {
		return err
	}
	s.progress.clear()
	return s.printImport(r.Network.Info(), r.Report)
}

// networkName is a file's name without folder and extensions.
func networkName(path string) string {
	base := filepath.Base(path)
	for _, ext := range []string{".gz", ".bz2", ".pbf", ".osm"} {
		base = strings.TrimSuffix(base, ext)
	}
	return base
}

// nameFree says that a name is taken before the work begins.
func nameFree(w *storage.Workspace, name string) error {
	infos, err := w.Networks()
	if err != nil {
		return err
	}
	for _, i := range infos {
		if i.Name == name {
			return &exitError{WrongUsage, &storage.ExistsError{Name: name}}
		}
	}
	return nil
}

// importExtracts imports with progress.
func (s *session) importExtracts(paths []string, name string) (*osmimport.Result, error) {
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
	}
	phases := map[string]string{"roads": "reading roads", "nodes": "reading nodes", "network": "building the network", "background": "building the background"}
	opt := osmimport.Options{Name: name, Progress: func(p osmimport.Progress) {
		phase := phases[p.Phase]
		if phase == "" {
			phase = p.Phase
		}
		s.progress.show(phase, share(p.Done, p.Total))
	}}
	// An import makes much garbage early and is quick: collecting it often costs
	// little and halves the memory.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	r, err := osmimport.Import(s.ctx, paths, opt)
	s.progress.clear()
	return r, err
}

func (s *session) printImport(info roadnet.Info, r osmimport.Report) error {
	if s.globals.JSON {
		return s.printJSON(struct {
			Network networkLine      `json:"network"`
			Report  osmimport.Report `json:"report"`
		}{networkLineOf(info), r})
	}
	_, err := fmt.Fprint(s.stdout, importText(info, r))
	return err
}

// importText is the report of an import for people.
func importText(info roadnet.Info, r osmimport.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %.1f km of roads\n", info.Name, plural(r.Segments, "segment", "segments"), plural(r.Nodes, "node", "nodes"), r.Length/1000)
	for _, f := range r.Files {
		fmt.Fprintf(&b, "from %s (%s, %s)\n", f.Path, f.Format, size(f.Bytes))
	}
	fmt.Fprintf(&b, "read %s nodes, %s ways, %s relations in %.2f s", count(r.Read.Nodes), count(r.Read.Ways), count(r.Read.Relations), r.Seconds)
	if r.PeakRSS > 0 {
		fmt.Fprintf(&b, ", at most %s of memory", size(r.PeakRSS))
	}
	b.WriteByte('\n')
	itemsText(&b, "kept", r.Kept)
	itemsText(&b, "left out", r.Dropped)
	itemsText(&b, "odd about the files", r.Oddities)
	return b.String()
}

// itemsText lists what was met, with the first few objects.
func itemsText(b *strings.Builder, title string, items []osmimport.Item) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", title)
	for _, i := range items {
		fmt.Fprintf(b, "%12s  %s", count(i.Count), i.What)
		if few := min(len(i.Objects), 3); few > 0 {
			fmt.Fprintf(b, " (%s", strings.Join(i.Objects[:few], ", "))
			if int64(few) < i.Count {
				b.WriteString(", …")
			}
			b.WriteByte(')')
		}
		b.WriteByte('\n')
	}
}

type networksCommand struct {
	List   networksList   `cmd:"" default:"1" help:"List the networks; so does retrace networks alone."`
	Export networksExport `cmd:"" help:"Write a network to a file of its own, for many processes at once."`
	Remove networksRemove `cmd:"" help:"Remove a network."`
}

func (networksCommand) Help() string {
	return "Without a further command the networks are listed.\n\nExamples:\n  retrace networks\n  retrace networks export porto -o porto.network\n  retrace networks remove porto"
}

type networksList struct{}

// networkLine is a network as it is printed with --json.
type networkLine struct {
	Name        string         `json:"name"`
	Segments    int            `json:"segments"`
	Nodes       int            `json:"nodes"`
	Bounds      roadnet.Bounds `json:"bounds"`
	TimeZone    string         `json:"time_zone"`
	Source      string         `json:"source"`
	DataDate    string         `json:"data_date,omitempty"`
	Attribution string         `json:"attribution"`
	Fingerprint string         `json:"fingerprint"`
}

func networkLineOf(i roadnet.Info) networkLine {
	return networkLine{i.Name, i.Segments, i.Nodes, i.Bounds, i.TimeZone, i.Source, i.DataDate, i.Attribution, i.Fingerprint}
}

func (networksList) Run(s *session) error {
	w, err := s.workspace(true)
	if errors.Is(err, os.ErrNotExist) {
		s.note("there is no workspace yet: retrace import makes one")
		return nil
	}
	if err != nil {
		return err
	}
	defer w.Close()
	infos, err := w.Networks()
	if err != nil {
		return err
	}
	for _, i := range infos {
		if s.globals.JSON {
			err = s.printJSON(networkLineOf(i))
		} else {
			_, err = fmt.Fprintf(s.stdout, "%s: %s, %s, from %s\n", i.Name, plural(i.Segments, "segment", "segments"), i.TimeZone, i.Source)
		}
		if err != nil {
			return err
		}
	}
	if len(infos) == 0 && len(w.Damage()) == 0 {
		s.note("the workspace %s holds no network: retrace import makes one", w.Path())
	}
	return nil
}

type networksRemove struct {
	Name string `arg:"" help:"Name of the network."`
}

func (c *networksRemove) Run(s *session) error {
	w, err := s.workspace(false)
	if err != nil {
		return err
	}
	defer w.Close()
	err = w.RemoveNetwork(s.ctx, c.Name)
	if _, ok := errors.AsType[*storage.NotFoundError](err); ok {
		return s.unknownNetwork(w, c.Name)
	}
	return err
}
