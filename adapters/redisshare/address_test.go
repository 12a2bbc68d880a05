package redisshare_test

import (
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
)

// TestAddresses opens addresses of servers that need not exist.
func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"redis://localhost":                  "",
		"redis://localhost:6379/3":           "",
		"redis://:secret@[::1]:6379":         "",
		"rediss://user:secret@redis.example": "",
		"unix:///run/redis.sock?db=2":        "",
		"redis+sentinel://:secret@a/1?master_name=main&addr=b:26380&password=secret": "",
		"rediss+cluster://user:secret@a:1?addr=b:2&addr=[::1]:3":                     "",

		"localhost:6379":                    "invalid URL scheme",
		"http://localhost":                  "invalid URL scheme: http",
		"redis+ring://localhost":            "invalid URL scheme: redis+ring",
		"http+cluster://localhost":          "invalid URL scheme: http",
		"redis://a,b":                       "further hosts with the parameter addr",
		"redis+cluster://a:secret@b:1,c:2":  "further hosts with the parameter addr",
		"redis://host/first":                "invalid database number",
		"redis://host?pool=3":               "unexpected option: pool",
		"redis+sentinel://host":             "master_name is missing",
		"redis+cluster://host?addr=secrets": "unable to parse addr",
		"redis://user:secret%zz@localhost":  "invalid URL escape",
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			s, err := redisshare.Open(address, nil)
			if want == "" {
				require.NoError(t, err)
				require.NoError(t, s.Close())
				return
			}
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, err, "use redis://host:port/db")
			assert.NotContains(t, err.Error(), "secret@")
			assert.NotContains(t, err.Error(), ":secret")
		})
	}
}

func TestOptions(t *testing.T) {
	for want, o := range map[string]*redisshare.Options{
		"Replicas is -1":     {Replicas: -1},
		"braces":             {Prefix: "a{b}"},
		"the limit of icons": {Limits: ratelimit.Limits{Icons: 1 << 20}},
		"MaxKeys":            {MaxKeys: 1 << 30},
	} {
		_, err := redisshare.Open("redis://localhost", o)
		require.ErrorContains(t, err, want)
	}
}

// TestNoLimits: negative numbers mean no limit.
func TestNoLimits(t *testing.T) {
	s, err := redisshare.Open("redis://localhost:1", &redisshare.Options{
		Limits: ratelimit.Limits{Read: -1}, Timeout: -1, MaxKeys: -1, MaxPage: -1, MaxPageAge: -1,
	})
	require.NoError(t, err)
	defer s.Close()
	page := make([]byte, 5<<20) // more than the default of MaxPage
	require.ErrorContains(t, s.Put(t.Context(), "a", page), "Redis is unreachable")
	kept, ok, err := s.Get(t.Context(), "a")
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Len(t, kept, len(page))
}

// TestCloseAtOnce shows that nothing waits for a server that does not answer, and
// that a closed Share still decides.
func TestCloseAtOnce(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	s, err := redisshare.Open("redis://"+silent.Addr().String(), &redisshare.Options{Limits: limits, Replicas: 3})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	assert.Equal(t, 10, passed(t, ratelimit.NewKey(ratelimit.Read, client(1), ""), 10, s))
	require.ErrorContains(t, s.Put(t.Context(), "a", []byte("page")), "Redis is unreachable")
}
