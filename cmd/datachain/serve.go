package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/livestore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/columns"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/serve"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *program) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve taxonomies over HTTP",
		Long: `Serve taxonomies over HTTP: a schema source while it is edited, published versions,
or the built-in sample taxonomies. Without --schemas, --store and --samples, the working
directory is served if it is a schema source, else the samples.

Each flag can be set with an environment variable, such as DATACHAIN_ADDR for --addr.
Flags override environment variables. SIGTERM and SIGINT drain requests; a second
one exits at once.`,
		Example: `  datachain serve
  datachain serve --schemas taxonomies --addr :9000
  datachain serve --store /srv/taxonomies --admin-addr localhost:9090
  datachain serve --store s3://releases/public --s3-region eu-central-1
  DATACHAIN_STORE=https://datachain.example datachain serve`,
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	s := serveFlags(cmd)
	cmd.RunE = p.server(s, func(ctx context.Context, store taxonomy.Store, out *serve.LogWriter) error {
		// A second signal ends the program at once.
		defer context.AfterFunc(ctx, out.Immediate)()
		s.Started = func(started serve.Started) {
			out.Flush()
			p.announce(s, started)
		}
		return withAdvice(serve.Run(ctx, store, &s.Options))
	})
	return cmd
}

// server returns the RunE of serve and mcp: it completes the settings, begins a
// log and opens the store.
func (p *program) server(s *settings, run func(context.Context, taxonomy.Store, *serve.LogWriter) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		if err := p.fromEnvironment(cmd); err != nil {
			return err
		}
		if err := s.check(cmd); err != nil {
			return err
		}
		s.complete(p)
		if s.Explorer != nil {
			if err := p.addPictures(s.assets, s.Explorer); err != nil {
				return err
			}
		}
		out := serve.NewLogWriter(p.stderr)
		defer out.Flush()
		s.Logger = newLogger(out, s)
		for _, message := range p.strayVariables() {
			s.Logger.Warn(message)
		}
		p.storeProblem = func(err error) {
			s.Logger.Warn("store or its cache needs attention, answers are not affected", "error", err)
		}
		store, err := p.openServed(s)
		if err != nil {
			return err
		}
		return run(cmd.Context(), store, out)
	}
}

func newLogger(out *serve.LogWriter, s *settings) *slog.Logger {
	level := new(slog.LevelVar)
	_ = level.UnmarshalText([]byte(s.logLevel)) // the flag takes nothing else
	o := &slog.HandlerOptions{Level: level}
	if s.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(out, o))
	}
	return slog.New(slog.NewTextHandler(out, o))
}

// withAdvice says which flags to change.
func withAdvice(err error) error {
	opErr, _ := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, serve.ErrDrainTimeout):
		return advise(err, "Allow more time with --drain-timeout.")
	case opErr != nil && opErr.Op == "listen":
		return advise(err, "Choose another address with --addr or --admin-addr.")
	}
	return err
}

// fromEnvironment sets the flags that are not on the command line from their
// environment variables. A source on the command line overrides another one in a
// variable.
func (p *program) fromEnvironment(cmd *cobra.Command) error {
	flags := cmd.Flags()
	named := flags.Changed("schemas") || flags.Changed("store") || flags.Changed("samples")
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := variable(f.Name)
		value := p.getenv(name)
		isSource := f.Name == "schemas" || f.Name == "samples" || strings.HasPrefix(f.Name, "store")
		if value == "" || f.Changed || err != nil || isSource && named || f.Name == "help" {
			return
		}
		if e := flags.Set(f.Name, value); e != nil {
			err = badUsage(cmd, "%s: %w", name, e)
		}
	})
	return err
}

// strayVariables warns of environment variables that look like those of flags.
// The ones that Kubernetes sets for a service named datachain are ignored.
func (p *program) strayVariables() []string {
	if p.environ == nil {
		return nil
	}
	var known, stray []string
	p.serveCommand().Flags().VisitAll(func(f *pflag.Flag) { known = append(known, variable(f.Name)) })
	for _, entry := range p.environ() {
		name, _, _ := strings.Cut(entry, "=")
		ours := strings.HasPrefix(name, variable("")) && !strings.HasPrefix(name, variable("service-")) && !strings.HasPrefix(name, variable("port"))
		if ours && !slices.Contains(known, name) {
			stray = append(stray, name+" matches no flag and is ignored"+meant(name, known))
		}
	}
	slices.Sort(stray)
	return stray
}

// variable returns the name of the environment variable of a flag.
func variable(flag string) string {
	return "DATACHAIN_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// dirRefresh is the default of --refresh for a store in a directory.
const dirRefresh = 100 * time.Millisecond

// openServed opens what is to be served, which may change meanwhile.
func (p *program) openServed(s *settings) (taxonomy.Store, error) {
	asked := s.named()
	s.origin = p.settle(s.origin)
	switch {
	case s.samples:
		s.source = "the built-in sample taxonomies"
		if !asked {
			s.source += "; serve others with --schemas or --store"
		}
		return taxonomies.Store()
	case isBucket(s.store):
		s.source = "the store at " + s.store
		opened, err := p.serveBucket(s)
		if err != nil {
			return nil, err
		}
		s.Fallback = opened.Cached()
		return opened, nil
	case isURL(s.store):
		s.source = "the store at " + redacted(s.store)
		remote, err := p.openRemote(s)
		if err != nil {
			return nil, err
		}
		p.atEnd(func() { _ = remote.Close() }) // only read
		s.Fallback = remote.Cached()
		return remote, nil
	case s.store != "":
		s.source = "the store in " + s.store
		if s.Refresh = s.refresh; s.refresh < 0 {
			s.Refresh = dirRefresh
		}
		return p.openStore(s.store, fsstore.Options{AllowDamaged: true})
	case !asked:
		s.schemas = p.rootOf(s.schemas)
	}
	s.source = "the schema source in " + s.schemas + ", as it is edited"
	return p.openLive(s)
}

// rootOf returns the root of the source that a directory belongs to, as the user
// would type it.
func (p *program) rootOf(dir string) string {
	if a := p.sourceIn(dir); a != nil {
		return a.shown("")
	}
	return dir
}

// openLive opens a schema source. A published store, whose directories look alike,
// is refused.
func (p *program) openLive(s *settings) (*livestore.Store, error) {
	dir := p.path(s.schemas)
	if isStore(dir) {
		return nil, advise(fmt.Errorf("--schemas %s: %w", s.schemas, errIsStore), "Use --store "+s.schemas+".")
	}
	o := &livestore.Options{Edited: serve.LogEdits(s.Logger)}
	if !s.editor {
		o.Report = serve.LogFindings(s.Logger)
	}
	opened, err := livestore.Open(dir, o)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, advise(fmt.Errorf("--schemas %s: %w", s.schemas, errNoDir),
			"Create a source with 'datachain schema new TYPE --schemas "+s.schemas+"', or omit --schemas to serve the samples.")
	case err != nil:
		return nil, fmt.Errorf("--schemas %s: %s", s.schemas, reason(err))
	}
	p.atEnd(func() { _ = opened.Close() }) // only read
	return opened, nil
}

// openRemote opens a store at a URL. If the default cache directory is not
// writable, no copies are kept on disk.
func (p *program) openRemote(s *settings) (*httpstore.Store, error) {
	o := &httpstore.Options{ServiceClient: "datachain-serve", AcceptRemovals: s.acceptRemovals, Report: p.storeProblem}
	if s.storeCache != "" {
		o.CacheDir = p.path(s.storeCache)
	} else if p.cacheDir != "" {
		o.CacheDir = filepath.Join(p.cacheDir, "datachain", "stores")
	}
	opened, err := httpstore.Open(s.store, o)
	switch {
	case err == nil:
		return opened, nil
	case !errors.Is(err, httpstore.ErrCacheDir):
		return nil, fmt.Errorf("--store %s: %w", redacted(s.store), err)
	case s.storeCache != "":
		return nil, advise(fmt.Errorf("--store-cache %s: %w", s.storeCache, err), "Choose a writable directory, or omit --store-cache.")
	}
	s.Logger.Warn("cache directory is not writable, caching in memory; set --store-cache", "dir", o.CacheDir, "error", reason(err))
	o.CacheDir = ""
	return httpstore.Open(s.store, o)
}

// announce says what is served, and where: with a table on a terminal, in lines,
// or in a JSON log.
func (p *program) announce(s *settings, started serve.Started) {
	if s.logFormat == "json" && !p.stderrTerminal {
		s.Logger.Info("serving", "url", started.URL, "explorer", s.explorer, "admin", started.AdminURL, "source", s.source)
		for _, r := range started.Releases {
			s.Logger.Info("release loaded", "version", r.ID.String(), "content_hash", r.ContentHash.String(), "elements", r.Elements)
		}
		return
	}
	var b bytes.Buffer
	if s.explorer {
		fmt.Fprintf(&b, "Explorer at %s/\n", p.errStyle().Bold(started.URL))
	}
	fmt.Fprintf(&b, "Serving at %s/api/v2/schemas\n", p.errStyle().Bold(started.URL))
	fmt.Fprintf(&b, "Serving %s\n", prose.Line(s.source))
	if s.mcp {
		fmt.Fprintf(&b, "MCP at %s/mcp\n", started.URL)
	}
	if s.Shared != nil {
		fmt.Fprintln(&b, "Sharing rate limits and MCP sessions through Redis")
	}
	if s.Telemetry != nil {
		fmt.Fprintln(&b, "Sending traces and metrics by OpenTelemetry")
	}
	if started.AdminURL != "" {
		fmt.Fprintf(&b, "Health checks and metrics at %s/readyz, /metrics\n", started.AdminURL)
		if s.Profiles {
			fmt.Fprintf(&b, "Profiles at %s/debug/pprof/\n", started.AdminURL)
		}
	} else if p.stderrTerminal {
		fmt.Fprintln(&b, p.errStyle().Dim("Health checks and metrics are off; turn them on with --admin-addr localhost:9090."))
	}
	switch {
	case len(started.Releases) == 0:
	case p.stderrTerminal:
		rows := [][]string{{"VERSION", "ELEMENTS", "CONTENT HASH", "ALIASES"}}
		for _, r := range started.Releases {
			rows = append(rows, []string{r.ID.String(), fmt.Sprint(r.Elements), shortHash(r.ContentHash), strings.Join(r.Aliases, " ")})
		}
		b.WriteByte('\n')
		b.WriteString(columns.Table(rows, p.errWidth()))
		b.WriteByte('\n')
	default:
		for _, r := range started.Releases {
			line := []string{" ", r.ID.String(), prose.Count(r.Elements, "element"), r.ContentHash.String()}
			fmt.Fprintln(&b, strings.Join(slices.Concat(line, r.Aliases), " "))
		}
	}
	_, _ = p.stderr.Write(b.Bytes())
}
