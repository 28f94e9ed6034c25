package command

import (
	"cmp"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"retrace/engine/trajectory/read"
)

type inspectCommand struct {
	Files []string `arg:"" name:"file" help:"Trajectory files, folders, archives or extracts; - is standard input."`
	readFlags
}

func (inspectCommand) Help() string {
	return "Nothing is kept. Of a large trajectory file the beginning is read.\n\n" +
		"Examples:\n  retrace preview trips.csv\n  retrace inspect --json *.gpx | jq .samples"
}

func (c *inspectCommand) Run(s *session) error {
	opt, err := c.options()
	if err != nil {
		return err
	}
	table, err := c.openProblems()
	if err != nil {
		return err
	}
	defer table.abort()
	var broken error
	opt.Problem = func(p read.Problem) { broken = errors.Join(broken, table.add(p)) }
	failed, some := 0, error(nil)
	for _, path := range c.Files {
		err := s.inspect(path, opt)
		switch {
		case s.ctx.Err() != nil:
			return s.ctx.Err()
		case errors.Is(err, errSome): // it said what
			some = errSome
		case err != nil:
			failed++
			s.complain(err)
		}
	}
	if err := errors.Join(broken, table.close()); err != nil {
		return err
	}
	if failed == 0 {
		return some
	}
	return someOf(failed, len(c.Files))
}

// someOf is the exit status of a command of whose inputs some failed; each was
// named when it did.
func someOf(failed, all int) error {
	switch {
	case failed == 0:
		return nil
	case failed < all:
		return errSome
	}
	return &exitError{NothingRead, fmt.Errorf("nothing could be read")}
}

func (s *session) inspect(path string, opt read.Options) error {
	if isExtract(path) {
		r, err := s.importExtracts([]string{path}, "")
		if err != nil {
			return err
		}
		return s.printImport(r.Network.Info(), r.Report)
	}
	if err := refused(path); err != nil {
		return err
	}
	i, err := read.Inspect(s.ctx, path, s.stdin, opt)
	if err != nil {
		return err
	}
	if s.globals.JSON {
		err = s.printJSON(i)
	} else {
		_, err = fmt.Fprint(s.stdout, inspectionText(i))
	}
	if err != nil {
		return err
	}
	s.suggest([]string{path}, opt, s.placesOf())
	if i.Failure != "" {
		return fmt.Errorf("%s", i.Failure)
	}
	for _, failed := range i.Failed {
		s.complain(errors.New(failed))
	}
	if more := i.FailedFiles - len(i.Failed); more > 0 {
		s.complain(fmt.Errorf("%s: %s more cannot be read", path, plural(more, "file", "files")))
	}
	if i.FailedFiles > 0 {
		return errSome
	}
	return nil
}

// inspectionText is an inspection for people.
func inspectionText(i *read.Inspection) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", i.File, i.Kind)
	if i.Compressed {
		b.WriteString(", compressed")
	}
	if i.Encoding != "" && i.Encoding != "utf-8" {
		fmt.Fprintf(&b, ", %s", i.Encoding)
	}
	if i.Bytes > 0 {
		fmt.Fprintf(&b, ", %s", size(i.Bytes))
	}
	b.WriteByte('\n')
	if i.Complete {
		fmt.Fprintf(&b, "  %s with %s\n", plural(i.Trajectories, "trajectory", "trajectories"), plural(i.Samples, "point", "points"))
	} else {
		fmt.Fprintf(&b, "  about %s points; what follows is of the first %s in %s\n",
			count(i.Estimate), count(i.Samples), plural(i.Trajectories, "trajectory", "trajectories"))
	}
	if i.Samples > 0 {
		fmt.Fprintf(&b, "  from %s to %s\n  longitude %.5f to %.5f, latitude %.5f to %.5f\n",
			i.First, i.Last, i.Bounds.MinLon, i.Bounds.MaxLon, i.Bounds.MinLat, i.Bounds.MaxLat)
	}
	dialectText(&b, i.Dialect)
	for _, note := range i.Notes {
		fmt.Fprintf(&b, "  %s\n", note)
	}
	for _, row := range i.Rows[:min(len(i.Rows), 5)] {
		fmt.Fprintf(&b, "    %s\n", strings.Join(row, " | "))
	}
	reasonsText(&b, i.Reasons)
	for _, p := range i.Problems[:min(len(i.Problems), 5)] {
		fmt.Fprintf(&b, "    %s\n", p)
	}
	return b.String()
}

func dialectText(b *strings.Builder, d *read.Dialect) {
	if d == nil {
		return
	}
	names := map[string]string{",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
	if d.Separator == "" {
		b.WriteString("  a table")
	} else {
		fmt.Fprintf(b, "  separated by %s", cmp.Or(names[d.Separator], strconv.Quote(d.Separator)))
	}
	if d.DecimalComma {
		b.WriteString(", decimal comma")
	}
	if d.Time != "" {
		fmt.Fprintf(b, ", times as %s", d.Time)
	}
	b.WriteByte('\n')
	for i, c := range d.Columns {
		if c.Role == read.Ignore {
			continue
		}
		fmt.Fprintf(b, "  column %d", i+1)
		if c.Name != "" {
			fmt.Fprintf(b, " (%s)", c.Name)
		}
		fmt.Fprintf(b, ": %s\n", c.Role)
	}
}

// reasonsText counts what was left out or mended, the most frequent first.
func reasonsText(b *strings.Builder, reasons map[string]int) {
	names := make([]string, 0, len(reasons))
	for r := range reasons {
		names = append(names, r)
	}
	sort.Slice(names, func(i, j int) bool {
		if reasons[names[i]] != reasons[names[j]] {
			return reasons[names[i]] > reasons[names[j]]
		}
		return names[i] < names[j]
	})
	for _, r := range names {
		fmt.Fprintf(b, "%12s  %s\n", count(reasons[r]), r)
	}
}
