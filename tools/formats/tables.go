package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"retrace/engine/flow"
	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/engine/trajectory/write"
)

// ofTables is what stands before the extension of a table of links.
const ofTables = ".links"

// tableChecks are those of the tables that retrace flow writes.
func tableChecks() []check {
	var all []check
	for _, ext := range write.TableExtensions() {
		all = append(all, check{name: "table", ending: ofTables + ext, table: true})
	}
	all = append(all, check{name: "duckrows", ending: ofTables + ".parquet", table: true})
	return append(all, check{name: "openpyxl", ending: ofTables + ".xlsx", table: true})
}

// writeTables writes a table of links in each format, as retrace flow links does.
func (w *written) writeTables(net *roadnet.Network, recoveries []*trajectory.Recovery, about write.About) error {
	study := flow.NewLinkStudy(net, flow.Study{})
	for _, r := range recoveries {
		study.Add(flow.Trip{ID: r.Trajectory, Recovery: r})
	}
	rows := study.Rows()
	w.links = len(rows)
	table := write.Table{Name: "links", Holds: "drives by road segment", Columns: []write.Column{{Name: "segment", Kind: write.Whole},
		{Name: "name", Kind: write.Words}, {Name: "count", Kind: write.Fine, Means: "drives expected", Sums: true}}}
	for _, ext := range write.TableExtensions() {
		out, err := write.CreateTable(w.file(ofTables+ext), table, about)
		if err != nil {
			return err
		}
		defer out.Abort()
		for _, r := range rows {
			line, _ := net.LineOf(r.Segment)
			if err := out.Add([]any{int64(r.Segment), net.LineRoad(line).Name, r.Count.Mean}, net.Geometry(r.Segment, nil)); err != nil {
				return err
			}
		}
		if err := out.Close(); err != nil {
			return err
		}
	}
	return nil
}

// tablesText says what tables were checked with.
func tablesText(ctx context.Context, dir string, w *written) (string, error) {
	by := map[string][]string{}
	for _, c := range tableChecks() {
		version, err := c.run(ctx, dir, w)
		if errors.Is(err, errAbsent) {
			fmt.Fprintf(os.Stderr, "formats: %s of %s: %v\n", c.name, c.ending, err)
			continue
		}
		if err != nil {
			return "", err
		}
		ext := strings.TrimPrefix(c.ending, ofTables)
		by[ext] = append(by[ext], version)
	}
	var b strings.Builder
	b.WriteString("## Tables of flows\n\nThe analyses of `retrace flow` write tables with a line or a point for each row. CSV has a file beside it that says what its columns mean; " +
		"an Excel workbook has no geometries, but a sheet for that, with formulas for sums. Other programs found every row:\n\n| table | checked with |\n|---|---|\n")
	for _, ext := range write.TableExtensions() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", ext, strings.Join(slices.Concat(by[ext], emptyAs(by[ext], "-")), "; "))
	}
	b.WriteString("\nZones are read from GeoPackage, GeoJSON and shapefiles of polygons (FuzzAreas), at most 200,000 of them in 512 MiB.\n\n")
	return b.String(), nil
}

// tablesOf writes tables into a folder, and says what they were checked with.
func tablesOf(dir string) (string, error) {
	w, err := writeRecoveries(context.Background(), dir)
	if err != nil {
		return "", err
	}
	return tablesText(context.Background(), dir, w)
}

// emptyAs is a text where a list is empty.
func emptyAs(list []string, text string) []string {
	if len(list) == 0 {
		return []string{text}
	}
	return nil
}
