package rntrajrec

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"retrace/engine/feature"
	"retrace/engine/roadnet"
	"retrace/engine/roadnet/roadnettest"
	"retrace/internal/canceltest"
)

// asking is an encoder that says of a segment what it is told of it, and how many there
// are in the part.
type asking struct {
	plain
	asked *atomic.Int64
	fail  func() error
}

func (a asking) Width() int { return 2 }
func (a asking) Hops() int  { return 2 }

func (a asking) Roads(p *feature.Part) ([]float32, error) {
	a.asked.Add(1)
	if a.fail != nil {
		if err := a.fail(); err != nil {
			return nil, err
		}
	}
	var all []float32
	for i := range p.Segments {
		all = append(all, p.Roads[i*p.RoadColumns+int(roadnet.Residential)]+float32(len(p.Segments)), float32(p.Segments[i]))
	}
	return all, nil
}

// memory is a keeper.
type memory struct {
	mu   sync.Mutex
	kept map[int][]float32
}

func (m *memory) Load(_ context.Context, pieces []int) (map[int][]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := map[int][]float32{}
	for _, number := range pieces {
		if v := m.kept[number]; v != nil {
			found[number] = v
		}
	}
	return found, nil
}

func (m *memory) Save(_ context.Context, pieces map[int][]float32) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.Copy(m.kept, pieces)
	return nil
}

func allOf(net *roadnet.Network) []roadnet.SegmentID {
	var all []roadnet.SegmentID
	for id := range roadnet.SegmentID(net.NumSegments()) {
		all = append(all, id)
	}
	return all
}

// What is said of segments is the same whoever asks for which of them, in which order,
// beside whom, with how little memory and with what kept; and each piece is asked about
// once where there is memory, or something to keep it.
func TestWhatIsSaidOfRoadsDoesNotDependOnWhoAsks(t *testing.T) {
	net := roadnettest.GridCity(40)
	pieces := int64((net.NumSegments() + PieceSegments - 1) / PieceSegments)
	if pieces < 8 {
		t.Fatalf("%d pieces are too few", pieces)
	}
	ctx, asked := context.Background(), new(atomic.Int64)
	whole, err := NewRoads(net, asking{asked: asked}, nil).Append(ctx, nil, allOf(net))
	if err != nil || asked.Load() != pieces {
		t.Fatalf("%d pieces asked about, %v", asked.Load(), err)
	}
	for _, most := range []int{1, 3, 1000} {
		asked.Store(0)
		r := NewRoads(net, asking{asked: asked}, &memory{kept: map[int][]float32{2: {1, 2, 3}}}) // one that is cut off
		r.most = most
		var trips sync.WaitGroup
		for seed := range uint64(4) {
			trips.Go(func() {
				rng := rand.New(rand.NewPCG(seed, 1))
				for range 50 {
					ids := []roadnet.SegmentID{roadnet.SegmentID(rng.IntN(net.NumSegments())), roadnet.SegmentID(rng.IntN(net.NumSegments())), 7, 7}
					got, err := r.Append(ctx, []float32{-1}, ids)
					want := []float32{-1}
					for _, id := range ids {
						want = append(want, whole[2*id:2*id+2]...)
					}
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("seed %d: %v, %v, want %v", seed, got, err, want)
					}
				}
			})
		}
		trips.Wait()
		if n := asked.Load(); n > pieces+pieces/2 { // few are wanted again before they are kept
			t.Errorf("with %d pieces in memory the model was asked %d times about %d", most, n, pieces)
		}
		if len(r.pieces) > most {
			t.Errorf("%d pieces are in memory, at most %d are to be", len(r.pieces), most)
		}
	}
}

// Who is called off leaves the piece to others, and a failing model hangs nobody.
func TestWhoWaitsForAPieceIsNotCalledOffWithItsMaker(t *testing.T) {
	net := roadnettest.GridCity(12)
	begun, goOn := make(chan struct{}), make(chan struct{})
	var first sync.Once
	asked, want := new(atomic.Int64), errors.New("called off")
	r := NewRoads(net, asking{asked: asked, fail: func() (err error) {
		first.Do(func() {
			close(begun)
			<-goOn
			err = want
		})
		return err
	}}, nil)
	var trips sync.WaitGroup
	trips.Go(func() {
		if _, err := r.Append(context.Background(), nil, []roadnet.SegmentID{1}); !errors.Is(err, want) {
			t.Errorf("error %v", err)
		}
	})
	<-begun
	called, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Append(called, nil, []roadnet.SegmentID{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of who is called off while waiting", err)
	}
	trips.Go(func() {
		if _, err := r.Append(context.Background(), nil, []roadnet.SegmentID{2}); err != nil {
			t.Error(err)
		}
	})
	close(goOn)
	trips.Wait()
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

func TestAskingAboutAllRoadsIsCancelledAtAnyPiece(t *testing.T) {
	net := roadnettest.GridCity(40)
	for most := range net.NumSegments() / PieceSegments {
		ctx := canceltest.After(most)
		if err := NewRoads(net, asking{asked: new(atomic.Int64)}, nil).All(ctx, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("called off at look %d: error %v", most+1, err)
		}
	}
	if err := NewRoads(net, asking{asked: new(atomic.Int64)}, nil).Fit(roadnettest.GridCity(12)); err == nil {
		t.Error("roads of another network fit")
	}
}
