package command

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// Of a taxi that stood for two hours two trips come, and with --join one of two parts,
// in every table, the gap between them told as a cut.
func TestPiecesOfACutTripAreJoinedIfAsked(t *testing.T) {
	b := newBench(t)
	file := b.put("cut.csv", standing(t, b.trips()))
	args := []string{"recover", file, "--network", b.extract(), "--method", "hmm", "-o", b.file("points.csv"), "--path", b.file("path.csv"), "--gaps", b.file("gaps.csv")}

	b.run(OK, append(args, "--in-order")...)
	if got := idsOf(b.rows(b.file("points.csv"))); got != "taxi/1 taxi/2" {
		t.Errorf("without --join the trips are %q", got)
	}
	b.run(OK, append(args, "--join")...)
	for _, table := range []string{"points.csv", "path.csv", "gaps.csv"} {
		if got := idsOf(b.rows(b.file(table))); got != "taxi" {
			t.Errorf("%s: with --join the trips are %q", table, got)
		}
	}
	parts, cuts := map[string]bool{}, 0
	for _, r := range b.rows(b.file("path.csv")) {
		parts[r["part"]] = true
	}
	for _, r := range b.rows(b.file("gaps.csv")) {
		if r["why"] == "cut" {
			cuts++
		}
	}
	if len(parts) != 2 || cuts != 1 {
		t.Errorf("%d parts and %d cuts, want 2 and 1", len(parts), cuts)
	}
}

// standing is the first trip of a table, of a vehicle that stood for two hours half way.
func standing(t *testing.T, table string) string {
	t.Helper()
	content, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(content), "\n")
	id, _, _ := strings.Cut(lines[1], ",")
	rows := 1
	for strings.HasPrefix(lines[rows], id+",") {
		rows++
	}
	var out strings.Builder
	out.WriteString(lines[0] + "\n")
	for i, line := range lines[1:rows] {
		fields := strings.Split(line, ",")
		at, err := time.Parse(time.RFC3339, fields[2])
		if err != nil {
			t.Fatal(err)
		}
		if i >= rows/2 {
			at = at.Add(2 * time.Hour)
		}
		fmt.Fprintf(&out, "taxi,,%s,%s\n", at.Format(time.RFC3339), strings.Join(fields[3:], ","))
	}
	return out.String()
}

// idsOf are the different trajectories of a table, in their order.
func idsOf(rows []map[string]string) string {
	var ids []string
	for _, r := range rows {
		if id := r["trajectory"]; len(ids) == 0 || ids[len(ids)-1] != id {
			ids = append(ids, id)
		}
	}
	return strings.Join(ids, " ")
}
