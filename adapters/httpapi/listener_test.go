package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnreadable sends what net/http refuses before a handler sees it.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	w := open(t, odd(t), nil)
	for said, want := range map[string]string{
		ask("GET", api+"/%zz"):                                       "%25",
		ask("GET", api+"/a b"):                                       "%20",
		"GET " + api + "/schemas HTTP/1.1\r\n\r\n":                   "Host",
		ask("GET", api+"/"+strings.Repeat("a", 2<<20)):               "too long",
		ask("POST", api+"/schemas", "Transfer-Encoding: deflate"):    "Transfer-Encoding",
		ask("GET", api+"/schemas", "bad header: x"):                  "malformed",
		strings.Replace(ask("GET", api+"/schemas"), "1.1", "7.3", 1): "version",
		"\x16\x03\x01 nonsense\r\n\r\n":                              "malformed",
	} {
		all := w.say(said)
		require.Len(t, all, 1, said[:min(80, len(said))])
		a := all[0]
		decent(t, said, a)
		require.True(t, a.Close)
		require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		require.NoError(t, json.Unmarshal(a.raw, &a.json))
		issue := a.issue(t, 400, "bad_request")
		require.Contains(t, issue["message"].(string)+issue["fix_hint"].(string), want)
	}
	// On the same connection, after another response.
	all := w.say("GET " + api + "/shapes/circle.svg HTTP/1.1\r\nHost: x\r\n\r\n" + ask("GET", "/%"))
	require.Len(t, all, 2)
	require.Equal(t, 200, all[0].StatusCode)
	require.Equal(t, 400, all[1].StatusCode)
	decent(t, "/%", all[1])

	star := w.say(ask("OPTIONS", "*"))
	require.Len(t, star, 1)
	require.Equal(t, 204, star[0].StatusCode)
	decent(t, "*", star[0])
}
