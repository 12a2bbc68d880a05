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
		"redis://localhost":                                          "",
		"redis://localhost:6379/3":                                   "",
		"redis://:secret@[::1]:6379":                                 "",
		"rediss://user:secret@redis.example":                         "",
		"unix:///run/redis.sock?db=2":                                "",
		"redis+sentinel://a,b:26380/main/1?sentinel_password=secret": "",
		"rediss+cluster://user:secret@a:1,b:2,[::1]:3":               "",

		"localhost:6379":                   "no scheme",
		"http://localhost":                 `unknown scheme "http"`,
		"redis://":                         "a host is missing",
		"redis://host:0":                   "must be from 1 to 65535",
		"redis://host:secret":              "must be from 1 to 65535",
		"redis://a,b":                      "several hosts need",
		"redis://host/first":               "must be a number",
		"redis://host/-1":                  "must be a number",
		"redis://host?pool_size=3":         `unknown parameter "pool_size"`,
		"redis+sentinel://host":            "the name of the master is missing",
		"redis+cluster://host/1":           "database 0 only",
		"redis+cluster://host,/":           "a host is missing",
		"unix://run/redis.sock":            "must be absolute",
		"unix:///run/redis.sock?name=1":    `unknown parameter "name"`,
		"redis://user:secret%zz@localhost": "it is not a URL",
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
			if address != "redis://host:secret" {
				assert.NotContains(t, err.Error(), "secret")
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for want, o := range map[string]*redisshare.Options{
		"Replicas is -1":      {Replicas: -1},
		"must not be negativ": {MaxPage: -1},
		"braces":              {Prefix: "a{b}"},
		"the limit of icons":  {Limits: ratelimit.Limits{Icons: 1 << 20}},
		"MaxKeys":             {MaxKeys: -1},
	} {
		_, err := redisshare.Open("redis://localhost", o)
		require.ErrorContains(t, err, want)
	}
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
