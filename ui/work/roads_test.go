package work

import (
	"context"
	"errors"
	"testing"

	"retrace/engine"
	"retrace/engine/feature"
	"retrace/engine/roadnet/roadnettest"
	"retrace/storage/storagetest"
	"retrace/ui/task"
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
	asked, phases := 0, 0
	ws, net, ctx := storagetest.Must(t), roadnettest.GridCity(10), context.Background()
	settings := engine.DefaultSettings()
	settings.Method = engine.MethodRNTrajRec
	settings.Model = &engine.Model{Hash: "abc", Encoder: counting{&asked}, SeesRoutes: true}
	ask := func(s *roadShelf) {
		t.Helper()
		settings.Roads = nil
		if err := s.askRoads(ctx, ws, net, &settings, func(task.Progress) { phases++ }); err != nil || settings.Roads == nil {
			t.Fatal(err)
		}
	}
	shelf := &roadShelf{}
	ask(shelf)
	ask(shelf)        // from memory
	ask(&roadShelf{}) // from the workspace
	if asked != 1 || phases != 1 {
		t.Errorf("the model was asked %d times, and progress was told %d times", asked, phases)
	}
	settings.Model.Hash = "another"
	if ask(shelf); asked != 2 {
		t.Error("another model's word was taken")
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	settings.Model.Hash = "a third"
	if err := shelf.askRoads(cancelled, ws, net, &settings, func(task.Progress) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	settings.Model.SeesRoutes, settings.Roads = false, nil
	if err := shelf.askRoads(ctx, ws, net, &settings, nil); err != nil || settings.Roads != nil || asked != 2 {
		t.Errorf("a model that does not look at roads was asked about them %d times, %v", asked, err)
	}
	settings.Model = nil
	if err := shelf.askRoads(ctx, nil, net, &settings, nil); err != nil {
		t.Errorf("map matching asks no model, but %v", err)
	}
}
