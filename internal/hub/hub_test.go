package hub_test

import (
	"context"
	"testing"

	"github.com/datachain-go/datachain/internal/hub"
	"github.com/stretchr/testify/require"
)

func TestHub(t *testing.T) {
	var hub hub.Hub
	hub.Notify() // without listeners
	ctx, cancel := context.WithCancel(t.Context())
	one, two := hub.Listen(ctx), hub.Listen(t.Context())
	hub.Notify()
	hub.Notify() // listeners need not keep up
	<-one
	<-two
	require.Empty(t, one)

	cancel()
	_, open := <-one
	require.False(t, open, "a channel is closed with its context")
	hub.Notify()
	<-two
}
