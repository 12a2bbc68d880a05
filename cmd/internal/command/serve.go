package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/global"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *program) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve taxonomies and documents over HTTP",
		Long: `Serve taxonomies and documents over HTTP, as pages, REST and MCP: a schema source
while it is edited, published versions, or the built-in sample taxonomies.

Each flag has an environment variable, such as DATACHAIN_ADDR for --addr. SIGTERM,
SIGINT and SIGHUP drain requests; a second one exits at once.`,
		Example: `  datachain serve --schemas taxonomies --documents documents
  datachain serve --store /srv/taxonomies --admin-addr localhost:9090`,
	}
	p.Read(cmd)
	s := p.serveFlags(cmd)
	cmd.RunE = p.server(s, func(ctx context.Context, store taxonomy.Store) error {
		s.Started = func(started server.Started) { p.announceServer(s, started) }
		return withAdvice(server.Run(ctx, store, &s.Options))
	})
	return cmd
}

// server returns the RunE of serve and mcp: it completes the settings, begins a
// log and opens the store.
func (p *program) server(s *settings, run func(context.Context, taxonomy.Store) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		s.from = p.From
		if err := s.check(p, cmd); err != nil {
			return err
		}
		s.complete(p)
		if s.explorer {
			s.Pages.Samples = server.Samples()
			var err error
			if s.Pages.Assets, err = p.openAssets(s.assets); err != nil {
				return err
			}
			if s.Pages.Signs, err = p.signDrawer(s.fonts); err != nil {
				return err
			}
		}
		s.Logger = server.NewLogger(p.Stderr, s.logFormat, s.logLevel)
		stray := global.Stray(cmd.Root(), p.environ)
		if len(stray) > 0 && s.from.Samples && s.from.By == "" {
			return advise(errors.New(strings.Join(stray, "\n")),
				"Nothing else says what to serve, so it would be the built-in samples.\nCorrect or unset the variable, or use --samples.")
		}
		for _, message := range stray {
			s.Logger.Warn(message)
		}
		p.StoreProblem = func(err error) {
			s.Logger.Warn("store or its cache needs attention, answers are not affected", "error", err)
		}
		store, err := p.openServed(s)
		if err != nil {
			return err
		}
		return run(cmd.Context(), store)
	}
}

// announceServer says what is served, and where.
func (p *program) announceServer(s *settings, started server.Started) {
	a := &server.Announcement{Started: started, Source: s.source, Explorer: s.explorer, MCP: s.mcp, Profiles: s.Profiles}
	for _, o := range s.Documents {
		a.Origins = append(a.Origins, p.Shown(o.String(), s.documents))
	}
	if s.logFormat == "json" && !p.StderrTerminal {
		a.Log(s.Logger)
		return
	}
	_, _ = fmt.Fprintln(p.Stderr, a.Text(p.ErrStyle()))
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

// servedOptions say how to open what a server serves, which may change meanwhile.
func (p *program) servedOptions(s *settings) *stores.Options {
	if s.storeCache != "" {
		p.SeenDir = filepath.Join(p.Path(s.storeCache), "checkpoints")
	}
	o := p.StoreOptions()
	o.StoreCache, o.AcceptRemovals, o.Follow, o.Refresh = s.storeCache, s.acceptRemovals, true, s.refresh
	o.Report, o.Logger, o.Edited = p.StoreProblem, s.Logger, server.LogEdits(s.Logger)
	return o
}

// openServed opens what is to be served.
func (p *program) openServed(s *settings) (taxonomy.Store, error) {
	if s.from.Schemas != "" && s.from.By == "" {
		s.from.Schemas = cmp.Or(sources.RootOf(p.Dir, s.from.Schemas), s.from.Schemas)
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
	p.AtEnd(opened.Close)
	s.Fallback, s.Refresh, s.Log = opened.Fallback, opened.Refresh, stores.LogOf(opened.Store, opened.Log)
	if live, ok := opened.Store.(*live.Store); ok {
		s.Pages.Findings = live.Findings
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
		origin, err := stores.OpenDocuments(name, p.StoreOptions())
		if err != nil {
			return fmt.Errorf("%s%s: %w", by, location.Redacted(name), err)
		}
		s.Documents = append(s.Documents, origin)
	}
	if origin := opened.Documents(s.from.String()); origin != nil {
		s.Documents = append(s.Documents, origin)
	}
	s.Register.Refresh = max(s.refresh, 0) // 0 is the default
	return nil
}
