package ratelimit_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

func TestClientName(t *testing.T) {
	for _, name := range []string{"a", "my-dashboard/1.2", "!~", strings.Repeat("x", 64)} {
		assert.Equal(t, name, ratelimit.ClientName(http.Header{"Service-Client": {name}}))
	}
	for _, values := range [][]string{
		nil,
		{""},
		{"two words"},
		{" x"},
		{"tab\t"},
		{"line\n"},
		{"nul\x00"},
		{"\x7f"},
		{"é"},
		{"\xff"},
		{strings.Repeat("x", 65)},
		{strings.Repeat("x", 100_000)},
		{"a", "b"},
		{"a", "a"},
		{"a", ""},
	} {
		assert.Empty(t, ratelimit.ClientName(http.Header{"Service-Client": values}), "%.80q", values)
	}
}

var trusted = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:ffff::/48"), netip.MustParsePrefix("fe80::/10"),
}

func TestClientAddr(t *testing.T) {
	huge := strings.Repeat("198.51.100.7, ", 7000)
	for _, c := range []struct {
		name, remote   string
		xff, forwarded []string
		want           string
	}{
		{name: "plain", remote: "192.0.2.1:1234", want: "192.0.2.1"},
		{name: "IPv6", remote: "[2001:db8::1]:1234", want: "2001:db8::1"},
		{name: "IPv4 in IPv6", remote: "[::ffff:192.0.2.1]:1234", want: "192.0.2.1"},
		{name: "zone", remote: "[fe80::1%eth0]:1234", want: "fe80::1"},
		{name: "no port", remote: "192.0.2.1", want: "192.0.2.1"},
		{name: "untrusted sender", remote: "192.0.2.1:1", xff: []string{"198.51.100.7"}, want: "192.0.2.1"},
		{name: "untrusted sender, Forwarded", remote: "192.0.2.1:1", forwarded: []string{"for=198.51.100.7"}, want: "192.0.2.1"},

		{name: "no header", remote: "10.0.0.1:1", want: "10.0.0.1"},
		{name: "proxy", remote: "10.0.0.1:1", xff: []string{"198.51.100.7"}, want: "198.51.100.7"},
		{name: "proxy in IPv6 form", remote: "[::ffff:10.0.0.1]:1", xff: []string{"198.51.100.7"}, want: "198.51.100.7"},
		{name: "proxy with zone", remote: "[fe80::1%eth0]:1", xff: []string{"198.51.100.7"}, want: "198.51.100.7"},
		{name: "two proxies", remote: "10.0.0.1:1", xff: []string{"198.51.100.7, 10.0.0.2"}, want: "198.51.100.7"},
		{name: "two lines", remote: "10.0.0.1:1", xff: []string{"198.51.100.7", "10.0.0.2"}, want: "198.51.100.7"},
		{name: "forged in front", remote: "10.0.0.1:1", xff: []string{"203.0.113.9, 198.51.100.7"}, want: "198.51.100.7"},
		{name: "forged proxies in front", remote: "10.0.0.1:1", xff: []string{"203.0.113.9,10.0.0.3", "198.51.100.7, 10.0.0.2"}, want: "198.51.100.7"},
		{name: "proxies only", remote: "10.0.0.1:1", xff: []string{"10.0.0.3, 10.0.0.2"}, want: "10.0.0.3"},
		{name: "port", remote: "10.0.0.1:1", xff: []string{"198.51.100.7:8080"}, want: "198.51.100.7"},
		{name: "IPv6 client", remote: "10.0.0.1:1", xff: []string{"2001:db8::7"}, want: "2001:db8::7"},
		{name: "brackets", remote: "10.0.0.1:1", xff: []string{"[2001:db8::7]"}, want: "2001:db8::7"},
		{name: "brackets and port", remote: "10.0.0.1:1", xff: []string{"[2001:db8::7]:443\t"}, want: "2001:db8::7"},
		{name: "client's zone", remote: "10.0.0.1:1", xff: []string{"2001:db8::7%" + strings.Repeat("z", 9000)}, want: "2001:db8::7"},
		{name: "mapped client", remote: "10.0.0.1:1", xff: []string{"::ffff:198.51.100.7"}, want: "198.51.100.7"},
		{name: "mapped proxy", remote: "10.0.0.1:1", xff: []string{"198.51.100.7, ::ffff:10.9.9.9"}, want: "198.51.100.7"},

		{name: "garbage", remote: "10.0.0.1:1", xff: []string{"unknown"}, want: "10.0.0.1"},
		{name: "garbage behind a proxy", remote: "10.0.0.1:1", xff: []string{"198.51.100.7, unknown, 10.0.0.2"}, want: "10.0.0.2"},
		{name: "garbage in front", remote: "10.0.0.1:1", xff: []string{"\x00\xff]:[,198.51.100.7"}, want: "198.51.100.7"},
		{name: "empty", remote: "10.0.0.1:1", xff: []string{""}, want: "10.0.0.1"},
		{name: "commas", remote: "10.0.0.1:1", xff: []string{",,,"}, want: "10.0.0.1"},
		{name: "comma at the end", remote: "10.0.0.1:1", xff: []string{"198.51.100.7,"}, want: "10.0.0.1"},
		{name: "bad ports", remote: "10.0.0.1:1", xff: []string{"198.51.100.7:"}, want: "10.0.0.1"},
		{name: "open bracket", remote: "10.0.0.1:1", xff: []string{"[2001:db8::7"}, want: "10.0.0.1"},
		{name: "after the bracket", remote: "10.0.0.1:1", xff: []string{"[2001:db8::7]443"}, want: "10.0.0.1"},
		{name: "IPv4 in brackets", remote: "10.0.0.1:1", xff: []string{"[198.51.100.7]"}, want: "10.0.0.1"},
		{name: "leading zeros", remote: "10.0.0.1:1", xff: []string{"198.051.100.007"}, want: "10.0.0.1"},
		{name: "huge", remote: "10.0.0.1:1", xff: []string{huge + "198.51.100.8"}, want: "198.51.100.8"},
		{name: "many lines", remote: "10.0.0.1:1", xff: strings.Split(huge+"198.51.100.8", ", "), want: "198.51.100.8"},
		{name: "no end of proxies", remote: "10.0.0.1:1", xff: []string{"198.51.100.7" + strings.Repeat(",10.0.0.2", 9000)}, want: "10.0.0.2"},

		{name: "Forwarded", remote: "10.0.0.1:1", forwarded: []string{"for=198.51.100.7"}, want: "198.51.100.7"},
		{name: "pairs", remote: "10.0.0.1:1", forwarded: []string{"proto=https; For=198.51.100.7 ;by=10.0.0.1"}, want: "198.51.100.7"},
		{name: "quoted", remote: "10.0.0.1:1", forwarded: []string{`for="[2001:db8::7]:4711"`}, want: "2001:db8::7"},
		{name: "made-up port", remote: "10.0.0.1:1", forwarded: []string{`for="198.51.100.7:_p-1"`}, want: "198.51.100.7"},
		{name: "elements", remote: "10.0.0.1:1", forwarded: []string{"for=203.0.113.9, for=198.51.100.7;by=_x", "for=10.0.0.2"}, want: "198.51.100.7"},
		{name: "quoted separators", remote: "10.0.0.1:1", forwarded: []string{`for=198.51.100.7;x="a,b;for=203.0.113.9\",\\";by=_y`}, want: "198.51.100.7"},
		{name: "a quotation mark left open", remote: "10.0.0.1:1", forwarded: []string{`for="203.0.113.9, for=198.51.100.7`}, want: "198.51.100.7"},
		{name: "an odd one, and a backslash", remote: "10.0.0.1:1", forwarded: []string{`x="\", for=198.51.100.7;by="10.0.0.1"`}, want: "198.51.100.7"},
		{name: "unknown", remote: "10.0.0.1:1", forwarded: []string{"for=198.51.100.7, for=unknown"}, want: "10.0.0.1"},
		{name: "hidden", remote: "10.0.0.1:1", forwarded: []string{"for=_hidden, for=10.0.0.2"}, want: "10.0.0.2"},
		{name: "no for", remote: "10.0.0.1:1", forwarded: []string{"for=198.51.100.7, proto=https"}, want: "10.0.0.1"},
		{name: "for twice", remote: "10.0.0.1:1", forwarded: []string{"for=198.51.100.7;for=203.0.113.9"}, want: "10.0.0.1"},
		{name: "only marks", remote: "10.0.0.1:1", forwarded: []string{`for="`}, want: "10.0.0.1"},
		{name: "only separators", remote: "10.0.0.1:1", forwarded: []string{`;,;;=,"`}, want: "10.0.0.1"},
		{name: "all marks", remote: "10.0.0.1:1", forwarded: []string{strings.Repeat(`"\`, 50_000)}, want: "10.0.0.1"},

		{name: "both agree", remote: "10.0.0.1:1", xff: []string{"198.51.100.7"}, forwarded: []string{"for=198.51.100.7, for=10.0.0.2"}, want: "198.51.100.7"},
		{name: "one is forged", remote: "10.0.0.1:1", xff: []string{"198.51.100.7"}, forwarded: []string{"for=203.0.113.9"}, want: "10.0.0.1"},
		{name: "one is empty", remote: "10.0.0.1:1", xff: []string{"198.51.100.7"}, forwarded: []string{""}, want: "10.0.0.1"},

		{name: "Unix socket", remote: "@", xff: []string{"198.51.100.7"}, want: "invalid IP"},
		{name: "no remote", remote: "", want: "invalid IP"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			if c.xff != nil {
				h["X-Forwarded-For"] = c.xff
			}
			if c.forwarded != nil {
				h["Forwarded"] = c.forwarded
			}
			assert.Equal(t, c.want, ratelimit.ClientAddr(c.remote, h, trusted).String())
		})
	}
}

// TestTrustNone shows that no header is trusted by default.
func TestTrustNone(t *testing.T) {
	h := http.Header{"X-Forwarded-For": {"198.51.100.7"}, "Forwarded": {"for=198.51.100.7"}}
	assert.Equal(t, "127.0.0.1", ratelimit.ClientAddr("127.0.0.1:1", h, nil).String())
}

// checkAppended checks that, whatever a client sends, the address that the proxy
// appends is the one that counts.
func checkAppended(t *testing.T, field, sent, appended string) {
	t.Helper()
	for _, lines := range [][]string{{sent + ", " + appended}, {sent, appended}, strings.Split(sent+"\n"+appended, "\n")} {
		a := ratelimit.ClientAddr("10.0.0.1:1", http.Header{field: lines}, trusted)
		require.Equal(t, "198.51.100.7", a.String(), "%q", lines)
	}
	alone := ratelimit.ClientAddr("10.0.0.1:1", http.Header{field: {sent}}, trusted)
	require.True(t, alone.IsValid())
	require.Equal(t, alone.Unmap().WithZone(""), alone)
	require.Equal(t, "192.0.2.1", ratelimit.ClientAddr("192.0.2.1:1", http.Header{field: {sent}}, trusted).String())
	ratelimit.ClientAddr(sent, nil, trusted)
}

func FuzzForwardedFor(f *testing.F) {
	for _, seed := range []string{"", "203.0.113.9", "[2001:db8::7]:80, 10.0.0.1", "a%b", "::%,", ":", "[]:", "10.0.0.1,10.0.0.2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		checkAppended(t, "X-Forwarded-For", sent, "198.51.100.7")
		checkAppended(t, "X-Forwarded-For", sent, "198.51.100.7:80,10.0.0.2")
	})
}

func FuzzForwarded(f *testing.F) {
	for _, seed := range []string{"", "for=203.0.113.9", `for="[2001:db8::7]:80";by=_a, for=10.0.0.1`, `"`, `\"`, `for="\`, "for=10.0.0.1;for=10.0.0.2", ";=,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		checkAppended(t, "Forwarded", sent, "for=198.51.100.7")
		checkAppended(t, "Forwarded", sent, `by="a,b";for="198.51.100.7:80", for=10.0.0.2`)
	})
}

func FuzzClientName(f *testing.F) {
	for _, seed := range []string{"", "name", "two words", "é", strings.Repeat("x", 65)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		visible := len(sent) >= 1 && len(sent) <= 64
		for _, b := range []byte(sent) {
			visible = visible && b >= 0x21 && b <= 0x7e
		}
		if !visible {
			sent = ""
		}
		require.Equal(t, sent, ratelimit.ClientName(http.Header{"Service-Client": {sent}}))
	})
}
