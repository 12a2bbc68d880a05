package flags_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/cloud"
	"github.com/datachain-go/datachain/cmd/internal/flags"
)

// TestValues parses values, and says what is wrong with others.
func TestValues(t *testing.T) {
	t.Parallel()
	var (
		text  string
		on    bool
		n     int
		size  int64
		d     time.Duration
		nets  []netip.Prefix
		hosts []string
	)
	for _, tt := range []struct {
		value *flags.Value
		typed string
		got   any // a pointer, or nil if the value is wrong
		want  any
	}{
		{flags.Text(&text, "text", "a text"), " a b ", &text, "a b"},
		{flags.File(&text), "-", &text, "-"},
		{flags.File(&text), "--next", nil, `X must be a file, not "--next"`},
		{flags.Key(&text), "env:KEY", &text, "env:KEY"},
		{flags.Key(&text), "--next", nil, `X must be a file or env:NAME, not "--next"`},
		{flags.OneOf(&text, "text", "json"), "json", &text, "json"},
		{flags.OneOf(&text, "text", "json"), "jsno", nil, `X must be text or json, not "jsno"; did you mean json?`},
		{flags.OnOff(&on), "on", &on, true},
		{flags.OnOff(&on), "true", nil, `X must be on or off, not "true"`},
		{flags.Switch(&on), "off", &on, false},
		{flags.Date(&text), "2026-02-29", nil, `X must be a date of the form YYYY-MM-DD, not "2026-02-29"`},
		{flags.Version(&text), "ai@latest", &text, "ai@latest"},
		{flags.Version(&text), "ai@2026-13-01-beta", nil, `X must be a version, such as ai@latest, not "ai@2026-13-01-beta"; 2026-13-01 is not a valid date`},
		{flags.TypeID(&text), "a b", nil, `X must be 1 to 128 letters, digits, '_' and '-', not "a b"`},
		{flags.Locale(&text), "pt-BR", &text, "pt-BR"},
		{flags.Locale(&text), "a b", nil, `X must be a language tag, such as fr or pt-BR, not "a b"`},
		{flags.Integer(&n, 9), "9", &n, 9},
		{flags.Integer(&n, 9), "10", nil, `X must be an integer from 1 to 9, not "10"`},
		{flags.Limit(&n), "off", &n, -1},
		{flags.Limit(&n), "0", nil, `X must be an integer from 1 to 65535, or off, not "0"`},
		{flags.Duration(&d, time.Second, time.Hour), "1m", &d, time.Minute},
		{flags.Duration(&d, time.Second, time.Hour), "2h", nil, `X must be a duration from 1s to 1h, such as 2s, not "2h"`},
		{flags.Size(&size, "0", "1GiB"), "64 KiB", &size, int64(64 << 10)},
		{flags.Size(&size, "0", "1GiB"), "0", &size, int64(-1)},
		{flags.Size(&size, "1MiB", "1GiB"), "2GiB", nil, `X must be a size from 1MiB to 1GiB, such as 64MiB, not "2GiB"`},
		{flags.HostPort(&text), ":0", &text, ":0"},
		{flags.HostPort(&text), "host", nil, `X must be host:port or :port, with a port from 0 to 65535, such as localhost:8080, not "host"`},
		{flags.BaseURL(&text), "https://x.example/a", &text, "https://x.example/a"},
		{flags.BaseURL(&text), "x.example", nil, `X must be an http or https URL without a query and without credentials, such as https://example.org/datachain, not "x.example"`},
		{flags.RedisURL(&text, cloud.Redis{}.Check), "http://user:secret@x", nil, `X must be a URL with the scheme redis, rediss, unix, redis+sentinel or redis+cluster, such as redis://localhost:6379; invalid URL scheme: http`},
		{flags.Networks(&nets), "10.1.2.3/8, ::1", &nets, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}},
		{flags.Hosts(&hosts), "a.example,b.example", &hosts, []string{"a.example", "b.example"}},
		{flags.Hosts(&hosts), "a:80", nil, `X must be host names without ports, separated by commas, such as datachain.example, or any, not "a:80"`},
		{flags.Text(&text, "text", "a text"), "", nil, `X must be a text, not ""`},
	} {
		wrong := tt.value.Wrong("X", tt.typed)
		if tt.got == nil {
			require.Equal(t, tt.want, wrong)
			continue
		}
		require.Empty(t, wrong, tt.typed)
		switch got := tt.got.(type) {
		case *string:
			require.Equal(t, tt.want, *got)
		case *bool:
			require.Equal(t, tt.want, *got)
		case *int:
			require.Equal(t, tt.want, *got)
		case *int64:
			require.Equal(t, tt.want, *got)
		case *time.Duration:
			require.Equal(t, tt.want, *got)
		case *[]netip.Prefix:
			require.Equal(t, tt.want, *got)
		case *[]string:
			require.Equal(t, tt.want, *got)
		}
	}
}

// TestWrong shows that values are refused that are nearly right.
func TestWrong(t *testing.T) {
	t.Parallel()
	var (
		text string
		size int64
		d    time.Duration
		nets []netip.Prefix
	)
	for value, wrong := range map[*flags.Value][]string{
		flags.HostPort(&text):                        {"nonsense", "9090", "host:http", ":65536", ":-1", "::1:80"},
		flags.BaseURL(&text):                         {"ftp://x", "https://", "https://x/?a", "https://x/#a", "http://[x"},
		flags.Networks(&nets):                        {"10.0.0.0/33", "localhost", "10.0.0.0/8,,", "::ffff:10.0.0.0/104"},
		flags.Size(&size, "1KiB", "1GiB"):            {"0", "1", "-1MiB", "1.5MiB", "1TiB", "MiB", "99999999999999999999", "9223372036854775807GiB"},
		flags.Duration(&d, time.Second, time.Minute): {"0", "2", "-2s", "soon"},
		flags.Limit(new(int)):                        {"-1", "65536", "1e3", "many"},
	} {
		for _, typed := range wrong {
			require.NotEmpty(t, value.Wrong("X", typed), typed)
		}
	}
}

// TestLists repeats values: those of a list are separated by commas, too.
func TestLists(t *testing.T) {
	t.Parallel()
	var list, repeated []string
	value := flags.List(&list, flags.Locale)
	require.NoError(t, value.Set("de, en"))
	require.NoError(t, value.Set("fr"))
	require.Error(t, value.Set("de,,en"))
	require.Equal(t, []string{"de", "en", "fr"}, list)
	value = flags.Repeated(&repeated, func(at *string) *flags.Value { return flags.Text(at, "text", "a text") })
	require.NoError(t, value.Set("a,b"))
	require.NoError(t, value.Set("c"))
	require.Equal(t, []string{"a,b", "c"}, repeated)
}

// TestCheck finds flags that are missing, or that can't be used together, by the names that set them.
func TestCheck(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"":                              "--out is required: where to write",
		"--out x":                       "",
		"--out x --force":               "--force requires --write",
		"--out x --force --write":       "",
		"--out x --cert c":              "DATACHAIN_KEY and --cert are required together",
		"--out x --a --b":               "--a and --b can't be used together",
		"--out x --write --level maybe": "--level must be on or off, not \"maybe\"",
	} {
		var text string
		var on bool
		cmd := &cobra.Command{Use: "x"}
		switches := []flags.Flag{flags.New("write", "write", flags.Switch(&on)), flags.New("force", "force", flags.Switch(&on)), flags.New("a", "a", flags.Switch(&on)), flags.New("b", "b", flags.Switch(&on))}
		flags.Add(cmd, append(switches, flags.New("out", "where to write", flags.File(&text)))...)
		flags.AddGroups(cmd, flags.Group{Title: "TLS", Flags: []flags.Flag{
			flags.New("cert", "certificate", flags.File(&text)), flags.New("key", "key", flags.File(&text)), flags.New("level", "level", flags.OnOff(&on)),
		}})
		flags.Require(cmd, "out")
		flags.Needs(cmd, "force", "write")
		flags.Exclusive(cmd, "a", "b")
		flags.Together(cmd, "key", "cert")
		variables := map[string]string{}
		require.Equal(t, "TLS", flags.GroupOf(cmd.Flags().Lookup("cert")))
		if line == "--out x --cert c" {
			variables["key"] = flags.Variable("key")
		}
		err := cmd.ParseFlags(strings.Fields(line))
		if err != nil {
			require.Equal(t, want, flags.Explain(err, ""))
			continue
		}
		err = flags.Check(cmd, variables)
		if want == "" {
			require.NoError(t, err, line)
		} else {
			require.EqualError(t, err, want)
		}
	}
}

// TestEnvironment sets flags that are not on the command line.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	var addr, level string
	var on bool
	cmd := &cobra.Command{Use: "x"}
	flags.AddGroups(cmd, flags.Group{Title: "All", Flags: []flags.Flag{
		flags.New("addr", "address", flags.HostPort(&addr)), flags.New("log-level", "level", flags.OneOf(&level, "info", "warn")), flags.New("fast", "fast", flags.Switch(&on)),
	}})
	require.NoError(t, cmd.ParseFlags([]string{"--addr", ":1"}))
	variables := map[string]string{"DATACHAIN_ADDR": ":2", "DATACHAIN_LOG_LEVEL": "warn", "DATACHAIN_FAST": "off"}
	getenv := func(name string) string { return variables[name] }
	used, err := flags.FromEnvironment(cmd, getenv, func(*pflag.Flag) bool { return false })
	require.NoError(t, err)
	require.Equal(t, map[string]string{"log-level": "DATACHAIN_LOG_LEVEL", "fast": "DATACHAIN_FAST"}, used)
	require.Equal(t, []any{":1", "warn", false}, []any{addr, level, cmd.Flags().Changed("fast")})
	cmd.Flags().Lookup("log-level").Changed, variables["DATACHAIN_LOG_LEVEL"] = false, "wran"
	_, err = flags.FromEnvironment(cmd, getenv, func(*pflag.Flag) bool { return false })
	require.EqualError(t, err, `DATACHAIN_LOG_LEVEL must be info or warn, not "wran"; did you mean warn?`)
}
