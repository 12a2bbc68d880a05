package main

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBadValues shows that what makes no sense is refused at once, by flag and
// by variable, with the name and what is allowed.
func TestBadValues(t *testing.T) {
	for flag, tt := range map[string]struct {
		bad  []string
		want string
	}{
		"addr":            {[]string{"nonsense", "host:http", ":65536", ":-1", "::1:80"}, "want host:port or :port"},
		"admin-addr":      {[]string{"9090"}, "want host:port or :port"},
		"base-url":        {[]string{"example.org", "ftp://x", "https://", "https://x/?a", "https://x/#a", "http://[x"}, "want http:// or https://"},
		"trusted-proxies": {[]string{"10.0.0.0/33", "localhost", "10.0.0.0/8,,", "::ffff:10.0.0.0/104"}, "want networks or addresses"},
		"rate-limit":      {[]string{"yes", "true"}, "want on or off"},
		"limit-read":      {[]string{"0", "-1", "65536", "1e3", "many"}, "want a whole number from 1 to 65535, or off"},
		"limiter-keys":    {[]string{"0", "x"}, "want a whole number from 1 to"},
		"max-body":        {[]string{"0", "1", "-1MiB", "1TiB", "MiB", "2GiB", "99999999999999999999", "9223372036854775807GiB"}, "want a size from 1KiB to 1GiB"},
		"cache-size":      {[]string{"-1", "1.5MiB"}, "want a size from 0 to"},
		"read-timeout":    {[]string{"0", "2", "-2s", "11m", "x"}, "want a time from 1ms to 10m"},
		"max-work":        {[]string{"0"}, "want a whole number from 1"},
		"alias-max-age":   {[]string{"-1s"}, "want a time from 0s to 8760h"},
		"log-format":      {[]string{"xml"}, "want text or json"},
		"log-level":       {[]string{"loud", "INFO"}, "want debug, info, warn or error"},
		"log-requests":    {[]string{"1"}, "want on or off"},
		"drain-delay":     {[]string{"soon"}, "want a time from 0s to 1h"},
	} {
		for _, bad := range tt.bad {
			t.Run(flag+" "+bad, func(t *testing.T) {
				code, _, stderr := execute(t.Context(), testSystem(""), "serve", "--"+flag+"="+bad)
				assert.Equal(t, exitFailed, code)
				assert.Contains(t, stderr, `"--`+flag+`" flag: `)
				assert.Contains(t, stderr, tt.want)

				sys := testSystem("")
				sys.getenv = func(name string) string {
					return map[string]string{variable(flag): bad}[name]
				}
				code, _, stderr = execute(t.Context(), sys, "serve")
				assert.Equal(t, exitFailed, code)
				assert.Contains(t, stderr, variable(flag)+": ")
				assert.Contains(t, stderr, tt.want)
			})
		}
	}
}

func TestGoodValues(t *testing.T) {
	for _, tt := range []struct{ flag, typed, shown string }{
		{"addr", " :80 ", ":80"},
		{"addr", "[::1]:80", "[::1]:80"},
		{"trusted-proxies", "10.1.2.3/8, 192.0.2.1,2001:db8::1, ::ffff:192.0.2.9", "10.0.0.0/8,192.0.2.1/32,2001:db8::1/128,192.0.2.9/32"},
		{"limit-icons", "off", "off"},
		{"limit-icons", "65535", "65535"},
		{"max-body", "1048576", "1MiB"},
		{"max-body", "1 MiB", "1MiB"},
		{"max-body", "2MB", "2000000"},
		{"max-body", "4096B", "4KiB"},
		{"cache-size", "0", "0"},
		{"read-timeout", "1500ms", "1.5s"},
		{"drain-timeout", "60m", "1h"},
		{"drain-timeout", "90s", "1m30s"},
		{"drain-timeout", "10m", "10m"},
		{"drain-timeout", "1h", "1h"},
		{"base-url", "https://example.org/a/", "https://example.org/a/"},
	} {
		t.Run(tt.flag+" "+tt.typed, func(t *testing.T) {
			flags := (&program{testSystem("")}).serveCommand().Flags()
			require.NoError(t, flags.Set(tt.flag, tt.typed))
			assert.Equal(t, tt.shown, flags.Lookup(tt.flag).Value.String())
		})
	}
}

// TestStandardSettings holds the defaults of the flags to what the contract says.
func TestStandardSettings(t *testing.T) {
	s := standardSettings()
	assert.Equal(t, 5*time.Second, s.workTimeout)
	assert.Equal(t, 500*time.Millisecond, s.maxCPU)
	assert.Equal(t, [4]int{300, 1200, 30, 15}, [4]int{s.limits.Read, s.limits.Icons, s.limits.Validate, s.limits.Resolve})
}

// FuzzValues shows that no text breaks a flag, and that what a flag shows is
// what it takes.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"", "1", "64MiB", "-5kB", "2s", "10.0.0.0/8,::1", ":80", "https://x", "off", "9e9GB"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		flags := (&program{testSystem("")}).serveCommand().Flags()
		flags.VisitAll(func(flag *pflag.Flag) {
			if flag.Name == "help" || flag.Value.Set(typed) != nil {
				return
			}
			shown := flag.Value.String()
			if err := flag.Value.Set(shown); err != nil || flag.Value.String() != shown {
				if strings.TrimSpace(shown) != "" || err == nil {
					t.Fatalf("--%s takes %q, shows %q, and then: %v", flag.Name, typed, shown, err)
				}
			}
		})
	})
}
