//go:build unix

package redisshare_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/adapters/redisshare/redistest"
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
	server := redistest.StartRedis(t)
	shares := three(t, server.Address, redisshare.Patient(redisshare.Options{MaxPageAge: time.Minute}, 0))
	page := string(bytes.Repeat([]byte("<p>page</p>"), 5000))
	put(t, shares[0], "session", page)
	for _, s := range shares {
		assert.Equal(t, page, get(t, s, "session"))
	}
	c := control(t, server)
	keys, err := c.Keys(t.Context(), "datachain:1:page:*}").Result()
	require.NoError(t, err)
	require.Len(t, keys, 1)
	assert.Less(t, c.StrLen(t.Context(), keys[0]).Val(), int64(len(page)/20))
	age := c.TTL(t.Context(), keys[0]).Val()
	assert.True(t, 0 < age && age <= time.Minute, age)

	written, err := c.Get(t.Context(), keys[0]).Result()
	require.NoError(t, err)
	var bomb bytes.Buffer
	bomb.WriteString(written[:8]) // when it was put
	w := gzip.NewWriter(&bomb)
	_, err = w.Write(make([]byte, 64<<20))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	damaged := []string{"damaged", "damaged, and longer", written[:len(written)-1], bomb.String()}
	for i, value := range damaged {
		require.NoError(t, c.Set(t.Context(), keys[0], value, 0).Err())
		assert.Empty(t, get(t, shares[0], "session"), i)
		assert.EqualValues(t, i+1, shares[0].Stats().Errors["key"])
	}
}

// TestPagesWhileAway shows that the server that was given a page while Redis is unreachable
// says so, and answers from its own copy, never with an older page, until a later one is in Redis.
func TestPagesWhileAway(t *testing.T) {
	t.Parallel()
	server := redistest.StartRedis(t)
	shares := three(t, server.Address, redisshare.Tolerant(redisshare.Options{}))
	for _, id := range []string{"a", "b"} {
		put(t, shares[0], id, "before")
	}
	server.Pause(t)
	for _, s := range shares {
		wait(t, "Redis is unreachable", func() bool { return !redisshare.Reached(s) })
	}
	for _, page := range []string{"meanwhile", "later"} {
		err := shares[0].Put(t.Context(), "a", []byte(page))
		kept, ok := errors.AsType[interface {
			error
			Kept() bool
		}](err)
		require.True(t, ok && kept.Kept(), "%v", err)
		assert.Equal(t, page, get(t, shares[0], "a"))
	}
	assert.Empty(t, get(t, shares[1], "a"))
	assert.Empty(t, get(t, shares[0], "b"))
	server.Continue(t)
	for _, s := range shares {
		wait(t, "a page from before is found", func() bool { return get(t, s, "b") == "before" })
	}
	assert.Equal(t, "later", get(t, shares[0], "a"))
	assert.Equal(t, "before", get(t, shares[1], "a"), "other servers do not get the copy")
	assert.Equal(t, []uint64{2, 2}, []uint64{shares[0].Stats().Stored, shares[0].Stats().NotStored})
	for i, page := range []string{"after", "after that"} {
		wait(t, "Redis takes a page", func() bool { return shares[1-i].Put(t.Context(), "a", []byte(page)) == nil })
		for _, s := range shares {
			wait(t, "a later page is found", func() bool { return get(t, s, "a") == page })
		}
	}
}

// TestPagesFarAway shows that servers share pages if Redis is too far away for checks.
func TestPagesFarAway(t *testing.T) {
	t.Parallel()
	p := newProxy(t, redistest.StartRedis(t).Host())
	shares := three(t, p.address, &redisshare.Options{})
	p.delay.Store(int64(30 * time.Millisecond))
	for _, s := range shares {
		waitAway(t, s)
	}
	for i := range 12 {
		page := strconv.Itoa(i)
		put(t, shares[i%3], "a", page)
		for _, s := range shares {
			if got := get(t, s, "a"); got != "" { // else this machine is too slow
				require.Equal(t, page, got)
			}
		}
	}
	assert.NotZero(t, shares[0].Stats().Found)
}
