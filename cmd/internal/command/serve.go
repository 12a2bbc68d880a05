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

	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/live"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
)

func serveCommand(c *console.Console, redis Redis) *cobra.Command {
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
	from := c.Reads(cmd)
	s := serveFlags(cmd, redis)
	cmd.RunE = runServer(c, from, redis, s, func(ctx context.Context, store taxonomy.Store) error {
		s.Started = func(started server.Started) { announceServer(c, s, started) }
		return withAdvice(server.Run(ctx, store, &s.Options))
	})
	return cmd
}

// runServer returns the RunE of serve and mcp: it completes the settings, begins a
// log and opens the store.
func runServer(c *console.Console, from *console.Versions, redis Redis, s *settings, run func(context.Context, taxonomy.Store) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		s.from = from.Location
		if err := s.check(cmd, redis); err != nil {
			return err
		}
		s.complete(c, redis)
		if s.explorer {
			s.Pages.Samples = server.Samples()
			var err error
			if s.Pages.Assets, err = openAssets(c, s.assets); err != nil {
				return err
			}
			if s.Pages.Signs, err = signDrawer(c, s.fonts); err != nil {
				return err
			}
		}
		s.Logger = server.NewLogger(c.Stderr, s.logFormat, s.logLevel)
		stray := stores.Stray(cmd.Root(), c.Environ)
		if len(stray) > 0 && s.from.Samples && s.from.By == "" {
			return advice.Add(errors.New(strings.Join(stray, "\n")),
				"Nothing else says what to serve, so it would be the built-in samples.\nCorrect or unset the variable, or use --samples.")
		}
		for _, message := range stray {
			s.Logger.Warn(message)
		}
		store, err := openServed(c, from, s)
		if err != nil {
			return err
		}
		return run(cmd.Context(), store)
	}
}

// announceServer says what is served, and where.
func announceServer(c *console.Console, s *settings, started server.Started) {
	a := &server.Announcement{Started: started, Source: s.source, Explorer: s.explorer, MCP: s.mcp, Profiles: s.Profiles}
	for _, o := range s.Documents {
		a.Origins = append(a.Origins, c.Shown(o.String(), s.documents))
	}
	if s.logFormat == "json" && !c.StderrTerminal {
		a.Log(s.Logger)
		return
	}
	_, _ = fmt.Fprintln(c.Stderr, a.Text(c.ErrStyle()))
}

// withAdvice says which flags to change.
func withAdvice(err error) error {
	opErr, _ := errors.AsType[*net.OpError](err)
	switch {
	case errors.Is(err, server.ErrDrainTimeout):
		return advice.Add(err, "Allow more time with --drain-timeout.")
	case opErr != nil && opErr.Op == "listen":
		return advice.Add(err, "Choose another address with --addr or --admin-addr.")
	case trust.Reason(err) != "":
		return advice.Add(err, "Name the store of this log with --store, or get the publisher's newest trust file for --trust, and check the clock.")
	}
	return err
}

// servedOptions say how to open what a server serves, which may change meanwhile.
func servedOptions(from *console.Versions, s *settings) *stores.Options {
	o := from.Options()
	if s.storeCache != "" {
		o.SeenDir = filepath.Join(files.Absolute(o.Dir, s.storeCache), "checkpoints")
	}
	o.StoreCache, o.AcceptRemovals, o.Follow, o.Refresh = s.storeCache, s.acceptRemovals, true, s.refresh
	o.Logger, o.Edited = s.Logger, server.LogEdits(s.Logger)
	return o
}

// openServed opens what is to be served.
func openServed(c *console.Console, from *console.Versions, s *settings) (taxonomy.Store, error) {
	if s.from.Schemas != "" && s.from.By == "" {
		s.from.Schemas = cmp.Or(sources.RootOf(c.Dir, s.from.Schemas), s.from.Schemas)
	}
	if s.source = s.from.Served(); s.from.Samples && s.from.By == "" {
		s.source += "; serve others with --schemas or --store"
	}
	o := servedOptions(from, s)
	o.Report = func(err error) {
		s.Logger.Warn("store or its cache needs attention, answers are not affected", "error", err)
	}
	o.Findings = server.LogFindings(s.Logger)
	opened, err := stores.Open(context.Background(), s.from, o)
	if err != nil {
		return nil, err
	}
	c.AtEnd(opened.Close)
	s.Fallback, s.Refresh, s.Log = opened.Fallback, opened.Refresh, stores.LogOf(opened.Store, opened.Log)
	if live, ok := opened.Store.(*live.Store); ok {
		s.Pages.Findings = live.Findings
	}
	return opened.Store, openServedDocuments(from, s, o, opened)
}

// openServedDocuments opens the documents that are served: those that were named, and those
// of the store.
func openServedDocuments(from *console.Versions, s *settings, o *stores.Options, opened *stores.Opened) error {
	named, by := []string{s.documents}, "--documents "
	if s.documents == "" {
		project, err := from.Project()
		if err != nil {
			return err
		}
		named, by = nil, stores.ProjectFile+": documents: "
		if project != nil {
			named = slices.DeleteFunc(slices.Clone(project.Documents), func(name string) bool {
				info, err := os.Stat(name)
				return err == nil && !info.IsDir() // a file is not served
			})
		}
	}
	var err error
	if s.Documents, err = stores.OpenDocuments(by, named, o); err != nil {
		return err
	}
	if origin := opened.Documents(s.from.String()); origin != nil {
		s.Documents = append(s.Documents, origin)
	}
	s.Register.Refresh = max(s.refresh, 0) // 0 is the default
	return nil
}
