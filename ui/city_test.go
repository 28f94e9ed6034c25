package ui

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"retrace/engine"
	"retrace/engine/citymodel"
	"retrace/engine/enginetest"
	"retrace/ui/kit"
	"retrace/ui/state"
)

// chooseCity sets a method and the folder of a system of one network as the settings do.
func (s *stage) chooseCity(method, folder string) {
	o := s.m.Options()
	o.Method, o.City = method, folder
	s.desk.SetOptions(o)
	s.idle()
}

func TestASystemOfTheNetworkRecoversAndIsComparedWithTheModel(t *testing.T) {
	m := &enginetest.Models{}
	s := withModels(t, m, filepath.Join(t.TempDir(), "w.retrace"))
	m.City = enginetest.CityOf(s.m.Network(), citymodel.MTrajRec)
	trip := s.m.Trips()[0]
	s.m.SelectTrip(trip.ID())
	if s.actions.Do("comparecity") {
		t.Error("there is no model of this network yet, and it is offered to compare with")
	}
	s.chooseCity(state.MethodAuto, "folder")
	before := trip.Recovery()
	if !s.actions.Do("comparecity") {
		t.Fatalf("the model of this network is not offered; told %s", s.told())
	}
	s.idle()
	c, ok := s.m.Comparison()
	if !ok || c.Other.Provenance.Method != citymodel.MTrajRec || c.Ours.Provenance.Method != engine.MethodRNTrajRec || trip.Recovery() != before {
		t.Errorf("compared: %v with %+v; told %s", ok, c.Other, s.told())
	}

	s.chooseCity(state.MethodCity, "folder")
	if c := s.m.Computing(); c.Model != "toy of one city" || c.Fault != nil {
		t.Errorf("computing %+v", c)
	}
	s.actions.Do("recoverall")
	s.idle()
	if got := s.made(); got != "mtrajrec cpu, mtrajrec cpu" {
		t.Errorf("recovered by %s; told %s", got, s.told())
	}
	if got := s.desk.OtherMethods(s.m.Trips()[0]); !slices.Equal(got, []string{engine.MethodHMM, engine.MethodRNTrajRec}) {
		t.Errorf("compared with %v", got)
	}
	s.actions.Do("undo") // the recovery
	s.actions.Do("undo") // the settings
	s.idle()
	if o := s.m.Options(); o.Method != state.MethodAuto || o.City != "folder" {
		t.Errorf("undone to %+v", o)
	}
}

func TestWithoutASystemThatFitsTheWindowSaysHowOneIsMade(t *testing.T) {
	m := &enginetest.Models{}
	s := withModels(t, m, filepath.Join(t.TempDir(), "w.retrace"))
	s.chooseCity(state.MethodCity, "")
	if told := s.told(); !strings.Contains(told, "until another method is chosen") || !strings.Contains(told, "make results") || !strings.Contains(told, "rntrajrec.systems.export") {
		t.Errorf("told %s", told)
	}
	if c := s.m.Computing(); !c.Idle || c.Model != "" {
		t.Errorf("computing %+v, want that nothing recovers", c)
	}
	s.actions.Do("recoverall")
	s.idle()
	if got := s.made(); strings.Contains(got, "mtrajrec") {
		t.Errorf("recovered by %s without a model", got)
	}
	s.chooseCity(state.MethodCity, "nowhere")
	if told := s.told(); !strings.Contains(told, "there is no model of one network") {
		t.Errorf("told %s", told)
	}
	m.City = enginetest.CityOf(s.m.Network(), citymodel.T2Vec)
	m.City.City.Fingerprint, m.City.City.Network = "anotherone", "lisbon"
	s.chooseCity(state.MethodCity, "folder")
	s.actions.Do("recoverall")
	s.idle()
	if told := s.told(); !strings.Contains(told, "trained on another network than this one") || !strings.Contains(told, `"lisbon"`) {
		t.Errorf("told %s", told)
	}
	s.m.SelectTrip(s.m.Trips()[0].ID())
	if s.actions.Do("comparecity") {
		t.Error("a model of another network is offered to compare with")
	}
}

func TestTheFolderOfASystemIsChosenInTheSettings(t *testing.T) {
	s := recoveredTown(t, 1)
	s.actions.Do("settings")
	form := s.win.Canvas().Overlays().Top()
	for _, e := range below[*kit.Entry](form) {
		e.SetText(" /models/mtrajrec ")
	}
	for _, c := range below[*kit.Select](form) {
		if i := slices.Index(c.Options, "model of one network, from a folder"); i >= 0 {
			c.SetSelectedIndex(i)
		}
	}
	s.tapButton("Folder…")
	if s.win.Canvas().Overlays().Top() == form {
		t.Error("no folder is asked for")
	}
	s.key(fyne.KeyEscape)
	if s.win.Canvas().Overlays().Top() != form {
		t.Fatal("Escape leaves more than the question for a folder")
	}
	s.unfocus()
	s.key(fyne.KeyReturn)
	if o := s.m.Options(); o.City != "/models/mtrajrec" || o.Method != state.MethodCity {
		t.Errorf("the settings say %+v", o)
	}
}
