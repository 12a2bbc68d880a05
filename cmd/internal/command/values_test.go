package command

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
	"github.com/datachain-go/datachain/cmd/internal/cloud"
)

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
			s := serveFlags(cmd, cloud.Redis{})
			require.NoError(t, cmd.Flags().Set(tt.flag, tt.typed))
			assert.Equal(t, tt.want, tt.got(s))
			assert.Equal(t, strings.TrimSpace(tt.typed), cmd.Flags().Lookup(tt.flag).Value.String())
		})
	}
}

// TestDefaults compares the defaults of the flags with the contract.
func TestDefaults(t *testing.T) {
	t.Parallel()
	s := serveFlags(new(cobra.Command), cloud.Redis{})
	assert.Equal(t, 5*time.Second, s.HTTP.WorkTimeout)
	assert.Equal(t, 500*time.Millisecond, s.Service.MaxCPU)
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
