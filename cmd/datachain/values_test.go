package main

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
)

// TestBadValues shows that invalid values of flags and variables are refused with
// the name and what is allowed.
func TestBadValues(t *testing.T) {
	t.Parallel()
	for flag, tt := range map[string]struct {
		bad  []string
		want string
	}{
		"addr":            {[]string{"nonsense", "host:http", ":65536", ":-1", "::1:80"}, "must be host:port or :port"},
		"admin-addr":      {[]string{"9090"}, "must be host:port or :port"},
		"base-url":        {[]string{"example.org", "ftp://x", "https://", "https://x/?a", "https://x/#a", "http://[x"}, "must be an http or https URL"},
		"trusted-proxies": {[]string{"10.0.0.0/33", "localhost", "10.0.0.0/8,,", "::ffff:10.0.0.0/104"}, "must be networks or IP addresses"},
		"rate-limit":      {[]string{"yes", "true"}, "must be on or off"},
		"limit-read":      {[]string{"0", "-1", "65536", "1e3", "many"}, "must be an integer from 1 to 65535, or off"},
		"limiter-keys":    {[]string{"0", "x"}, "must be an integer from 1 to"},
		"max-body":        {[]string{"0", "1", "-1MiB", "1TiB", "MiB", "2GiB", "99999999999999999999", "9223372036854775807GiB"}, "must be a size from 1KiB to 1GiB"},
		"cache-size":      {[]string{"-1", "1.5MiB"}, "must be a size from 0 to"},
		"read-timeout":    {[]string{"0", "2", "-2s", "11m", "x"}, "must be a duration from 1ms to 10m"},
		"max-work":        {[]string{"0"}, "must be an integer from 1"},
		"alias-max-age":   {[]string{"-1s"}, "must be a duration from 0s to 8760h"},
		"log-format":      {[]string{"xml"}, "must be text or json"},
		"log-level":       {[]string{"loud", "INFO"}, "must be debug, info, warn or error"},
		"log-requests":    {[]string{"1"}, "must be on or off"},
		"drain-delay":     {[]string{"soon"}, "must be a duration from 0s to 1h"},
	} {
		for _, bad := range tt.bad {
			t.Run(flag+" "+bad, func(t *testing.T) {
				code, _, stderr := execute(t.Context(), testSystem(""), "serve", "--"+flag+"="+bad)
				assert.Equal(t, console.ExitFailed, code)
				assert.Contains(t, stderr, "datachain: --"+flag+" "+tt.want)

				sys := testSystem("")
				sys.Getenv = func(name string) string {
					return map[string]string{flags.Variable(flag): bad}[name]
				}
				code, _, stderr = execute(t.Context(), sys, "serve")
				assert.Equal(t, console.ExitFailed, code)
				assert.Contains(t, stderr, "datachain: "+flags.Variable(flag)+" "+tt.want)
			})
		}
	}
}

func TestGoodValues(t *testing.T) {
	t.Parallel()
	prefixes := func(list ...string) (parsed []netip.Prefix) {
		for _, text := range list {
			parsed = append(parsed, netip.MustParsePrefix(text))
		}
		return parsed
	}
	for _, tt := range []struct {
		flag, typed string
		got         func(*settings) any
		want        any
	}{
		{"addr", " :80 ", func(s *settings) any { return s.Addr }, ":80"},
		{"addr", "[::1]:80", func(s *settings) any { return s.Addr }, "[::1]:80"},
		{
			"trusted-proxies", "10.1.2.3/8, 192.0.2.1,2001:db8::1, ::ffff:192.0.2.9",
			func(s *settings) any { return s.HTTP.TrustedProxies },
			prefixes("10.0.0.0/8", "192.0.2.1/32", "2001:db8::1/128", "192.0.2.9/32"),
		},
		{"limit-icons", "off", func(s *settings) any { return s.limiter.Limits.Icons }, -1},
		{"limit-icons", "65535", func(s *settings) any { return s.limiter.Limits.Icons }, 65535},
		{"max-body", "1048576", func(s *settings) any { return s.HTTP.MaxBody }, int64(1 << 20)},
		{"max-body", "1 MiB", func(s *settings) any { return s.HTTP.MaxBody }, int64(1 << 20)},
		{"max-body", "2MB", func(s *settings) any { return s.HTTP.MaxBody }, int64(2_000_000)},
		{"max-body", "4096B", func(s *settings) any { return s.HTTP.MaxBody }, int64(4096)},
		{"max-body", "1GiB", func(s *settings) any { return s.HTTP.MaxBody }, int64(1 << 30)},
		{"cache-size", "0", func(s *settings) any { return s.HTTP.CacheBytes }, int64(-1)},
		{"read-timeout", "1500ms", func(s *settings) any { return s.HTTP.ReadTimeout }, 1500 * time.Millisecond},
		{"drain-timeout", "60m", func(s *settings) any { return s.DrainTimeout }, time.Hour},
		{"base-url", "https://example.org/a/", func(s *settings) any { return s.HTTP.BaseURL }, "https://example.org/a/"},
		{"mcp", "off", func(s *settings) any { return s.mcp }, false},
		{"mcp-hosts", "a.example, b.example", func(s *settings) any { return s.mcpHosts }, []string{"a.example", "b.example"}},
	} {
		t.Run(tt.flag+" "+tt.typed, func(t *testing.T) {
			cmd := new(cobra.Command)
			s := newProgram(testSystem("")).serveFlags(cmd)
			require.NoError(t, cmd.Flags().Set(tt.flag, tt.typed))
			assert.Equal(t, tt.want, tt.got(s))
			assert.Equal(t, strings.TrimSpace(tt.typed), cmd.Flags().Lookup(tt.flag).Value.String())
		})
	}
}

// TestDefaults compares the defaults of the flags with the contract.
func TestDefaults(t *testing.T) {
	t.Parallel()
	s := newProgram(testSystem("")).serveFlags(new(cobra.Command))
	assert.Equal(t, 5*time.Second, s.HTTP.WorkTimeout)
	assert.Equal(t, 500*time.Millisecond, s.MaxCPU)
	assert.Equal(t, ratelimit.Limits{Read: 300, Icons: 1200, Validate: 30, Resolve: 15, Pages: 1200, Forms: 120}, s.limiter.Limits)
}

// FuzzValues shows that no text breaks a flag, and that a flag accepts what it
// shows.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"", "1", "64MiB", "-5kB", "2s", "10.0.0.0/8,::1", ":80", "https://x", "off", "9e9GB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		serveOf().LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if flag.Name == "help" || flag.Value.Set(typed) != nil {
				return
			}
			shown := flag.Value.String()
			if err := flag.Value.Set(shown); err != nil || flag.Value.String() != shown {
				if strings.TrimSpace(shown) != "" || err == nil {
					t.Fatalf("--%s accepts %q, shows %q, and then: %v", flag.Name, typed, shown, err)
				}
			}
		})
	})
}
