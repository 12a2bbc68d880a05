//go:build unix

package redisshare_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/internal/redistest"
)

func put(t *testing.T, s *redisshare.Share, id, page string) {
	t.Helper()
	require.NoError(t, s.Put(t.Context(), id, []byte(page)))
}

// get returns a page, or "" if there is none.
func get(t *testing.T, s *redisshare.Share, id string) string {
	t.Helper()
	page, _, err := s.Get(t.Context(), id)
	require.NoError(t, err)
	return string(page)
}

// TestPages finds a page on every server, compressed and with an end.
func TestPages(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	shares := three(t, server.Address, redisshare.Patient(redisshare.Options{MaxPageAge: time.Minute}, 0))
	page := string(bytes.Repeat([]byte("<p>page</p>"), 5000))
	put(t, shares[0], "session", page)
	for _, s := range shares {
		assert.Equal(t, page, get(t, s, "session"))
	}
	c := control(t, server)
	keys, err := c.Keys(t.Context(), "datachain:1:page:*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 1)
	assert.Less(t, c.StrLen(t.Context(), keys[0]).Val(), int64(len(page)/20))
	age := c.TTL(t.Context(), keys[0]).Val()
	assert.True(t, 0 < age && age <= time.Minute, age)

	require.NoError(t, c.Set(t.Context(), keys[0], "damaged", 0).Err())
	assert.Empty(t, get(t, shares[0], "session"))
	assert.EqualValues(t, 1, shares[0].Stats().Errors[redisshare.ErrorOther])
}

// TestPagesWhileAway shows that pages are kept by the server that rendered them
// while Redis is away, and found by all after its return.
func TestPagesWhileAway(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	shares := three(t, server.Address, redisshare.Tolerant(redisshare.Options{}))
	put(t, shares[0], "a", "before")
	server.Pause(t)
	waitAway(t, shares[0])
	put(t, shares[0], "a", "meanwhile")
	assert.Equal(t, "meanwhile", get(t, shares[0], "a"))
	assert.Empty(t, get(t, shares[0], "b"))
	server.Continue(t)
	for _, s := range shares {
		waitBack(t, s)
	}
	assert.Equal(t, "meanwhile", get(t, shares[0], "a"))
	wait(t, "the others find it", func() bool { return get(t, shares[1], "a") == "meanwhile" })
	st := shares[0].Stats()
	assert.EqualValues(t, 1, st.Stored.Redis)
	assert.EqualValues(t, 1, st.Stored.Local)
	put(t, shares[1], "a", "after")
	assert.Equal(t, "after", get(t, shares[0], "a"))
}
