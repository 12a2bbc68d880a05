// Package register provides a public register of datachain documents: which are published, at
// which address, in which editions.
//
// A [Register] reads documents from its origins, such as a directory that is edited, a store that
// they were published into or an [Origin] of a program's own, validates them, and gives one
// consistent [State] at a time. What is invalid is not published; [State.Refused] says why, and the
// last good edition remains. [State.Find] searches and filters documents. Packages
// adapters/httpapi and pages show a register, with lists, search, history and feeds: it
// is their option Documents. Package tools does so for adapters/mcp.
//
// Data goes one way, and files are named for its steps: an origin lists and reads texts, which are
// validated (origin*.go); a state has the current editions of all origins (state*.go); a query
// selects documents of a state by tables that are made when the first one asks (query*.go).
//
// # Experimental
//
// This package may change in a minor version.
package register

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/lru"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/register/rule"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options configure a [Register]. The zero value and nil are the defaults.
type Options struct {
	// Refresh is how often the origins are checked for changes; 0 means a second,
	// and a negative value that they are read once. If checking takes long, it is
	// done less often.
	Refresh time.Duration
	// AllowUnreadable lets New succeed although an origin can't be read yet: what
	// it has appears later.
	AllowUnreadable bool
	// Report is called with errors of origins, which otherwise keep their last
	// good documents, again if the reason changes, and with nil when an origin can
	// be read again. It must not block.
	Report func(Origin, error)
	// Changed is called with each new state, after New. It must not block.
	Changed func(last, now *State)
}

// Register keeps the documents of its origins: validated, with their editions. It is safe
// for concurrent use. Make one with [New].
type Register struct {
	validator validator
	readers   []*originReader
	options   Options

	state         atomic.Pointer[State]
	changed       atomic.Pointer[time.Time]
	presentations *lru.Cache[shownEdition, *datachain.Presentation]
	mu            sync.Mutex              // for what the sources have
	failures      atomic.Pointer[[]error] // of each origin

	stop context.CancelFunc
	done sync.WaitGroup
}

// New reads the documents of some origins and keeps them up to date until Close. It
// checks the object register even if the service does not have the rule. It fails if an
// origin can't be read.
func New(service *datachain.Service, origins []Origin, o *Options) (*Register, error) {
	if service == nil {
		return nil, errors.New("register: the service is nil")
	}
	if i := slices.Index(origins, nil); i >= 0 {
		return nil, fmt.Errorf("register: origin %d is nil", i)
	}
	service, err := service.WithMaxInput(documents.MaxDocument).WithRules(rule.All()...)
	if err != nil {
		return nil, fmt.Errorf("register: %w", err)
	}
	r := &Register{
		validator: validator{service: service}, presentations: lru.New[shownEdition, *datachain.Presentation](maxShown),
	}
	for _, o := range origins {
		r.readers = append(r.readers, &originReader{origin: o})
	}
	r.failures.Store(new(make([]error, len(origins))))
	if o != nil {
		r.options = *o
	}
	r.options.Refresh = cmp.Or(r.options.Refresh, time.Second)
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	if err := r.refresh(ctx, true); err != nil {
		return nil, errors.Join(fmt.Errorf("register: %w", err), r.Close())
	}
	if r.options.Refresh > 0 {
		r.done.Go(func() { r.watch(ctx) })
	}
	return r, nil
}

// Close stops checking the origins, and closes those that are an [io.Closer]. What was read remains
// usable.
func (r *Register) Close() error {
	r.stop()
	r.done.Wait()
	var errs []error
	for _, s := range r.readers {
		if c, ok := s.origin.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// State returns what is published now. It costs nothing: the origins are checked at
// their own pace.
func (r *Register) State() *State { return r.state.Load() }

// Changed returns when the register last had a new state.
func (r *Register) Changed() time.Time { return *r.changed.Load() }

// After a check, the next one waits for pauseFactor times as long as the check took, but not longer
// than maxPause, unless Options.Refresh is longer.
const (
	pauseFactor = 10
	maxPause    = time.Second
)

// watch prepares what lists and searches in the first language need, and checks the origins
// until the context ends.
func (r *Register) watch(ctx context.Context) {
	s := r.State()
	t := s.finder.table(s)
	s.finder.language(t, t.languages[0]).index()
	timer := time.NewTimer(r.options.Refresh)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		began := time.Now()
		_ = r.refresh(ctx, false) // which reports it
		timer.Reset(max(r.options.Refresh, min(pauseFactor*time.Since(began), maxPause)))
	}
}

// refresh reads what has changed. At first every origin must be readable.
func (r *Register) refresh(ctx context.Context, first bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed := first
	for i, s := range slices.Backward(r.readers) {
		next, err := s.load(ctx, &r.validator)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && next == nil && first && !r.options.AllowUnreadable {
			return err
		}
		r.note(i, err)
		if next != nil && next != s.last {
			s.last, changed = next, true
		}
	}
	if !changed {
		return nil
	}
	last := r.state.Load()
	var list []*collection
	for _, s := range r.readers {
		if s.last != nil {
			list = append(list, s.last)
		}
	}
	now := combine(list, last)
	if last != nil {
		now.warm(last)
	}
	at := time.Now()
	r.changed.Store(&at)
	r.state.Store(now)
	r.presentations.Clear() // what was erased does not stay in memory
	if !first && r.options.Changed != nil {
		r.options.Changed(last, now)
	}
	return nil
}

// note keeps why an origin can't be read, or nil, and reports it if that is new.
func (r *Register) note(i int, err error) {
	fail := slices.Clone(*r.failures.Load())
	was := fail[i]
	fail[i] = err
	r.failures.Store(&fail)
	if same := err == nil && was == nil || err != nil && was != nil && err.Error() == was.Error(); !same && r.options.Report != nil {
		r.options.Report(r.readers[i].origin, err)
	}
}

// Failure is the reason why an origin can't be read, or why its content is refused.
type Failure struct {
	Origin Origin
	Err    error
}

// Failures returns the origins that fail now. Their last good documents are shown.
func (r *Register) Failures() (list []Failure) {
	for i, err := range *r.failures.Load() {
		if err != nil {
			list = append(list, Failure{r.readers[i].origin, err})
		}
	}
	return list
}

// Text returns the text of an edition of a document, as its author wrote it or resolved. The error
// wraps [taxonomy.ErrNotFound] if there is no such edition or it was erased.
func (r *Register) Text(ctx context.Context, d *Document, edition taxonomy.Hash, kind TextKind) ([]byte, error) {
	e, ok := d.Edition(edition)
	if !ok || e.Erased != nil || e.text == nil {
		return nil, fmt.Errorf("register: %s has no edition %s: %w", d.Slug, edition, taxonomy.ErrNotFound)
	}
	text, err := e.text.read(ctx, &r.validator, kind)
	if err != nil {
		return nil, upstream(fmt.Errorf("register: edition %s of %s: %w", edition, d.Slug, err))
	}
	return text, nil
}

// CheckText verifies a text of an edition in its origin, even if a copy is in memory. The snapshot of a
// resolved text must be that of the stable version that the text pins; a beta version may have had
// other content.
func (r *Register) CheckText(ctx context.Context, d *Document, edition taxonomy.Hash, kind TextKind) error {
	e, ok := d.Edition(edition)
	if !ok || e.text == nil {
		return taxonomy.ErrNotFound
	}
	from := e.text
	if kept, ok := from.(cachedText); ok {
		from = kept.text
	}
	text, err := from.read(ctx, &r.validator, kind)
	if err != nil || kind != Resolved {
		return err
	}
	return r.validator.checkSnapshot(ctx, text)
}

// upstream is the failure of a store to return an edition. Others say themselves what they
// are, or are the end of a context.
func upstream(err error) error {
	if _, known := errors.AsType[*datachain.Error](err); known || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return err
	}
	return &datachain.Error{Issue: issue.Issue{
		Code: issue.CodeUpstreamError, Message: "The document can't be read.",
		FixHint: "try again in a moment; if it keeps failing, tell the operator",
	}, Err: err}
}

// maxShown is how many presentations are kept.
const maxShown = 8

// shownEdition is an edition of a document of a state, as some schema versions present it.
type shownEdition struct {
	document *Document
	edition  taxonomy.Hash
	versions *taxonomy.Index
}

// Present prepares an edition of a document to be shown. It fails like [Register.Text]. The
// last ones are kept, because a document is often shown in several languages and formats.
func (r *Register) Present(ctx context.Context, d *Document, edition taxonomy.Hash) (*datachain.Presentation, error) {
	versions, _ := r.validator.service.Versions(ctx) // a failure that matters is returned below
	key := shownEdition{d, edition, versions}
	return r.presentations.Do(ctx, key, func() (*datachain.Presentation, int64, error) {
		p, err := r.present(ctx, d, edition)
		return p, 1, err
	})
}

func (r *Register) present(ctx context.Context, d *Document, edition taxonomy.Hash) (*datachain.Presentation, error) {
	text, err := r.Text(ctx, d, edition, Thin)
	if err != nil {
		return nil, err
	}
	v, p, err := r.validator.service.Present(ctx, text)
	if errors.Is(err, taxonomy.ErrNotFound) || err == nil && !v.OK() {
		// Its schema version is not published any more, or was changed.
		if text, err = r.Text(ctx, d, edition, Resolved); err == nil {
			v, p, err = r.validator.service.PresentSnapshot(ctx, text)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case !v.OK():
		return nil, fmt.Errorf("register: edition %s of %s is no longer valid: %s: %w", edition, d.Slug, v.Errors()[0].Message, taxonomy.ErrNotFound)
	case product.Is(v.Document()):
		return nil, fmt.Errorf("register: edition %s of %s describes a product, which is not shown: %w", edition, d.Slug, taxonomy.ErrNotFound)
	}
	return p, nil
}

// Refusal is a document that is not published, with the reasons.
type Refusal struct {
	// File is the path of the document in its origin.
	File string
	// ID is that of the document, or "" if it can't be read.
	ID string
	// Issues are the reasons.
	Issues issue.Issues
}

// Product is a file that describes a product, and not a system in use. It is not published.
type Product struct {
	// File is the path of the file in its origin.
	File string
	// ID is that of the document.
	ID string
	// BasedOn is what a document that starts from the product says about it.
	product.BasedOn
}
