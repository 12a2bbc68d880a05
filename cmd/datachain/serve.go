package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/livestore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

// drain is how long requests may take to end when the server is stopped.
const drain = 10 * time.Second

func (p *program) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve taxonomies over HTTP",
		Long: `Serve taxonomies over HTTP: the sample taxonomies in this program, a schema source
as it is edited, or a store.

Each flag has a variable: --addr is DATACHAIN_ADDR.`,
		Example: `  datachain serve
  datachain serve --schemas taxonomies --addr :9000
  DATACHAIN_STORE=/srv/taxonomies datachain serve`,
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	addr := cmd.Flags().String("addr", "localhost:8080", "`address` to listen on")
	from := originFlags(cmd, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := p.fromEnvironment(cmd); err != nil {
			return err
		}
		if err := from.check(cmd); err != nil {
			return err
		}
		log := slog.New(slog.NewTextHandler(p.stderr, nil))
		store, closeStore, err := p.openServed(*from, log)
		if err != nil {
			return err
		}
		defer closeStore()
		return p.serve(cmd.Context(), *addr, store, log)
	}
	return cmd
}

// fromEnvironment gives the flags that are not on the command line the values
// of their variables.
func (p *program) fromEnvironment(cmd *cobra.Command) error {
	var err error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := "DATACHAIN_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value := p.getenv(name); value != "" && !f.Changed && err == nil {
			if e := cmd.Flags().Set(f.Name, value); e != nil {
				err = badUsage(cmd, "%s: %v", name, e)
			}
		}
	})
	return err
}

// openServed opens what is to be served, which may change meanwhile.
func (p *program) openServed(from origin, log *slog.Logger) (taxonomy.Store, func(), error) {
	switch {
	case from.store != "":
		s, err := p.openPublished(from.store)
		if err != nil {
			return nil, nil, err
		}
		return s, func() { _ = s.Close() }, nil // only read
	case from.schemas == "":
		s, err := taxonomies.Store()
		return s, func() {}, err
	}
	s, err := livestore.Open(p.path(from.schemas), &livestore.Options{Report: func(issues taxonomy.Issues) {
		if len(issues) == 0 {
			log.Info("the source has no findings")
		}
		for _, i := range issues {
			log.Warn("finding", "place", i.Position.String(), "code", i.Code, "message", i.Message, "hint", i.FixHint)
		}
	}})
	if err != nil {
		return nil, nil, fmt.Errorf("--schemas %s: %w", from.schemas, err)
	}
	return s, func() { _ = s.Close() }, nil // only read
}

// serve listens until the context ends, then lets requests finish.
func (p *program) serve(ctx context.Context, addr string, store taxonomy.Store, log *slog.Logger) error {
	index, err := store.Index(ctx)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", addr, err)
	}
	server := &http.Server{
		Handler:           httpapi.New(datachain.New(store), &httpapi.Options{Logger: log}),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	p.say("Serving at http://%s/api/v2/schemas", listener.Addr())
	for _, e := range index.Entries() {
		p.say("  %s  %s", e.ID, strings.Join(e.Aliases, " "))
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		stopped <- server.Shutdown(ctx)
	})
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}
