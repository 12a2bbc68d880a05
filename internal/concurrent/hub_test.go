package concurrent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/concurrent"
)

func TestHub(t *testing.T) {
	var hub concurrent.Hub
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
