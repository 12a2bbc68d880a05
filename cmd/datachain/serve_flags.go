package main

import (
	"cmp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/cmd/datachain/internal/serve"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
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
	serve.Options
	rateLimit bool
	limiter   ratelimit.Options
	shared    serve.Shared

	explorer            bool
	assets, fonts       string
	mcp, mcpSessionless bool
	mcpHosts            []string

	logFormat, logLevel string
	// editor says that an editor shows the findings of a source, so they are not logged.
	editor bool
}

// flagGroup is a group of flags in the help.
type flagGroup struct {
	title string
	flags []flagRow
}

// kindSwitch is the kind of a flag without a value. Help shows nothing in its place.
const kindSwitch = "bool"

// flagRow is a flag: its name, what help shows in place of its value, its default,
// its description, and the function that parses it.
type flagRow struct {
	name, kind, standard, usage string
	set                         func(string) error
}

// addFlags adds groups of flags to a command.
func addFlags(cmd *cobra.Command, groups ...flagGroup) {
	cmd.Flags().SortFlags = false
	for _, g := range groups {
		for _, row := range g.flags {
			addFlag(cmd, row).Annotations[groupKey] = []string{g.title}
		}
	}
}

// variableKey is the annotation of a flag that has an environment variable.
const variableKey = "datachain-variable"

// addFlag adds a flag to a command.
func addFlag(cmd *cobra.Command, row flagRow) *pflag.Flag {
	f := cmd.Flags().VarPF(newValue(row.kind, row.standard, row.set), row.name, "", row.usage)
	f.Annotations = map[string][]string{variableKey: {}}
	if row.kind == kindSwitch {
		f.NoOptDefVal = "true" // which help does not show
	}
	completeKind(cmd, row.name, row.kind)
	return f
}

// completeKind makes a flag complete to what help shows in place of its value.
func completeKind(cmd *cobra.Command, name, kind string) {
	words := strings.Split(kind, "|")
	switch {
	case words[0] == "dir":
		completeFlag(cmd, name, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
	case words[0] == "file": // the shell completes files
	case len(words) > 1 && words[0] != "number":
		completeWords(cmd, name, words...)
	default:
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
}

func (s *settings) sourceFlags(p *program) flagGroup {
	s.refresh = -1
	return flagGroup{"Sources (default: datachain.yaml, else the working directory if it is a schema source, else the samples)", append(p.locationRows(&s.from), []flagRow{
		{"refresh", "duration", "", "how long the index of a store is used before it is read again (default 100ms for a directory, 1s for a bucket)", duration(&s.refresh, 0, time.Hour)},
		{"store-cache", "dir", "", "where to cache a store at a URL or in a bucket (default in the user's cache directory)", anyText(&s.storeCache)},
		{"accept-removals", kindSwitch, "", "accept at this start that the index of a store was rolled back, such as by restoring a backup; omit it afterwards", given(&s.acceptRemovals)},
	}...)}
}

func (s *settings) logFlags() []flagRow {
	return []flagRow{
		{"log-format", "text|json", "text", "format of the log on standard error", oneOf(&s.logFormat, "text", "json")},
		{"log-level", "debug|info|warn|error", "info", "lowest level to log", oneOf(&s.logLevel, "debug", "info", "warn", "error")},
	}
}

// pageFlags are the flags of the explorer.
func (s *settings) pageFlags() flagGroup {
	return flagGroup{"Pages", []flagRow{
		{"explorer", "on|off", "on", "serve pages for people at /", onOff(&s.explorer)},
		{"assets", "dir", "", "directory of the editor for checking documents while they are typed and of the verifier of proofs; 'make web' builds web/editor/dist (default the one installed with the program)", anyText(&s.assets)},
		{"fonts", "dir", "", fontsUsage("directory"), anyText(&s.fonts)},
	}}
}

// serveFlags adds the flags of serve to a command.
func (p *program) serveFlags(cmd *cobra.Command) *settings {
	s := new(settings)
	const minute = time.Minute
	addFlags(cmd, s.sourceFlags(p),
		flagGroup{"Addresses", []flagRow{
			{"addr", "host:port", "localhost:8080", "public address; port 0 chooses a free port", hostPort(&s.Addr)},
			{"admin-addr", "host:port", "", "address of health checks and metrics (default off)", hostPort(&s.AdminAddr)},
			{"pprof", "on|off", "off", "serve profiles of the Go runtime at --admin-addr", onOff(&s.Profiles)},
			{"base-url", "URL", "", "public URL of the service, if clients reach it under another host or path", baseURL(&s.HTTP.BaseURL)},
			{"trusted-proxies", "networks", "", "proxies whose Forwarded and X-Forwarded-For headers are trusted (default none)", networks(&s.HTTP.TrustedProxies)},
		}},
		flagGroup{"TLS", []flagRow{
			{"tls-cert", "file", "", "certificate chain in PEM format; reloaded when it changes", anyText(&s.CertFile)},
			{"tls-key", "file", "", "private key in PEM format", anyText(&s.KeyFile)},
		}},
		flagGroup{"Rate limits (requests per client in 60 seconds)", []flagRow{
			{"rate-limit", "on|off", "on", "enforce rate limits", onOff(&s.rateLimit)},
			{"limit-read", "number|off", "300", "JSON reads, MCP and requests without a limit of their own", limit(&s.limiter.Limits.Read)},
			{"limit-icons", "number|off", "1200", "shapes, symbols and icons", limit(&s.limiter.Limits.Icons)},
			{"limit-validate", "number|off", "30", "validate", limit(&s.limiter.Limits.Validate)},
			{"limit-resolve", "number|off", "15", "resolve, validate_resolved, render and upgrade together", limit(&s.limiter.Limits.Resolve)},
			{"limit-pages", "number|off", "1200", "pages of the explorer and the register, and their data", limit(&s.limiter.Limits.Pages)},
			{"limit-forms", "number|off", "120", "forms that send a document, and drawn signs", limit(&s.limiter.Limits.Forms)},
			{"limiter-keys", "number", "262144", "maximum number of tracked clients, at 270 to 800 bytes each", integer(&s.limiter.MaxKeys, 1<<26)},
		}},
		flagGroup{"Several servers", []flagRow{
			{"shared", "URL", "", "Redis through which servers share rate limits and MCP sessions (redis, rediss, unix, redis+sentinel, redis+cluster)", anyText(&s.shared.Address)},
			{"replicas", "number", "1", "number of servers that share; while Redis is unreachable, each enforces the limits divided by it", integer(&s.shared.Replicas, 1<<16)},
			{"shared-prefix", "text", "datachain", "prefix of the keys in Redis", anyText(&s.shared.Prefix)},
			{"shared-timeout", "duration", "25ms", "how long a check waits for Redis before the server decides by itself", duration(&s.shared.Timeout, time.Millisecond, 2*time.Second)},
		}},
		flagGroup{"Resource limits", []flagRow{
			{"max-body", "size", "1MiB", "maximum size of a request body", size(&s.HTTP.MaxBody, "1KiB", "1GiB")},
			{"read-timeout", "duration", "2s", "time limit for a read", duration(&s.HTTP.ReadTimeout, time.Millisecond, 10*minute)},
			{"work-timeout", "duration", "5s", "time limit for validating or resolving a document", duration(&s.HTTP.WorkTimeout, time.Millisecond, 10*minute)},
			{"write-timeout", "duration", "10s", "time limit for a client to read a response, or 64 KiB of a larger one", duration(&s.HTTP.WriteTimeout, time.Millisecond, 10*minute)},
			{"max-cpu", "duration", "500ms", "CPU limit per document", duration(&s.MaxCPU, time.Millisecond, 10*minute)},
			{"max-work", "number", "", "documents processed at once; a few more wait (default one per CPU, except one)", integer(&s.HTTP.MaxWork, 1<<16)},
			{"max-requests", "number", "4096", "requests served at once, without those that wait for their client to read; excess requests get 503", integer(&s.HTTP.MaxRequests, 1<<20)},
			{"max-unread", "size", "256MiB", "responses that clients have not read yet; one client may have an eighth", size(&s.HTTP.MaxUnread, "1MiB", "64GiB")},
			{"max-client-requests", "number", "", "requests of one client served at once (default 256, or half of --max-requests)", integer(&s.HTTP.MaxClientRequests, 1<<20)},
		}},
		flagGroup{"Caching", []flagRow{
			{"cache-size", "size", "32MiB", "memory for cached responses, and half as much for cached pages", s.cacheSize},
			{"alias-max-age", "duration", "", "max-age of responses to requests by alias (default that of the version)", duration(&s.HTTP.AliasMaxAge, 0, 365*24*60*minute)},
		}},
		s.pageFlags(),
		flagGroup{"Documents", []flagRow{
			{"documents", "dir|URL", "", "serve the documents in a directory while they are edited, or those of the register at a URL, besides those that the store has (default documents of datachain.yaml)", anyText(&s.documents)},
		}},
		s.mcpFlags(),
		flagGroup{"Logging", append(s.logFlags(),
			flagRow{"log-requests", "on|off", "on", "log every request", onOff(&s.HTTP.LogRequests)},
		)},
		s.shutdownFlags(),
	)
	return s
}

func (s *settings) mcpFlags() flagGroup {
	return flagGroup{"MCP", []flagRow{
		{"mcp", "on|off", "on", "serve the Model Context Protocol at /mcp", onOff(&s.mcp)},
		{"mcp-hosts", "names|any", "", "host names allowed on a loopback address, besides localhost and that of --base-url", hosts(&s.mcpHosts)},
		{"mcp-sessionless", "on|off", "on", "accept protocol revisions without sessions, whose clients share one view", onOff(&s.mcpSessionless)},
	}}
}

func (s *settings) shutdownFlags() flagGroup {
	return flagGroup{"Shutdown", []flagRow{
		{"drain-delay", "duration", "2s", "how long to accept requests after SIGTERM, so that clients can move on", duration(&s.DrainDelay, 0, time.Hour)},
		{"drain-timeout", "duration", "20s", "how long the last requests may take after that", duration(&s.DrainTimeout, 0, time.Hour)},
	}}
}

// cacheSize parses --cache-size, where 0 means no cache.
func (s *settings) cacheSize(typed string) error {
	err := size(&s.HTTP.CacheBytes, "0", "1024GiB")(typed)
	if err == nil && s.HTTP.CacheBytes == 0 {
		s.HTTP.CacheBytes = -1
	}
	return err
}

// check refuses flags that do not go together.
func (s *settings) check(cmd *cobra.Command) error {
	switch {
	case (s.CertFile == "") != (s.KeyFile == ""):
		return badUsage(cmd, "--tls-cert and --tls-key must be used together")
	case s.Profiles && s.AdminAddr == "":
		return badUsage(cmd, "--pprof requires --admin-addr")
	case s.storeCache != "" && !s.from.Remote():
		return badUsage(cmd, "--store-cache requires a --store that is a URL or a bucket")
	case s.acceptRemovals && s.from.Store == "":
		return badUsage(cmd, "--accept-removals requires --store")
	case s.shared.Address == "" && s.shared.Replicas > 1:
		return badUsage(cmd, "--replicas requires --shared")
	}
	if s.shared.Address != "" {
		if err := redisshare.CheckAddress(s.shared.Address); err != nil {
			return badUsage(cmd, "--shared: %w", err)
		}
	}
	return nil
}

// complete sets the options that follow from several flags.
func (s *settings) complete(p *program) {
	s.assets = cmp.Or(s.assets, p.assets)
	build := p.versionAnswer()
	s.Build.Version, s.Build.Revision, s.Build.GoVersion = build.Version, build.Revision, build.Go
	if s.CertFile != "" {
		s.CertFile, s.KeyFile = p.path(s.CertFile), p.path(s.KeyFile)
	}
	if s.rateLimit {
		s.RateLimit = &s.limiter
	}
	if s.shared.Address != "" {
		s.Shared = &s.shared
	}
	if s.explorer {
		s.Explorer = p.explorerOptions(s)
	}
	if s.mcp {
		s.MCP = &mcp.Options{
			BaseURL: s.HTTP.BaseURL, Version: build.Version, MaxBody: s.HTTP.MaxBody, Timeout: s.HTTP.WorkTimeout, MaxWork: s.HTTP.MaxWork,
			AllowedHosts: s.mcpHosts, OnlyLegacy: !s.mcpSessionless,
		}
		for _, name := range s.mcpHosts {
			s.MCP.AnyHost = s.MCP.AnyHost || name == anyHost
		}
	}
}
