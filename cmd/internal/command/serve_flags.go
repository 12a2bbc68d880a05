package command

import (
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
)

// settings are the flags of serve and mcp.
type settings struct {
	from           stores.Location
	storeCache     string
	acceptRemovals bool
	refresh        time.Duration // negative if it was not set
	// source says what is served, for people.
	source string
	// documents is a directory of documents, or the URL of another register.
	documents string
	server.Options
	rateLimit bool
	limiter   ratelimit.Options
	shared    server.Shared

	explorer            bool
	assets, fonts       string
	mcp, mcpSessionless bool
	mcpHosts            []string

	logFormat, logLevel string
}

func (s *settings) sourceFlags() flags.Group {
	s.refresh = -1
	return flags.Group{Title: "Sources (with the global flags)", Flags: []flags.Flag{
		flags.New("refresh", "how long the index of a store is used before it is read again (default 100ms for a directory, 1s for a bucket)", flags.Duration(&s.refresh, 0, time.Hour)),
		flags.New("store-cache", "where to cache a store at a URL or in a bucket (default in the user's cache directory)", flags.Dir(&s.storeCache)),
		flags.New("accept-removals", "accept at this start that the index of a store was rolled back, such as by restoring a backup; omit it afterwards", flags.Switch(&s.acceptRemovals)),
	}}
}

func (s *settings) logFlags() []flags.Flag {
	return []flags.Flag{
		flags.New("log-format", "format of the log on standard error", flags.OneOf(&s.logFormat, "text", "json").Default("text")),
		flags.New("log-level", "lowest level to log", flags.OneOf(&s.logLevel, "debug", "info", "warn", "error").Default("info")),
	}
}

func (s *settings) rateFlags() flags.Group {
	return flags.Group{Title: "Rate limits (requests per client in 60 seconds)", Flags: []flags.Flag{
		flags.New("rate-limit", "enforce rate limits", flags.OnOff(&s.rateLimit).Default("on")),
		flags.New("limit-read", "JSON reads, MCP and requests without a limit of their own", flags.Limit(&s.limiter.Limits.Read).Default("300")),
		flags.New("limit-icons", "shapes, symbols and icons", flags.Limit(&s.limiter.Limits.Icons).Default("1200")),
		flags.New("limit-validate", "validate", flags.Limit(&s.limiter.Limits.Validate).Default("30")),
		flags.New("limit-resolve", "resolve, validate_resolved, render and upgrade together", flags.Limit(&s.limiter.Limits.Resolve).Default("15")),
		flags.New("limit-pages", "pages of the explorer and the register, and their data", flags.Limit(&s.limiter.Limits.Pages).Default("1200")),
		flags.New("limit-forms", "forms that send a document, and drawn signs", flags.Limit(&s.limiter.Limits.Forms).Default("120")),
		flags.New("limiter-keys", "maximum number of tracked clients, at 270 to 800 bytes each", flags.Integer(&s.limiter.MaxKeys, 1<<26).Default("262144")),
	}}
}

func (s *settings) resourceFlags() flags.Group {
	return flags.Group{Title: "Resource limits", Flags: []flags.Flag{
		flags.New("max-body", "maximum size of a request body", flags.Size(&s.HTTP.MaxBody, "1KiB", "1GiB").Default("1MiB")),
		flags.New("read-timeout", "time limit for a read", flags.Duration(&s.HTTP.ReadTimeout, time.Millisecond, 10*time.Minute).Default("2s")),
		flags.New("work-timeout", "time limit for validating or resolving a document", flags.Duration(&s.HTTP.WorkTimeout, time.Millisecond, 10*time.Minute).Default("5s")),
		flags.New("write-timeout", "time limit for a client to read a response, or each 64 KiB of a larger one", flags.Duration(&s.HTTP.WriteTimeout, time.Millisecond, 10*time.Minute).Default("10s")),
		flags.New("max-cpu", "CPU limit per document", flags.Duration(&s.Service.MaxCPU, time.Millisecond, 10*time.Minute).Default("500ms")),
		flags.New("max-work", "documents processed at once; a few more wait (default one per CPU, except one)", flags.Integer(&s.HTTP.MaxWork, 1<<16)),
		flags.New("max-requests", "requests served at once, except those whose response is being read; excess requests get 503", flags.Integer(&s.HTTP.MaxRequests, 1<<20).Default("4096")),
		flags.New("max-client-requests", "requests of one client served at once, including those whose response is being read (default 256, or half of --max-requests)", flags.Integer(&s.HTTP.MaxClientRequests, 1<<20)),
	}}
}

// serveFlags adds the flags of serve to a command.
func serveFlags(cmd *cobra.Command, redis Redis) *settings {
	s := new(settings)
	flags.AddGroups(cmd, s.sourceFlags(),
		flags.Group{Title: "Addresses", Flags: []flags.Flag{
			flags.New("addr", "public address; port 0 chooses a free port", flags.HostPort(&s.Addr).Default("localhost:8080")),
			flags.New("admin-addr", "health checks and metrics (default off)", flags.HostPort(&s.AdminAddr)),
			flags.New("pprof", "serve profiles of the Go runtime at --admin-addr", flags.OnOff(&s.Profiles).Default("off")),
			flags.New("base-url", "public URL, if clients use another host or path", flags.BaseURL(&s.HTTP.BaseURL)),
			flags.New("trusted-proxies", "proxies whose Forwarded and X-Forwarded-For headers are trusted (default none)", flags.Networks(&s.HTTP.TrustedProxies)),
		}},
		flags.Group{Title: "TLS", Flags: []flags.Flag{
			flags.New("tls-cert", "certificate chain in PEM format", flags.File(&s.CertFile)),
			flags.New("tls-key", "private key in PEM format", flags.File(&s.KeyFile)),
		}},
		s.rateFlags(),
		flags.Group{Title: "Several servers", Flags: []flags.Flag{
			flags.New("shared", "Redis through which servers share rate limits and MCP sessions (redis, rediss, unix, redis+sentinel, redis+cluster)", flags.RedisURL(&s.shared.Address, checkRedis(redis))),
			flags.New("replicas", "number of servers that share; while Redis is unreachable, each enforces the limits divided by it", flags.Integer(&s.shared.Replicas, 1<<16).Default("1")),
			flags.New("shared-prefix", "prefix of the keys in Redis", flags.Text(&s.shared.Prefix, "text", "a text").Default("datachain")),
			flags.New("shared-timeout", "how long a check waits for Redis before the server decides by itself", flags.Duration(&s.shared.Timeout, time.Millisecond, 2*time.Second).Default("25ms")),
		}},
		s.resourceFlags(),
		flags.Group{Title: "Caching", Flags: []flags.Flag{
			flags.New("cache-size", "memory for cached responses, and half as much for cached pages", flags.Size(&s.HTTP.CacheBytes, "0", "1024GiB").Default("32MiB")),
			flags.New("alias-max-age", "max-age of responses to requests by alias (default that of the version)", flags.Duration(&s.HTTP.AliasMaxAge, 0, 365*24*time.Hour)),
		}},
		flags.Group{Title: "Pages", Flags: []flags.Flag{
			flags.New("explorer", "serve pages for people at /", flags.OnOff(&s.explorer).Default("on")),
			flags.New("assets", "directory of the editor for checking documents while they are typed; 'make web' builds editors/web/dist (default the one installed with the program)", flags.Dir(&s.assets)),
			flags.New("fonts", fontsUsage, flags.Dir(&s.fonts)),
		}},
		flags.Group{Title: "Documents", Flags: []flags.Flag{
			flags.New("documents", "serve the documents in a directory as they are edited, or those of a register, besides those of the store (default documents of datachain.yaml)", flags.DirOr(&s.documents, "dir|URL", "a directory or a URL")),
		}},
		flags.Group{Title: "MCP", Flags: []flags.Flag{
			flags.New("mcp", "serve the Model Context Protocol at /mcp", flags.OnOff(&s.mcp).Default("on")),
			flags.New("mcp-hosts", "host names allowed on a loopback address, besides localhost and that of --base-url", flags.Hosts(&s.mcpHosts)),
			flags.New("mcp-sessionless", "accept protocol revisions without sessions, whose clients share one view", flags.OnOff(&s.mcpSessionless).Default("on")),
		}},
		flags.Group{Title: "Logging", Flags: append(s.logFlags(),
			flags.New("log-requests", "log every request", flags.OnOff(&s.HTTP.LogRequests).Default("on")),
		)},
		flags.Group{Title: "Shutdown", Flags: []flags.Flag{
			flags.New("drain-delay", "how long to accept requests after SIGTERM, so that clients can move on", flags.Duration(&s.DrainDelay, 0, time.Hour).Default("2s")),
			flags.New("drain-timeout", "how long the last requests may take after that", flags.Duration(&s.DrainTimeout, 0, time.Hour).Default("20s")),
		}},
	)
	flags.Together(cmd, "tls-cert", "tls-key")
	flags.Needs(cmd, "shared-prefix", "shared")
	flags.Needs(cmd, "shared-timeout", "shared")
	flags.MakeBrief(cmd, "addr", "admin-addr", "base-url", "tls-cert", "tls-key", "documents", "explorer", "mcp", "log-format")
	return s
}

// checkRedis returns what is wrong with an address of Redis. A program without a client accepts any
// here, and none in [settings.check].
func checkRedis(redis Redis) func(address string) error {
	if redis == nil {
		return func(string) error { return nil }
	}
	return redis.Check
}

// check refuses flags that do not go together.
func (s *settings) check(cmd *cobra.Command, redis Redis) error {
	switch {
	case s.shared.Address != "" && redis == nil:
		return errors.New("this program can't open redis://; use datachain-cloud, whose servers share limits and sessions through Redis")
	case s.Profiles && s.AdminAddr == "":
		return usage.Error(cmd, "--pprof requires --admin-addr")
	case s.shared.Address == "" && s.shared.Replicas > 1:
		return usage.Error(cmd, "--replicas requires --shared")
	}
	return nil
}

// complete sets the options that follow from several flags.
func (s *settings) complete(c *console.Console, redis Redis) {
	build := c.Version()
	s.Build.Version, s.Build.Revision, s.Build.GoVersion = build.Version, build.Revision, build.Go
	if s.CertFile != "" {
		s.CertFile, s.KeyFile = c.Path(s.CertFile), c.Path(s.KeyFile)
	}
	if s.rateLimit {
		s.RateLimit = &s.limiter
	}
	if s.shared.Address != "" {
		s.Shared, s.shared.Open = &s.shared, redis.Open
	}
	s.NoPages, s.NoMCP = !s.explorer, !s.mcp
	s.MCP.Version, s.MCP.OnlyLegacy = build.Version, !s.mcpSessionless
	s.MCP.AllowedHosts, s.MCP.AnyHost = s.mcpHosts, slices.Contains(s.mcpHosts, flags.AnyHost)
}
