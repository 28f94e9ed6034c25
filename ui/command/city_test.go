package command

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"retrace/engine/bundle"
	"retrace/engine/bundle/bundletest"
	"retrace/engine/citymodel"
	"retrace/engine/enginetest"
	"retrace/engine/roadnet"
	"retrace/osmimport"
)

// networkOf is the network of the bench's extract.
func networkOf(t *testing.T, b *bench) *roadnet.Network {
	t.Helper()
	imported, err := osmimport.Import(t.Context(), []string{b.extract()}, osmimport.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return imported.Network
}

func TestASystemOfTheNetworkRecovers(t *testing.T) {
	m := &enginetest.Models{}
	b, trips := toy(t, m)
	m.City = enginetest.CityOf(networkOf(t, b), citymodel.MTrajRec)
	out, _ := b.run(OK, "recover", trips, "--network", "sample", "-o", b.file("out.geojson"), "--json", "--method", "mtrajrec", "--model", "folder")
	var line recoveredLine
	if err := json.Unmarshal([]byte(out[:strings.Index(out, "\n")]), &line); err != nil || line.Method != "mtrajrec" || line.Device != "cpu" {
		t.Errorf("line %s, %v", out, err)
	}
	text, err := os.ReadFile(b.file("out.geojson"))
	if err != nil {
		t.Fatal(err)
	}
	says(t, string(text), `"method":"mtrajrec"`, `"model":"toy of one city@fedcba9876543210"`)
}

func TestASystemThatDoesNotFitIsRefusedWithAWord(t *testing.T) {
	m := &enginetest.Models{}
	b, trips := toy(t, m)
	net := networkOf(t, b)
	with := func(flags ...string) string {
		t.Helper()
		_, errs := b.run(WrongUsage, append([]string{"recover", trips, "--network", "sample", "-o", b.file("none.csv")}, flags...)...)
		return errs
	}
	says(t, with("--method", "mtrajrec"), "needs --model DIR", "make results", "rntrajrec.systems.export")
	says(t, with("--method", "mtrajrec", "--model", "folder"), "there is no model of one network")
	m.City = enginetest.CityOf(net, citymodel.T2Vec)
	says(t, with("--method", "mtrajrec", "--model", "folder"), `is of the system "t2vec", not of "mtrajrec"`)
	says(t, with("--method", "t2vec", "--model", "folder", "--decoder", "ticks"), "--decoder goes with")
	says(t, with("--method", "t2vec", "--model", "folder", "--device", "webgpu"), "on the CPU only")
	says(t, with("--method", "t2vec", "--model", "folder", "--gather"), "--gather goes with")
	m.City.City.Fingerprint, m.City.City.Network = "anotherone", "lisbon"
	says(t, with("--method", "t2vec", "--model", "folder"), `belongs to the network "lisbon" (anothero)`, `this is "sample"`)
	m.Fault = errors.New("tick.onnx is cut short")
	says(t, with("--method", "t2vec", "--model", "folder"), "cannot be used: tick.onnx is cut short")
	b.models = nil
	says(t, with("--method", "t2vec", "--model", "folder"), "put together without models")
	if _, err := os.Stat(b.file("none.csv")); err == nil {
		t.Error("what failed has left an output")
	}
}

func TestASystemIsMeasuredAgainstTheModel(t *testing.T) {
	m := &enginetest.Models{Whole: true}
	b, _ := toy(t, m)
	m.City = enginetest.CityOf(networkOf(t, b), citymodel.RNTrajRec)
	out, _ := b.run(OK, "evaluate", "--simulate", "3", "--network", "sample", "--method", "rntrajrec-city", "--model", "folder", "--against", "rntrajrec", "--keep", "1/8", "--draws", "10", "--json")
	says(t, out, `"rntrajrec-city"`, `"rntrajrec"`)
	_, errs := b.run(WrongUsage, "evaluate", "--simulate", "3", "--network", "sample", "--against", "t2vec")
	says(t, errs, "measure it with --method t2vec")
}

func TestASystemSaysOfWhichNetworkItIs(t *testing.T) {
	files, err := bundle.Read(bundletest.City(t, citymodel.MTrajRec))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.models = &enginetest.Models{Files: files}
	out, _ := b.run(OK, "model")
	says(t, out, "the system mtrajrec; its tables belong to the network roads", "364 segments", "graphs")
	out, _ = b.run(OK, "model", "--json")
	says(t, out, `"system":"mtrajrec"`, files.Manifest.City.Fingerprint)
}
