package work

import (
	"context"

	"retrace/engine/roadnet"
	"retrace/ui/state"
)

func simulateTrips(ctx context.Context, net *roadnet.Network) ([]*state.Trip, error) {
	return nil, nil
}
