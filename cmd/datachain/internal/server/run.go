// Package server runs the server of the datachain command: the REST API, MCP and pages
// for people on a public address, health checks, metrics and, if asked for, profiles on another
// one, and a drain at the end. It counts what it does in [Metrics].
//
// Three parts look unusual and have measured reasons:
//
//   - The garbage collector runs less often than by default, see [gcpace.Start]. A
//     bare handler then costs 13 % less CPU time than with GOGC=100, which turns
//     the pacing off.
//   - A socket filter ignores new connections before the port is closed. Without
//     it, up to 24 of the 24 clients of TestDrainUnderLoad lose their last request;
//     with it, none.
//   - [LogWriter] gathers log lines. The line of a request then costs 2.9 µs instead
//     of 6.5 µs if a pipe is read by another process (the best of ten runs of
//     go test -bench Log); a request costs about 25 µs besides.
package server

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/adapters/redisshare"
	"github.com/datachain-go/datachain/cmd/datachain/internal/live"
	"github.com/datachain-go/datachain/internal/gcpace"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/watch"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/trust"
)

// Options configure a server.
type Options struct {
	// Addr is the public address.
	Addr string
	// AdminAddr is the address of health checks and metrics; an empty one
	// turns them off. Profiles adds profiles of the Go runtime.
	AdminAddr string
	Profiles  bool
	// CertFile and KeyFile turn TLS on. The files are read again when they
	// change.
	CertFile, KeyFile string

	// HTTP configures the API. Run sets Limiter, LimiterBudget, Logger, Stopping, Observe and
	// Mounts.
	HTTP httpapi.Options
	// MCP configures the server at /mcp; nil turns it off. Run sets Logger.
	MCP *mcp.Options
	// Explorer configures the pages at /; nil turns them off. Run sets Logger,
	// OpenAPI, Tools and Prompts.
	Explorer *explorer.Options
	// RateLimit configures the limiter; nil turns it off.
	RateLimit *ratelimit.Options
	// Shared makes servers share their limits and MCP sessions through Redis;
	// nil keeps both in the memory of this one.
	Shared *Shared
	// MaxCPU is the CPU limit per document; see [datachain.Options].
	MaxCPU time.Duration
	// Fallback is read while the store fails from the start, and Refresh is how
	// long its index is served before it is read again; see [laststore.Options].
	Fallback taxonomy.Store
	Refresh  time.Duration
	// Documents are the origins of documents, the first of which counts most, and
	// DocumentsRefresh is how often they are checked; see [register.Options].
	Documents        []register.Origin
	DocumentsRefresh time.Duration
	// Prover proves documents by the log of the store; nil means that there are no
	// proofs.
	Prover *trust.Prover

	// DrainDelay is how long requests are still accepted after the context has
	// ended, so that clients can move on. DrainTimeout is how long the last
	// requests may take after that.
	DrainDelay, DrainTimeout time.Duration

	// Build identifies the program in the metrics.
	Build Build
	// Logger is required.
	Logger *slog.Logger
	// Started is called once: when the server listens and has read the store,
	// or after 3 seconds if that takes longer.
	Started func(Started)
}

// Shared configures what servers share; see package redisshare.
type Shared struct {
	// Address is that of Redis, and Prefix begins every key.
	Address, Prefix string
	// Replicas is the number of servers.
	Replicas int
	// Timeout is how long a check waits; 0 means 25 milliseconds.
	Timeout time.Duration
}

// Started describes a server that has started.
type Started struct {
	// URL and AdminURL have the ports that the system has chosen, if those of
	// the options were 0. AdminURL is empty if the admin address is off.
	URL, AdminURL string
	// Releases are those that are loaded, and Failed is how many others can't be read.
	Releases []Loaded
	Failed   int
	// Documents is how many documents there are.
	Documents int
}

// Loaded is a loaded release. Its content hash is that of the release, which may
// be older than the one in the index.
type Loaded struct {
	taxonomy.Entry
	Elements int
}

// startedAfter is how long [Options.Started] waits for a slow store.
const startedAfter = 3 * time.Second

// Run serves a store until ctx ends, and then drains: see [Options.DrainDelay].
// The error is [ErrDrainTimeout] if requests had to be cut off. It is that of the store if
// the first index was refused for a reason that a wrong trust file has: then a server would
// have nothing to serve, however often it tried again.
func Run(ctx context.Context, store taxonomy.Store, o *Options) error {
	defer gcpace.Start(gcpace.Headroom)()
	s, err := newServer(store, o)
	if err != nil {
		return err
	}
	defer s.endSharing()
	defer s.closeDocuments()
	if err := s.listen(ctx); err != nil {
		return err
	}
	follow, stop := context.WithCancel(context.WithoutCancel(ctx)) // until it is drained
	defer s.background.Wait()
	defer stop()
	s.start()
	read, announced := make(chan struct{}), make(chan *storeState, 1)
	s.background.Go(func() {
		s.readStore(follow)
		close(s.firstLook)
		if err := s.loaded.Load().wrongTrust(); err != nil {
			s.failed <- err
			return
		}
		s.awaitShared(follow)
		close(read)
		s.follow(follow, announced)
	})
	select {
	case err := <-s.failed:
		return errors.Join(err, s.close())
	case <-read:
	case <-ctx.Done():
	case <-time.After(startedAfter):
	}
	found := s.loaded.Load()
	if o.Started != nil {
		started := Started{URL: s.url(), AdminURL: s.adminURL(), Releases: found.releases, Failed: len(found.failures)}
		if s.register != nil {
			started.Documents = len(s.register.State().Documents())
		}
		o.Started(started)
	}
	s.compare(&storeState{releases: found.releases}, found) // logs the failures
	announced <- found
	select {
	case err := <-s.failed:
		return errors.Join(err, s.close())
	case <-ctx.Done():
		return s.drain(context.WithoutCancel(ctx))
	}
}

// Stdio serves one MCP client until it closes in, or ctx ends. Of the options, MCP,
// MaxCPU, Fallback, Documents, DocumentsRefresh, Prover and Logger are used.
func Stdio(ctx context.Context, store taxonomy.Store, in io.Reader, out io.Writer, o *Options) error {
	t := &trouble{log: o.Logger}
	service, err := datachain.New(laststore.New(store, t.options(o)), &datachain.Options{MaxInput: int(o.HTTP.MaxBody), MaxCPU: o.MaxCPU, Report: t.unusable})
	if err != nil {
		return err
	}
	reg, err := o.openDocuments(service)
	if err != nil {
		return err
	}
	if reg != nil {
		defer reg.Close() //nolint:errcheck // it was only read
	}
	server, err := o.newMCP(service, nil, reg)
	if err != nil {
		return err
	}
	return server.ServeStdio(ctx, in, out)
}

// newMCP returns the MCP server; nil slots are those of the options.
func (o *Options) newMCP(service *datachain.Service, slots mcp.Slots, reg *register.Register) (*mcp.Server, error) {
	with := *o.MCP
	with.Logger, with.Documents, with.Prover = o.Logger, reg, o.Prover
	if slots != nil {
		with.Slots = slots
	}
	return mcp.New(service, &with)
}

// newExplorer returns the pages for people.
func (o *Options) newExplorer(service *datachain.Service, reg *register.Register) (*explorer.Explorer, error) {
	with := *o.Explorer
	with.Documents, with.Prover = reg, o.Prover
	with.Logger, with.OpenAPI = o.Logger, httpapi.OpenAPI(o.HTTP.BaseURL)
	if o.MCP != nil {
		with.Tools, with.Prompts = mcp.Operations(o.MCP.Tools...)
	}
	return explorer.New(service, &with)
}

// trouble logs and counts failures of a store.
type trouble struct {
	log     *slog.Logger
	metrics *Metrics // may be nil
}

func (t *trouble) options(o *Options) *laststore.Options {
	return &laststore.Options{
		Fallback:  o.Fallback,
		Refresh:   o.Refresh,
		Report:    t.report,
		Recovered: func() { t.log.Info("store recovered") },
	}
}

// report logs that a store failed. What becomes of a source with errors is logged with its
// findings and edits: there may be no last good data.
func (t *trouble) report(err error) {
	message := "store read failed, serving last good data if there is any"
	switch {
	case errors.Is(err, live.ErrFindings):
		message = "source has errors, see its findings"
	case errors.Is(err, trust.ErrStale):
		message = "the trusted log is too old, serving the last good index if there is one"
	case trust.Reason(err) != "":
		message = "the trusted log does not prove the index, serving the last good one if there is one"
	case errors.Is(err, taxonomy.ErrRollback):
		message = "index was rolled back, serving the last good one"
	case errors.Is(err, watch.ErrAccepted):
		message = "index was rolled back and was accepted"
	}
	t.warn(message, err)
}

// unusable is for derived files, such as icons.
func (t *trouble) unusable(err error) {
	t.warn("file in the store is unusable, deriving it again", err)
}

func (t *trouble) warn(message string, err error) {
	if t.metrics != nil {
		t.metrics.Report(err)
	}
	t.log.Warn(message, "error", err)
}

// LogEdits returns a function that logs what became of each edit of a schema source:
// whether it is served, or the last good release still is.
func LogEdits(log *slog.Logger) func(live.Edit) {
	return func(e live.Edit) {
		version := slog.String("version", e.Version.String())
		switch {
		case e.Served == nil:
			log.Warn("source has errors, the version is not served", version)
		case e.Failed:
			log.Warn("source has errors, serving the last good version", version, "content_hash", e.Served.ContentHash().String())
		default:
			log.Info("edit picked up", version, "content_hash", e.Served.ContentHash().String(), "elements", len(e.Served.ElementIDs()))
		}
	}
}

// LogFindings returns a function that logs the findings in a schema source while
// it is edited. It is called with all findings each time, and logs those that are
// new. At first it only counts warnings.
func LogFindings(log *slog.Logger) func(issue.Issues) {
	var logged map[string]bool
	return func(issues issue.Issues) {
		if n := len(issues.With(issue.SeverityWarning)); logged == nil && n > 0 {
			log.Warn("the source has warnings; 'datachain schema lint' lists them", "warnings", n)
		}
		now := make(map[string]bool, len(issues))
		for _, i := range issues {
			key := i.Position.File + " " + i.String()
			now[key] = true
			if counted := logged == nil && i.Severity == issue.SeverityWarning; !counted && !logged[key] {
				log.Warn("finding", "place", i.Position.String(), "code", i.Code, "message", i.Message, "hint", i.FixHint)
			}
		}
		if logged = now; len(issues) == 0 {
			log.Info("source has no findings")
		}
	}
}

// openDocuments opens the register of documents; nil if there are no origins.
func (o *Options) openDocuments(service *datachain.Service) (*register.Register, error) {
	if len(o.Documents) == 0 {
		return nil, nil //nolint:nilnil // most servers have none
	}
	r, err := register.New(service, o.Documents, &register.Options{
		Refresh: o.DocumentsRefresh, AllowUnreadable: true,
		Report: func(origin register.Origin, err error) {
			if err != nil {
				o.Logger.Warn("reading documents failed, serving the last good ones if there are any", "origin", origin.String(), "error", err)
			} else {
				o.Logger.Info("documents can be read again", "origin", origin.String())
			}
		},
		Changed: func(last, now *register.State) { logDocuments(o.Logger, last, now) },
	})
	if err == nil {
		logRefused(o.Logger, nil, r.State())
	}
	return r, err
}

// closeDocuments stops reading documents.
func (s *server) closeDocuments() {
	if s.register != nil {
		_ = s.register.Close() // it was only read
	}
}

// manyChanges is how many documents are logged by their names at a time.
const manyChanges = 20

// logDocuments logs what has changed in a register.
func logDocuments(log *slog.Logger, last, now *register.State) {
	events, reset := now.Changes(last.Sequence())
	if reset || len(events) > manyChanges {
		log.Info("documents changed", "documents", len(now.Documents()), "refused", len(now.Refused()))
	} else {
		for _, e := range events {
			log.Info("document changed", "op", string(e.Op), "slug", e.Slug, "edition", e.Edition.String())
		}
	}
	logRefused(log, last, now)
}

// logRefused logs the documents that are refused since the last state, which can be nil.
func logRefused(log *slog.Logger, last, now *register.State) {
	var known []string
	if last != nil {
		for _, r := range last.Refused() {
			known = append(known, refusedLine(r))
		}
	}
	logged := 0
	for _, r := range now.Refused() {
		if slices.Contains(known, refusedLine(r)) {
			continue
		}
		if logged++; logged > manyChanges {
			log.Warn("more documents were refused; /documents on the admin address lists all", "refused", len(now.Refused()))
			return
		}
		first := r.Issues[0]
		log.Warn("document refused", "file", r.File, "id", wording.Clip(r.ID), "code", string(first.Code), "message", first.Message, "findings", len(r.Issues))
	}
}

// refusedLine returns a refusal as a line.
func refusedLine(r register.Refusal) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", r.File)
	for _, i := range r.Issues {
		fmt.Fprintf(&b, " %s", i)
	}
	return b.String()
}

// refusals answers GET /documents on the admin address.
func (s *server) refusals(w http.ResponseWriter, _ *http.Request) {
	if s.register == nil {
		plain(w, http.StatusNotFound, "this server has no documents: name some with --documents")
		return
	}
	state := s.register.State()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s, %d refused", wording.Count(len(state.Documents()), "document"), len(state.Refused()))
	for _, r := range state.Refused() {
		fmt.Fprintf(&b, "\n\n%s", wording.Line(r.File))
		if r.ID != "" {
			fmt.Fprintf(&b, " (%s)", wording.Plain(r.ID))
		}
		for _, i := range r.Issues {
			fmt.Fprintf(&b, "\n  %s", wording.Line(i.String()))
		}
	}
	plain(w, http.StatusOK, b.String())
}

// documentStats counts the documents for the metrics.
func (s *server) documentStats() DocumentStats {
	if s.register == nil {
		return DocumentStats{}
	}
	state := s.register.State()
	stats := DocumentStats{Refused: len(state.Refused()), Changed: s.register.Changed()}
	for _, f := range s.register.Failures() {
		stats.Failing = append(stats.Failing, cmp.Or(trust.Reason(f.Err), "unreadable"))
	}
	for _, d := range state.Documents() {
		switch {
		case d.Withdrawn != nil:
			stats.Withdrawn++
		case d.Gone():
			stats.Erased++
		case d.Details.Status == register.Retired:
			stats.Retired++
		default:
			stats.Published++
		}
	}
	return stats
}

// limit opens the limiter: in memory, or shared.
func (s *server) limit() (err error) {
	switch {
	case s.Shared != nil:
		s.share, err = redisshare.Open(s.Shared.Address, s.sharing())
	case s.RateLimit != nil:
		s.limiter, err = ratelimit.NewMemory(s.RateLimit)
	}
	return err
}

func (s *server) sharing() *redisshare.Options {
	o := &redisshare.Options{
		Replicas: s.Shared.Replicas,
		Prefix:   s.Shared.Prefix,
		Timeout:  cmp.Or(s.Shared.Timeout, 25*time.Millisecond),
		Unreachable: func(err error) {
			s.Logger.Warn("Redis is unreachable, limits are divided among servers", "replicas", max(1, s.Shared.Replicas), "error", err)
		},
		Recovered: func() { s.Logger.Info("Redis recovered, limits are shared again") },
		Damaged:   func(err error) { s.Logger.Warn("a key in Redis can't be used", "error", err) },
	}
	if s.RateLimit != nil {
		o.Limits, o.MaxKeys = s.RateLimit.Limits, s.RateLimit.MaxKeys
	}
	return o
}

// awaitShared waits until Redis has answered or was given up.
func (s *server) awaitShared(ctx context.Context) {
	if s.share == nil {
		return
	}
	select {
	case <-s.share.Settled():
	case <-ctx.Done():
	}
}

// sharedState reports whether Redis has neither answered nor been given up, and
// whether it is away.
func (s *server) sharedState() (pending, away bool) {
	if s.share == nil {
		return false, false
	}
	select {
	case <-s.share.Settled():
		return false, s.share.Err() != nil
	default:
		return true, true
	}
}

func (s *server) endSharing() {
	if s.share == nil {
		return
	}
	if err := s.share.Close(); err != nil {
		s.Logger.Warn("closing the connections to Redis failed", "error", err)
	}
}

// measured returns what the metrics read.
func (s *server) measured() *MetricsOptions {
	o := &MetricsOptions{
		Build: s.Build, Limiter: s.limiterStats, InTrouble: func() bool { return s.store.Err() != nil },
		Served: func() Served {
			now := s.store.Status()
			return Served{Confirmed: now.Confirmed, Unread: now.Unread, HeldAliases: now.HeldAliases, Refused: trust.Reason(s.store.Err())}
		},
	}
	if s.Shared != nil {
		o.Shared = func() redisshare.Stats { return s.share.Stats() }
	}
	if len(s.Documents) > 0 {
		o.Documents = s.documentStats
	}
	return o
}

func (s *server) limiterStats() ratelimit.Stats {
	switch {
	case s.share != nil && s.RateLimit != nil:
		return s.share.Stats().Limiter
	case s.limiter != nil:
		return s.limiter.Stats()
	}
	return ratelimit.Stats{}
}
