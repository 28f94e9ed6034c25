package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrace/engine"
	"retrace/ui/state"
	"retrace/ui/work"
)

func TestPinRecoversAgainAndUndoTakesItBack(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.retrace")
	s := openStage(t, path, 1024, 700, 1, townExtract(t, dir), townTrips(t, dir, 2))
	s.until("all trips are read", func() bool { return len(s.m.Trips()) == 2 })
	s.idle()
	s.actions.Do("recoverall")
	s.idle()
	trip := s.m.Trip("bus 1")
	before := trip.Recovery().Matches[1].At.Segment
	other := before
	for _, c := range trip.Recovery().Matches[1].Candidates {
		if c.Segment != before {
			other = c.Segment
			break
		}
	}
	if other == before {
		t.Fatal("there is no other candidate to pin to")
	}
	s.desk.Pin(trip, 1, other, false)
	s.idle()
	if got := trip.Recovery().Matches[1].At.Segment; got != other {
		t.Errorf("the pinned input lies on %d, want %d", got, other)
	}
	s.end()

	again := openStage(t, path, 1024, 700, 1)
	again.until("the trips are back", func() bool { return again.m.Count().Recovered == 2 })
	again.idle()
	if got := again.m.Trip("bus 1").Pins; len(got) != 1 || got[0] != (engine.Pin{Sample: 1, Segment: other}) {
		t.Errorf("after a restart the pins are %+v", got)
	}
	again.desk.Unpin(again.m.Trip("bus 1"), 1)
	again.idle()
	again.actions.Do("undo")
	again.idle()
	if len(again.m.Trip("bus 1").Pins) != 1 {
		t.Error("undo does not bring the pin back")
	}
}

func TestExportAndPictures(t *testing.T) {
	s := recoveredTown(t, 2)
	s.m.SelectTrip("bus 1")
	s.until("the map is drawn", s.drawn)
	dir := t.TempDir()
	for i, f := range work.Formats() {
		path := filepath.Join(dir, string(rune('a'+i))+filepath.Ext(f.File))
		s.desk.Export(path, f, s.m.Trips())
		s.idle()
		if info, err := os.Stat(path); err != nil || info.Size() < 50 {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	for ending, head := range map[string]string{"png": "\x89PNG", "svg": "<", "pdf": "%PDF"} {
		path := filepath.Join(dir, "map."+ending)
		s.desk.SavePicture(path, s.view.Scene(), s.view.View(), s.view.Look())
		s.idle()
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(data), head) || len(data) < 1000 {
			t.Errorf("%s: %d bytes, %v", ending, len(data), err)
		}
	}
	copied := filepath.Join(dir, "copy.retrace")
	s.desk.SaveCopy(copied)
	s.idle()
	other := openStage(t, copied, 1024, 700, 1)
	other.until("the copy holds the trips", func() bool { return other.m.Count().Recovered == 2 })
}

func TestCopyAsCSVAndFilter(t *testing.T) {
	s := recoveredTown(t, 3)
	s.dock.Filter.SetText("name = 2")
	s.tapButton("Copy as CSV")
	lines := strings.Split(strings.TrimSpace(s.app.Clipboard().Content()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "Name,Start,") || !strings.HasPrefix(lines[1], "bus 2,2024-05-06 ") {
		t.Errorf("copied %q", lines)
	}
	s.dock.Filter.SetText("risk > 2")
	if n := s.dock.Table(0).List.Count(); n != 0 {
		t.Errorf("%d rows have a risk above two", n)
	}
}

// What a message offers goes away when there is nothing to do any more, however
// it came to be done; a warning stays without its offer.
func TestAnOfferEndsWithItsReason(t *testing.T) {
	s := withTown(t, 2)
	offered := func() bool {
		for _, n := range s.m.Notices() {
			if n.Offer != nil && n.Offer.Name == "Recover them" {
				return true
			}
		}
		return false
	}
	if !offered() {
		t.Fatalf("it is not offered to recover the trips: %+v", s.m.Notices())
	}
	s.m.NotifyOffer(state.Warn, "a warning", "", &state.Offer{Name: "Recover them too", Due: func() bool { return s.m.Count().Recovered == 0 }})
	s.actions.Do("recoverall")
	s.idle()
	if offered() {
		t.Error("it is still offered to recover the trips")
	}
	for _, n := range s.m.Notices() {
		if n.Text == "a warning" && n.Offer == nil {
			return
		}
	}
	t.Errorf("the warning is gone, or still has its offer: %+v", s.m.Notices())
}
