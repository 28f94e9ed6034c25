package work

import (
	"context"
	"errors"
	"testing"

	"retrace/engine"
	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/storage"
	"retrace/storage/storagetest"
)

// counting is an encoder that counts how often it is asked.
type counting struct{ asked *int }

func (counting) Width() int { return 1 }
func (counting) Hops() int  { return 0 }

func (c counting) Roads(p *feature.Part) ([]float32, error) {
	*c.asked++
	return make([]float32, len(p.Segments)), nil
}

func (counting) Encode([]float32, *feature.Points, []float32) (h, whole []float32, err error) {
	return nil, nil, errors.New("no trip is encoded here")
}

func TestTheModelIsAskedOnceAboutTheRoadsOfAWorkspace(t *testing.T) {
	asked := 0
	ws, net, ctx := storagetest.Must(t), roadnettest.GridCity(10), context.Background()
	settings := engine.DefaultSettings()
	settings.Method = engine.MethodRNTrajRec
	settings.Model = &engine.Model{Hash: "abc", Encoder: counting{&asked}, SeesRoutes: true}
	ask := func(s *roadShelf, ws *storage.Workspace) {
		t.Helper()
		settings.Roads = nil
		s.useRoads(ws, net, &settings)
		if _, err := settings.Roads.Append(ctx, nil, []roadnet.SegmentID{1, 2}); err != nil {
			t.Fatal(err)
		}
	}
	shelf := &roadShelf{}
	ask(shelf, ws)
	ask(shelf, ws)        // from memory
	ask(&roadShelf{}, ws) // from the workspace
	if asked != 1 {
		t.Errorf("the model was asked %d times", asked)
	}
	settings.Model = &engine.Model{Hash: "another", Encoder: counting{&asked}, SeesRoutes: true}
	if ask(&roadShelf{}, ws); asked != 2 {
		t.Error("another model's word was taken")
	}
	if ask(shelf, nil); asked != 3 {
		t.Error("what is known without a workspace is another's")
	}
	settings.Model.SeesRoutes = false
	settings.Roads = nil
	if shelf.useRoads(ws, net, &settings); settings.Roads != nil {
		t.Error("a model that does not look at roads is asked about them")
	}
}
