package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/live"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/server"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/cmd/datachain/internal/usage"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/trust"
)

func (p *program) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve taxonomies and documents over HTTP",
		Long: `Serve taxonomies and documents over HTTP, as pages, REST and MCP: a schema source
while it is edited, published versions, or the built-in sample taxonomies.

Each flag has an environment variable, such as DATACHAIN_ADDR for --addr. SIGTERM and
SIGINT drain requests; a second one exits at once.`,
		Example: `  datachain serve --schemas taxonomies --documents documents
  datachain serve --store /srv/taxonomies --admin-addr localhost:9090`,
	}
	p.Read(cmd)
	s := p.serveFlags(cmd)
	cmd.RunE = p.server(s, func(ctx context.Context, store taxonomy.Store, out *server.LogWriter) error {
		// A second signal ends the program at once.
		defer context.AfterFunc(ctx, out.Immediate)()
		s.Started = func(started server.Started) {
			out.Flush()
			p.announceServer(s, started)
		}
		return withAdvice(server.Run(ctx, store, &s.Options))
	})
	return cmd
}

// server returns the RunE of serve and mcp: it completes the settings, begins a
// log and opens the store.
func (p *program) server(s *settings, run func(context.Context, taxonomy.Store, *server.LogWriter) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		s.from = p.From
		if err := s.check(cmd); err != nil {
			return err
		}
		s.complete(p)
		if s.Explorer != nil {
			var err error
			if s.Explorer.Assets, err = p.openAssets(s.assets); err != nil {
				return err
			}
			if s.Explorer.Signs, err = p.signDrawer(s.fonts); err != nil {
				return err
			}
		}
		out := server.NewLogWriter(p.stderr)
		defer out.Flush()
		s.Logger = newLogger(out, s)
		stray := p.strayVariables(cmd)
		if len(stray) > 0 && s.from.Samples && s.from.By == "" {
			return advise(errors.New(strings.Join(stray, "\n")),
				"Nothing else says what to serve, so it would be the built-in samples.\nCorrect or unset the variable, or use --samples.")
		}
		for _, message := range stray {
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

func newLogger(out *server.LogWriter, s *settings) *slog.Logger {
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
	case errors.Is(err, server.ErrDrainTimeout):
		return advise(err, "Allow more time with --drain-timeout.")
	case opErr != nil && opErr.Op == "listen":
		return advise(err, "Choose another address with --addr or --admin-addr.")
	case trust.Reason(err) != "":
		return advise(err, "Name the store of this log with --store, or get the publisher's newest trust file for --trust, and check the clock.")
	}
	return err
}

// injected matches the environment variables that Kubernetes sets for services whose names
// begin with datachain.
var injected = regexp.MustCompile(`^DATACHAIN(_[A-Z0-9_]+)?_(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)=.*|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?=.*|=(tcp|udp|sctp)://.*))$`)

// strayVariables warns of environment variables that look like those of flags.
func (p *program) strayVariables(cmd *cobra.Command) []string {
	if p.environ == nil {
		return nil
	}
	var known, stray []string
	for _, c := range cmd.Root().Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if flags.HasVariable(f) {
				known = append(known, flags.Variable(f.Name))
			}
		})
	}
	for _, entry := range p.environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, flags.Variable("")) && !injected.MatchString(entry) && !slices.Contains(known, name) {
			stray = append(stray, name+" matches no flag and is ignored"+usage.Suggest(name, known))
		}
	}
	slices.Sort(stray)
	return stray
}

// servedOptions say how to open what a server serves, which may change meanwhile.
func (p *program) servedOptions(s *settings) *stores.Options {
	if s.storeCache != "" {
		p.seenDir = filepath.Join(p.path(s.storeCache), "checkpoints")
	}
	o := p.storeOptions()
	o.StoreCache, o.AcceptRemovals, o.Follow, o.Refresh = s.storeCache, s.acceptRemovals, true, s.refresh
	o.Report, o.Logger, o.Edited = p.storeProblem, s.Logger, server.LogEdits(s.Logger)
	return o
}

// openServed opens what is to be served.
func (p *program) openServed(s *settings) (taxonomy.Store, error) {
	if s.from.Schemas != "" && s.from.By == "" {
		s.from.Schemas = cmp.Or(sources.RootOf(p.dir, s.from.Schemas), s.from.Schemas)
	}
	if s.source = s.from.Served(); s.from.Samples && s.from.By == "" {
		s.source += "; serve others with --schemas or --store"
	}
	o := p.servedOptions(s)
	o.Findings = server.LogFindings(s.Logger)
	opened, err := stores.Open(context.Background(), s.from, o)
	if err != nil {
		return nil, err
	}
	p.atEnd(opened.Close)
	s.Fallback, s.Refresh, s.HTTP.Log = opened.Fallback, opened.Refresh, stores.LogOf(opened)
	if live, ok := opened.Store.(*live.Store); ok && s.Explorer != nil {
		s.Explorer.Findings = live.Findings
	}
	return opened.Store, p.openServedDocuments(s, opened)
}

// openServedDocuments opens the documents that are served: those that were named, and those
// of the store.
func (p *program) openServedDocuments(s *settings, opened *stores.Opened) error {
	named, by := []string{s.documents}, "--documents "
	if s.documents == "" {
		project, err := p.Project()
		if err != nil {
			return err
		}
		named, by = nil, location.ProjectFile+": documents: "
		if project != nil {
			named = slices.DeleteFunc(slices.Clone(project.Documents), func(name string) bool {
				info, err := os.Stat(name)
				return err == nil && !info.IsDir() // a file is not served
			})
		}
	}
	for _, name := range named {
		origin, err := stores.OpenDocuments(name, p.storeOptions())
		if err != nil {
			return fmt.Errorf("%s%s: %w", by, location.Redacted(name), err)
		}
		s.Documents = append(s.Documents, origin)
	}
	if origin := opened.Documents(s.from.String()); origin != nil {
		s.Documents = append(s.Documents, origin)
	}
	s.DocumentsRefresh = max(s.refresh, 0) // 0 is the default
	if s.HTTP.Log != nil {
		s.Prover = trust.NewProver(s.HTTP.Log)
	}
	return nil
}

// announceServer says what is served, and where: in at most five lines, or in a JSON log.
func (p *program) announceServer(s *settings, started server.Started) {
	if s.logFormat == "json" && !p.stderrTerminal {
		s.Logger.Info("serving", "url", started.URL, "explorer", s.explorer, "admin", started.AdminURL, "source", s.source, "documents", started.Documents)
		for _, r := range started.Releases {
			s.Logger.Info("release loaded", "version", r.ID.String(), "content_hash", r.ContentHash.String(), "elements", r.Elements)
		}
		return
	}
	at := []string{p.errStyle().Bold(started.URL) + "/ (pages)", "/api/v2 (REST)", "/mcp (MCP)"}
	if !s.explorer {
		at = []string{p.errStyle().Bold(started.URL) + "/api/v2 (REST)", "/mcp (MCP)"}
	}
	if !s.mcp {
		at = at[:len(at)-1]
	}
	lines := []string{"Serving at " + wording.And(at), "Serving " + wording.Line(s.source)}
	if len(started.Releases) > 0 {
		lines = append(lines, loadedLine(started.Releases, started.Failed))
	}
	if n := started.Documents; n > 0 {
		var origins []string
		for _, o := range s.Documents {
			origins = append(origins, wording.Line(p.shown(o.String(), s.documents)))
		}
		lines = append(lines, wording.Count(n, "document")+" of "+wording.And(origins))
	}
	if started.AdminURL != "" {
		admin := "Health checks and metrics at " + started.AdminURL + "/readyz, /metrics"
		if s.Profiles {
			admin += ", /debug/pprof/"
		}
		lines = append(lines, admin)
	}
	_, _ = fmt.Fprintln(p.stderr, strings.Join(lines, "\n"))
}

// loadedLine names the latest version of each type, as far as there is room: with the first digits
// of their hashes, or without. Some others may have failed to load.
func loadedLine(loaded []server.Loaded, failed int) string {
	var names, hashed []string
	for _, r := range loaded {
		if slices.Contains(r.Aliases, r.ID.Type()+"@latest") {
			names = append(names, r.ID.String())
			hashed = append(hashed, fmt.Sprintf("%s (%s)", r.ID, hex.EncodeToString(r.ContentHash[:4])))
		}
	}
	line := func(names []string) string {
		return counted(wording.Count(len(loaded), "version"), amount{failed, "unreadable"}) + "; latest " + strings.Join(names, ", ")
	}
	if len(line(hashed)) <= textWidth {
		return line(hashed)
	}
	for n := len(names) - 1; n > 0 && len(line(names)) > textWidth; n-- {
		names = append(names[:n:n], fmt.Sprintf("and %d more", len(hashed)-n))
	}
	return line(names)
}

// explorerOptions returns the options of the pages for people.
func (p *program) explorerOptions(s *settings) *explorer.Options {
	o := &explorer.Options{
		BaseURL: s.HTTP.BaseURL, Timeout: s.HTTP.WorkTimeout, CacheBytes: s.HTTP.CacheBytes - s.HTTP.CacheBytes/2,
		MaxBody: s.HTTP.MaxBody, MaxWork: s.HTTP.MaxWork, Samples: playSamples(),
	}
	if s.mcp {
		o.MCP = "/mcp"
	}
	return o
}

// playSamples are the example documents: valid ones to start from, and one for each code
// that a document can have.
func playSamples() []explorer.Sample {
	var list []explorer.Sample
	for _, e := range documents.Valid() {
		if !e.Resolved() {
			list = append(list, explorer.Sample{Name: e.Name, Text: e.Text})
		}
	}
	for _, info := range issue.Codes() {
		// Those that another version has to be named for can't be reproduced there.
		if e, ok := documents.Invalid(info.Code); ok && e.Version == "" {
			list = append(list, explorer.Sample{Name: e.Name, Text: e.Text, Code: info.Code})
		}
	}
	return list
}
