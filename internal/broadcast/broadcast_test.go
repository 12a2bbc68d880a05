package broadcast_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/broadcast"
)

func TestHub(t *testing.T) {
	var hub broadcast.Hub
	hub.Tell() // without listeners
	ctx, cancel := context.WithCancel(t.Context())
	one, two := hub.Listen(ctx), hub.Listen(t.Context())
	hub.Tell()
	hub.Tell() // listeners need not keep up
	<-one
	<-two
	require.Empty(t, one)

	cancel()
	_, open := <-one
	require.False(t, open, "a channel is closed with its context")
	hub.Tell()
	<-two
}
