package ui

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"retrace/engine"
	"retrace/engine/device"
	"retrace/engine/enginetest"
	"retrace/ui/state"
)

// withModels opens the window with two trips and models, and recovers them.
func withModels(t *testing.T, m *enginetest.Models, path string) *stage {
	t.Helper()
	dir := t.TempDir()
	s := openStage(t, path, 1024, 700, 1, townExtract(t, dir), townTrips(t, dir, 2))
	s.until("all trips are read", func() bool { return len(s.m.Trips()) == 2 })
	s.idle()
	s.useModels(m)
	s.actions.Do("recoverall")
	s.idle()
	return s
}

// useModels gives the window models as if it had been opened with them.
func (s *stage) useModels(m engine.Models) {
	s.desk.Models = m
	s.choose(engine.MethodHMM, device.Auto)
	s.choose(state.MethodAuto, device.Auto)
}

// choose sets method and device as the settings do.
func (s *stage) choose(method string, on device.Name) {
	o := s.m.Options()
	o.Method, o.Device = method, string(on)
	s.m.SetOptions(o)
	s.idle()
}

// made says by which method and on what the trips were recovered.
func (s *stage) made() string {
	var all []string
	for _, t := range s.m.Trips() {
		if t.Recovery() != nil {
			all = append(all, t.Recovery().Provenance.Method+" "+t.Recovery().Provenance.Device)
		}
	}
	return strings.Join(all, ", ")
}

// told are the messages with their details.
func (s *stage) told() string {
	var all []string
	for _, n := range s.m.Notices() {
		all = append(all, n.Text+" | "+n.Detail)
	}
	return strings.Join(all, "\n")
}

func TestTheModelRecoversByDefault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.retrace")
	s := withModels(t, &enginetest.Models{}, path)
	if got := s.made(); got != "rntrajrec webgpu, rntrajrec webgpu" {
		t.Errorf("recovered by %s; messages: %s", got, s.told())
	}
	c := s.m.Computing()
	if c.Model != "toy" || c.Device != device.WebGPU || len(c.Verdicts) == 0 || c.Fault != nil {
		t.Errorf("computing %+v", c)
	}
	want := s.m.Trips()[0].Recovery().Provenance
	if want.Model != "toy@0123456789abcdef" {
		t.Errorf("provenance %+v", want)
	}
	s.choose(engine.MethodHMM, device.Auto)
	s.recoverOne(s.m.Trips()[1])
	s.idle()
	if got := s.made(); got != "rntrajrec webgpu, hmm cpu" {
		t.Errorf("recovered by %s", got)
	}
	s.end()

	again := openStage(t, path, 1024, 700, 1)
	again.until("the trips are back", func() bool { return again.m.Count().Recovered == 2 })
	if got := again.made(); got != "rntrajrec webgpu, hmm cpu" {
		t.Errorf("after a restart the trips were recovered by %s", got)
	}
	if got := again.m.Trips()[0].Recovery().Provenance; got != want {
		t.Errorf("after a restart the provenance is %+v, was %+v", got, want)
	}
	if o := again.m.Options(); o.Method != engine.MethodHMM {
		t.Errorf("after a restart the method is %q", o.Method)
	}
}

func TestWithoutAModelTheWindowMatchesAndSaysSo(t *testing.T) {
	s := withModels(t, &enginetest.Models{Fault: errors.New("routes.onnx is cut short")}, filepath.Join(t.TempDir(), "w.retrace"))
	if got := s.made(); got != "hmm cpu, hmm cpu" {
		t.Errorf("recovered by %s", got)
	}
	if told := s.told(); !strings.Contains(told, "recovered by map matching (HMM). | routes.onnx is cut short") {
		t.Errorf("told %s", told)
	}
	if c := s.m.Computing(); c.Fault == nil || c.Model != "" {
		t.Errorf("computing %+v", c)
	}
	s.choose(engine.MethodRNTrajRec, device.Auto)
	s.actions.Do("recoverall")
	s.idle()
	if told := s.told(); !strings.Contains(told, "no trip is recovered") {
		t.Errorf("told %s", told)
	}
	if got := s.made(); strings.Contains(got, "rntrajrec") {
		t.Errorf("recovered by %s without a model", got)
	}
}

// Nobody waits for devices: the CPU computes until what is better was found.
func TestTheWindowTriesDevicesBesideTheWork(t *testing.T) {
	m := &enginetest.Models{Untried: true}
	s := withModels(t, m, filepath.Join(t.TempDir(), "w.retrace"))
	if c := s.m.Computing(); m.Untried || c.Device != device.WebGPU || len(c.Verdicts) == 0 || c.Fault != nil {
		t.Errorf("untried %v, computing %+v", m.Untried, c)
	}
	m = &enginetest.Models{Untried: true, Refused: "it answers wrongly"}
	if s.useModels(m); s.m.Computing().Device != device.CPU || m.Untried {
		t.Errorf("computing %+v", s.m.Computing())
	}
	m.Untried = true
	s.choose(state.MethodAuto, device.CPU)
	if !m.Untried || s.m.Computing().Device != device.CPU {
		t.Error("devices were tried though the CPU was chosen")
	}
}

func TestADeviceThatIsLostIsTold(t *testing.T) {
	s := withModels(t, &enginetest.Models{LostAt: 1}, filepath.Join(t.TempDir(), "w.retrace"))
	if told := s.told(); !strings.Contains(told, "WebGPU failed while it computed") || strings.Count(told, "pulled the plug") != 1 {
		t.Errorf("told %s", told)
	}
	if c := s.m.Computing(); c.Lost == nil || c.Device != device.CPU {
		t.Errorf("computing %+v", c)
	}
	if s.m.Count().Recovered != 2 {
		t.Error("something is missing")
	}
	s.actions.Do("recoverall")
	s.idle()
	if n := strings.Count(s.told(), "pulled the plug"); n != 1 {
		t.Errorf("told %d times", n)
	}
}

func TestTheDeviceThatIsChosenIsUsed(t *testing.T) {
	s := withModels(t, &enginetest.Models{Refused: "it answers wrongly"}, filepath.Join(t.TempDir(), "w.retrace"))
	if c := s.m.Computing(); c.Device != device.CPU || c.Fault != nil {
		t.Errorf("computing %+v", c)
	}
	s.choose(state.MethodAuto, device.WebGPU)
	if c := s.m.Computing(); c.Fault == nil || !strings.Contains(s.told(), "it answers wrongly") {
		t.Errorf("computing %+v, told %s", c, s.told())
	}
}
