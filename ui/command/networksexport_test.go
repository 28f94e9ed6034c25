package command

import (
	"os"
	"strings"
	"testing"

	"retrace/engine/enginetest"
)

// A network file stands for the network that it was made of, and what the model says of
// its roads is not asked again.
func TestANetworkFileStandsForItsNetwork(t *testing.T) {
	b := newBench(t)
	models := &enginetest.Models{Whole: true}
	b.models = models
	out, _ := b.run(OK, "networks", "export", b.extract(), "-o", b.file("city.network"))
	says(t, out, "city.network: ", "with what the model says of its roads")
	asked := models.Looked.Load()
	if asked == 0 {
		t.Error("the model was not asked")
	}
	text, err := os.ReadFile(b.trips())
	if err != nil {
		t.Fatal(err)
	}
	trips := b.put("few.csv", strings.Join(strings.SplitAfterN(string(text), "\n", 12)[:4], ""))
	for _, network := range []string{b.file("city.network"), b.extract()} {
		b.run(OK, "recover", trips, "--network", network, "--method", "rntrajrec", "--decoder", "ticks", "--in-order", "-o", b.file("out.csv"))
		if network != b.extract() && models.Looked.Load() != asked {
			t.Error("the model was asked again")
		}
		if err := os.Rename(b.file("out.csv"), b.file(map[bool]string{true: "extract.csv", false: "file.csv"}[network == b.extract()])); err != nil {
			t.Fatal(err)
		}
	}
	if b.text("file.csv") != b.text("extract.csv") {
		t.Error("recovered on the file a trip looks different")
	}
	b.run(OK, "render", "--network", b.file("city.network"), "--size", "200x100", "-o", b.file("map.png"))
}

func TestNetworkFilesThatCannotBe(t *testing.T) {
	b := newBench(t)
	_, told := b.run(WrongUsage, "networks", "export", b.extract(), "-o", b.file("city.net"))
	says(t, told, "ends in .network")
	_, told = b.run(WrongUsage, "networks", "export", b.extract(), "-o", b.file("city.network"))
	says(t, told, "put together without models", "--no-model")
	b.run(OK, "networks", "export", b.extract(), "-o", b.file("city.network"), "--no-model", "--no-map")
	whole := b.text("city.network")
	b.put("cut.network", whole[:len(whole)/2])
	_, told = b.run(NothingRead, "recover", b.trips(), "--network", b.file("cut.network"), "-o", b.file("out.csv"))
	says(t, told, "cut.network: it is damaged: ", "cut off", "copy it again")
	b.only("city.network", "cut.network")
}
