package main

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

// settings are the flags of serve.
type settings struct {
	origin
	storeCache string

	addr, adminAddr string
	baseURL         string
	proxies         []netip.Prefix
	tlsCert, tlsKey string

	rateLimit   bool
	limits      ratelimit.Limits
	limiterKeys int

	maxBody, cacheSize       int64
	readTimeout, workTimeout time.Duration
	maxCPU                   time.Duration
	maxRequests, maxWork     int
	aliasMaxAge              time.Duration

	mcpOn, mcpNew bool
	mcpHosts      []string

	logFormat, logLevel string
	logRequests         bool

	drainDelay, drainTimeout time.Duration
}

// standardSettings are those of a server that is told nothing.
func standardSettings() *settings {
	return &settings{
		addr:      "localhost:8080",
		rateLimit: true, limits: ratelimit.Limits{Read: 300, Icons: 1200, Validate: 30, Resolve: 15}, limiterKeys: 1 << 18,
		maxBody: 1 << 20, cacheSize: 64 << 20,
		readTimeout: 2 * time.Second, workTimeout: 5 * time.Second, maxCPU: 500 * time.Millisecond,
		maxRequests: 4096, maxWork: max(1, runtime.GOMAXPROCS(0)-1),
		mcpOn: true, mcpNew: true,
		logFormat: "text", logLevel: "info", logRequests: true,
		drainDelay: 2 * time.Second, drainTimeout: 20 * time.Second,
	}
}

// serveFlags adds the flags of serve to a command, in groups.
func serveFlags(cmd *cobra.Command) *settings {
	s := standardSettings()
	g := &groups{cmd: cmd}
	sourceFlags(g, s)
	g.begin("Addresses")
	g.add(addressValue(&s.addr), "addr", "where the service listens; port 0 takes a free one")
	g.add(addressValue(&s.adminAddr), "admin-addr", "where health, metrics and profiles are (default off)")
	g.add(baseValue(&s.baseURL), "base-url", "where clients find the service, if not at its own root")
	g.add(networksValue(&s.proxies), "trusted-proxies", "whose X-Forwarded-For or Forwarded is believed (default nobody's)")
	g.begin("TLS")
	g.add(g.text(&s.tlsCert, "file"), "tls-cert", "certificate chain in PEM; read again when it changes")
	g.add(g.text(&s.tlsKey, "file"), "tls-key", "its private key in PEM")
	g.begin("Rate limits (requests of a client in 60 seconds)")
	g.add(switchValue(&s.rateLimit), "rate-limit", "whether there are any")
	g.add(limitValue(&s.limits.Read), "limit-read", "reads of JSON, and all that has no limit of its own")
	g.add(limitValue(&s.limits.Icons), "limit-icons", "shapes, symbols and icons")
	g.add(limitValue(&s.limits.Validate), "limit-validate", "validate")
	g.add(limitValue(&s.limits.Resolve), "limit-resolve", "resolve, validate_resolved and render together")
	g.add(numberValue(&s.limiterKeys, 1<<26), "limiter-keys", "clients that are remembered, at 64 to 192 bytes each")
	g.begin("Work")
	g.add(sizeValue(&s.maxBody, 1<<10, 1<<30), "max-body", "largest body of a request")
	g.add(durationValue(&s.readTimeout, time.Millisecond, 10*time.Minute), "read-timeout", "most time for a read")
	g.add(durationValue(&s.workTimeout, time.Millisecond, 10*time.Minute), "work-timeout", "most time for validating or resolving a document")
	g.add(durationValue(&s.maxCPU, time.Millisecond, 10*time.Minute), "max-cpu", "most processor time for that")
	g.add(numberValue(&s.maxWork, 1<<16), "max-work", "documents at once; a few more wait (default one for each processor but one)")
	g.add(numberValue(&s.maxRequests, 1<<20), "max-requests", "requests at once; more are told to come back")
	g.begin("Caching")
	g.add(sizeValue(&s.cacheSize, 0, 1<<40), "cache-size", "memory for answers that are kept")
	g.add(durationValue(&s.aliasMaxAge, 0, 365*24*time.Hour), "alias-max-age", "how long others may keep answers asked for by an alias (default like their version)")
	g.begin("MCP")
	g.add(switchValue(&s.mcpOn), "mcp", "whether language models are served, at /mcp")
	g.add(hostsValue(&s.mcpHosts), "mcp-hosts", "names besides localhost and that of --base-url by which a local address may be asked")
	g.add(switchValue(&s.mcpNew), "mcp-sessionless", "whether revisions without sessions are spoken, whose clients share one view")
	g.begin("Logs")
	g.add(oneOf(&s.logFormat, "text", "json"), "log-format", "form of the log on standard error")
	g.add(oneOf(&s.logLevel, "debug", "info", "warn", "error"), "log-level", "least that is logged")
	g.add(switchValue(&s.logRequests), "log-requests", "a line for each request")
	g.begin("Stopping")
	g.add(durationValue(&s.drainDelay, 0, time.Hour), "drain-delay", "how long to go on after the signal, so that clients move on")
	g.add(durationValue(&s.drainTimeout, 0, time.Hour), "drain-timeout", "how long requests may then take to end")
	g.hideDefault("store-cache", "admin-addr", "trusted-proxies", "max-work", "alias-max-age")
	cmd.SetUsageFunc(groupedUsage)
	return s
}

// sourceFlags adds the flags that say what is served.
func sourceFlags(g *groups, s *settings) {
	g.begin("Sources (the sample taxonomies, if none is named)")
	g.add(g.text(&s.schemas, "folder"), "schemas", "schema source: a folder <type>/<date>-<status>, served as it is edited")
	g.add(g.text(&s.store, "folder|address"), "store", "published versions: a folder, or the address of a server to follow")
	g.add(g.text(&s.storeCache, "folder"), "store-cache", "where copies of a store at an address are kept (default in the user's folder for caches)")
	for _, name := range []string{"schemas", "store", "store-cache"} {
		dirFlag(g.cmd, name)
	}
}

// check refuses flags that do not go together.
func (s *settings) check(cmd *cobra.Command) error {
	switch {
	case (s.tlsCert == "") != (s.tlsKey == ""):
		return badUsage(cmd, "--tls-cert and --tls-key belong together: give both")
	case s.storeCache != "" && !isAddress(s.store):
		return badUsage(cmd, "--store-cache is for a --store that is an address: leave it away")
	}
	return s.origin.check(cmd)
}

// cacheDir returns where copies of a store at an address are kept.
func (p *program) cacheDir(typed string) string {
	if typed != "" {
		return p.path(typed)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "" // in memory, then
	}
	return filepath.Join(dir, "datachain", "stores")
}

// groupKey is the annotation that says to which group a flag belongs.
const groupKey = "datachain-group"

// groups adds flags to a command under headings.
type groups struct {
	cmd     *cobra.Command
	current string
}

func (g *groups) begin(name string) { g.current = name }

func (g *groups) text(at *string, kind string) pflag.Value {
	return &value[string]{at, kind, func(s string) (string, error) { return s, nil }, asText}
}

func (g *groups) add(v pflag.Value, name, usage string) {
	f := g.cmd.Flags().VarPF(v, name, "", usage)
	f.Annotations = map[string][]string{groupKey: {g.current}}
	complete := cobra.NoFileCompletions
	switch words := strings.Split(v.Type(), "|"); {
	case v.Type() == "file", words[0] == "folder":
		return // the shell knows files, and dirFlag folders
	case len(words) > 1 && words[0] != "number":
		complete = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	}
	_ = g.cmd.RegisterFlagCompletionFunc(name, complete) // fails only for a flag that is not there
}

// hideDefault leaves out the default of flags whose usage says it in words.
func (g *groups) hideDefault(names ...string) {
	for _, name := range names {
		g.cmd.Flags().Lookup(name).DefValue = ""
	}
}

// groupedUsage prints the usage of a command whose flags have groups.
func groupedUsage(cmd *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
	var order []string
	sets := map[string]*pflag.FlagSet{}
	cmd.Flags().SortFlags = false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := "Flags"
		if group := f.Annotations[groupKey]; len(group) > 0 {
			name = group[0]
		}
		if sets[name] == nil {
			order, sets[name] = append(order, name), pflag.NewFlagSet(name, pflag.ContinueOnError)
			sets[name].SortFlags = false
		}
		sets[name].AddFlag(f)
	})
	for _, name := range order {
		fmt.Fprintf(&b, "\n%s:\n%s", name, sets[name].FlagUsages())
	}
	_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
	return err
}
