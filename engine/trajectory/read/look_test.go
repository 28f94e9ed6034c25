package read

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"retrace/engine/trajectory"
	"retrace/engine/trajectory/clean"
)

// An inspection hands on the trips of the beginning, says what each rule did to
// them, and tells columns apart that are not read.
func TestInspectionShowsTripsRulesAndOtherColumns(t *testing.T) {
	var b strings.Builder
	b.WriteString("vehicle,time,lon,lat,speed,heading,altitude\n")
	for _, row := range []string{"10:00:00", "10:00:00", "10:01:00", "12:00:00"} {
		b.WriteString("a,2024-05-06 " + row + ",8.50001,49.10001,31.5,270,\n")
	}
	b.WriteString("a,2024-05-06 12:01:00,8.50001,49.10001\n") // the others are not there: they are not needed
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	trips, samples := 0, 0
	i, err := Inspect(context.Background(), path, nil, Options{Clean: clean.Rules{Duplicates: true, Gap: time.Hour},
		Look: func(t *trajectory.Trajectory) { trips++; samples += len(t.Samples) }})
	if err != nil || i.Failure != "" {
		t.Fatal(err, i.Failure)
	}
	if trips != 2 || samples != 4 || i.Rules[clean.Duplicates] != 1 || i.Rules[clean.Gaps] != 1 {
		t.Errorf("%d trips with %d samples, rules %v", trips, samples, i.Rules)
	}
	var roles []string
	for _, c := range i.Dialect.Columns {
		roles = append(roles, string(c.Role))
	}
	if got := strings.Join(roles, " "); got != "vehicle time lon lat speed heading " {
		t.Errorf("roles %q", got)
	}
	for _, p := range i.Problems {
		if p.Rule == string(clean.Gaps) && (p.At == nil || p.At.Lon != 8.50001) {
			t.Errorf("the cut lies at %v", p.At)
		}
	}
	i, err = Inspect(context.Background(), path, nil, Options{Head: 2})
	if err != nil || i.Samples > 2 || i.Complete {
		t.Errorf("of two samples: %d, complete %t, %v", i.Samples, i.Complete, err)
	}
}

func TestShapeTellsTablesApart(t *testing.T) {
	shape := func(d Dialect) string { return d.Shape() }
	named := Dialect{Separator: ",", Header: true, Columns: []Column{{"id", TrajectoryID}, {"x", Lon}}}
	again := Dialect{Separator: ",", Header: true, Columns: []Column{{"id", Ignore}, {"x", Lat}}}
	other := Dialect{Separator: ";", Header: true, Columns: []Column{{"id", TrajectoryID}, {"x", Lon}}}
	bare := Dialect{Separator: ",", Columns: []Column{{"", TrajectoryID}, {"", Lon}}}
	if shape(named) != shape(again) {
		t.Error("the same columns in other roles are another shape")
	}
	if shape(named) == shape(other) || shape(named) == shape(bare) {
		t.Error("other tables have the same shape")
	}
}

func TestTransformIsThatOfTheReader(t *testing.T) {
	f, err := Transform("GCJ-02")
	if err != nil {
		t.Fatal(err)
	}
	if lon, lat := f(116.404, 39.915); lon > 116.400 || lat > 39.915 {
		t.Errorf("in Beijing the shift leads to %f %f", lon, lat)
	}
	if _, err := Transform("EPSG:1"); err == nil {
		t.Error("a system that is not there is known")
	}
}

// Another separator than the one that is guessed, another column of times, and
// the rows as they are cut then.
func TestWhatWasGuessedCanBeCorrected(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	text := "a;1,5;8.50001;49.10001;06.05.2024;10:00;2024-05-07 11:00:00\na;2,5;8.50002;49.10002;06.05.2024;10:01;2024-05-07 11:01:00\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	i, err := Inspect(context.Background(), path, nil, Options{Separator: ","})
	if err != nil || len(i.Rows) != 2 || len(i.Rows[0]) != 2 {
		t.Fatalf("cut at commas: %v, %v", i.Rows, err)
	}
	d := Dialect{Separator: ";", Columns: []Column{{"", TrajectoryID}, {}, {"", Lon}, {"", Lat}, {"", Date}, {"", Clock}, {}}}
	rows := [][]string{strings.Split("a;1,5;8.50001;49.10001;06.05.2024;10:00;2024-05-07 11:00:00", ";")}
	if got := GuessTime(d, rows); got != "DD.MM.YYYY hh:mm" {
		t.Errorf("date and clock are written %q", got)
	}
	d.Columns[4].Role, d.Columns[5].Role, d.Columns[6].Role = Ignore, Ignore, Time
	if d.Time = GuessTime(d, rows); d.Time != "YYYY-MM-DD hh:mm:ss" {
		t.Errorf("times are written %q", d.Time)
	}
	i, err = Inspect(context.Background(), path, nil, Options{Dialect: &d})
	if err != nil || i.Failure != "" || i.First != "2024-05-07T11:00:00Z" || len(i.Rows) != 2 || len(i.Rows[0]) != 7 {
		t.Errorf("as corrected: %+v, %v", i, err)
	}
}
