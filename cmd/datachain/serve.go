package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/livestore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/linelog"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *program) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve taxonomies over HTTP",
		Long: `Serve taxonomies over HTTP: the sample taxonomies in this program, a schema source
as it is edited, or published versions.

Each flag has a variable: --addr is DATACHAIN_ADDR. What is on the command line
counts more. A first SIGTERM or SIGINT lets requests end, a second does not.`,
		Example: `  datachain serve
  datachain serve --schemas taxonomies --addr :9000
  datachain serve --store /srv/taxonomies --admin-addr localhost:9090
  DATACHAIN_STORE=https://datachain.example datachain serve`,
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	s := serveFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := p.fromEnvironment(cmd); err != nil {
			return err
		}
		if err := s.check(cmd); err != nil {
			return err
		}
		out := linelog.NewWriter(p.stderr)
		defer out.Flush()
		log := newLogger(out, s)
		for _, message := range p.strayVariables() {
			log.Warn(message)
		}
		return p.serve(cmd.Context(), s, log, out)
	}
	return cmd
}

// fromEnvironment gives the flags that are not on the command line the values
// of their variables. A source on the command line counts more than another in
// a variable.
func (p *program) fromEnvironment(cmd *cobra.Command) error {
	flags := cmd.Flags()
	named := flags.Changed("schemas") || flags.Changed("store")
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := variable(f.Name)
		value := p.getenv(name)
		isSource := f.Name == "schemas" || strings.HasPrefix(f.Name, "store")
		if value == "" || f.Changed || err != nil || isSource && named || f.Name == "help" {
			return
		}
		if e := flags.Set(f.Name, value); e != nil {
			err = badUsage(cmd, "%s: %w", name, e)
		}
	})
	return err
}

// strayVariables says which variables look like ours and are no flag's. Those
// that Kubernetes makes for a service of the name datachain are left alone.
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
			stray = append(stray, name+" is the variable of no flag, and is ignored"+meant(name, known))
		}
	}
	slices.Sort(stray)
	return stray
}

// variable returns the name of the variable of a flag.
func variable(flag string) string {
	return "DATACHAIN_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// announceAfter is how long a person waits for a source that is slow.
const announceAfter = 3 * time.Second

// ballast is memory that is never touched, and so takes no room. It counts as in
// use, and the garbage collector waits until as much has been allocated again:
// on a small taxonomy it would otherwise run many times a second under load.
const ballast = 64 << 20

// serve runs a server until the context ends, and then lets requests end.
func (p *program) serve(ctx context.Context, s *settings, log *slog.Logger, out *linelog.Writer) error {
	untouched := make([]byte, ballast)
	defer runtime.KeepAlive(untouched)
	srv := newServer(p, s, log)
	store, closeStore, err := p.openServed(s, srv)
	if err != nil {
		return err
	}
	defer closeStore()
	if err := srv.open(store); err != nil {
		return err
	}
	if err := srv.listen(ctx); err != nil {
		return err
	}
	follow, stop := context.WithCancel(context.WithoutCancel(ctx)) // to the end of the drain
	defer srv.background.Wait()
	defer stop()
	srv.start()
	looked, told := make(chan struct{}), make(chan *look, 1)
	srv.background.Go(func() {
		srv.look(follow)
		close(looked)
		srv.follow(follow, told)
	})
	select {
	case <-looked:
	case <-ctx.Done():
	case <-time.After(announceAfter): // the log tells the rest
	}
	out.Flush()
	found := srv.loaded.Load()
	if err := p.announce(srv, found); err != nil {
		return errors.Join(err, srv.close())
	}
	told <- found
	select {
	case err := <-srv.failed:
		return errors.Join(err, srv.close())
	case <-ctx.Done():
		out.Through() // a second signal ends the program at once
		return srv.drain(context.WithoutCancel(ctx))
	}
}

// openServed opens the source to serve. Its content may change meanwhile.
func (p *program) openServed(s *settings, srv *server) (taxonomy.Store, func(), error) {
	var opened interface {
		taxonomy.Store
		io.Closer
	}
	var err error
	switch {
	case isAddress(s.store):
		opened, err = p.openRemote(s, srv)
	case s.store != "":
		opened, err = p.openPublished(s.store)
	case s.schemas != "":
		opened, err = p.openLive(s.schemas, &livestore.Options{Report: srv.findings})
	default:
		samples, err := taxonomies.Store()
		if err != nil {
			return nil, nil, err
		}
		return srv.keepLast(samples), func() {}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return srv.keepLast(opened), func() { _ = opened.Close() }, nil // it was only read
}

// openLive opens a schema source, and refuses what was published from one: its
// folders look alike.
func (p *program) openLive(typed string, o *livestore.Options) (*livestore.Store, error) {
	dir := p.path(typed)
	text, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err == nil {
		_, err = taxonomy.DecodeIndex(text)
	}
	if err == nil {
		return nil, &adviceError{fmt.Errorf("--schemas %s: this is a published store, and no schema source", typed), "Use --store " + typed + "."}
	}
	opened, err := livestore.Open(dir, o)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &adviceError{
			fmt.Errorf("--schemas %s: %w", typed, errNoFolder),
			"Begin a source with 'datachain schema new TYPE --schemas " + typed + "', or leave --schemas away for the samples.",
		}
	case err != nil:
		return nil, fmt.Errorf("--schemas %s: %s", typed, reason(err))
	}
	return opened, nil
}

// openRemote opens a store at an address. Only a folder for copies that was asked
// for has to be one that can be written.
func (p *program) openRemote(s *settings, srv *server) (*httpstore.Store, error) {
	o := &httpstore.Options{
		CacheDir: p.cacheDir(s.storeCache), ServiceClient: "datachain-serve",
	}
	opened, err := httpstore.Open(s.store, o)
	switch {
	case err == nil:
		return opened, nil
	case !errors.Is(err, httpstore.ErrCacheDir):
		return nil, fmt.Errorf("--store %s: %s", redacted(s.store), said(err))
	case s.storeCache != "":
		return nil, &adviceError{
			fmt.Errorf("--store-cache %s: %w: %s", s.storeCache, httpstore.ErrCacheDir, reason(err)),
			"Choose a folder that can be written, or leave --store-cache away.",
		}
	}
	srv.log.Warn("copies are kept in memory alone; --store-cache names a folder that can be written", "folder", o.CacheDir, "error", reason(err))
	o.CacheDir = ""
	return httpstore.Open(s.store, o)
}

// said is the message of an error of a store, without the package that it is
// from: who runs a program need not know that.
func said(err error) string {
	text := err.Error()
	for _, name := range []string{"httpstore: ", "fsstore: ", "livestore: "} {
		text = strings.TrimPrefix(text, name)
	}
	return text
}

// listenOn opens a port that a flag names.
func listenOn(ctx context.Context, flag, addr string) (net.Listener, error) {
	config := new(net.ListenConfig)
	config.SetMultipathTCP(false) // such a port can't be told to ignore new connections
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		if e, ok := errors.AsType[*net.OpError](err); ok {
			err = e.Err
		}
		return nil, &adviceError{
			fmt.Errorf("--%s %s: can't listen there: %w", flag, addr, err),
			fmt.Sprintf("Choose another address with --%s or %s.", flag, variable(flag)),
		}
	}
	return l, nil
}
