// Package datachain searches taxonomies, and validates, resolves and presents datachain
// documents. It is the entry point of this module.
//
// A datachain is a document that explains a system, such as an AI service, by placing
// elements of a published taxonomy. A [taxonomy.Version] is the id of an edition of a
// taxonomy, and a [taxonomy.Release] its data. A [Service] opens versions of a
// [taxonomy.Store]; a [Schema] is one opened version with all of its operations:
//
//	store, err := fsstore.OpenDir("taxonomies", nil) // or memstore, httpstore, s3store
//	…
//	service, err := datachain.New(store, nil)
//	…
//	schema, err := service.Open(ctx, "ai@latest")
//	…
//	page, err := schema.Elements(ctx, datachain.ElementQuery{Text: "who decides"})
//	verdict, err := service.Validate(ctx, document, nil)
//
// # Opening
//
// [Service.Versions] lists what is published. [Service.Open] opens a version by its
// id or an alias, [Service.OpenFor] the one that a document pins. A Schema does not
// change: everything that it returns belongs to one release.
//
// # Reading
//
// [Schema.Release] returns the release with its manifest, categories, elements and
// symbols. [Schema.Elements] lists and searches elements, [Schema.Element] and
// [Schema.ElementsByID] look them up. [Schema.Symbol] and [Schema.Icon] return
// SVG.
//
// # Validating
//
// [Service.Validate] validates a document, thin or resolved, against the version that it
// pins, and [Schema.Validate] a thin one against another version. All methods that validate
// return a [Verdict], which has the findings with their positions and, on request, the fixed
// text. A text that is not JSON is a finding, too. [Schema.Resolve] makes a document self-contained, and
// [Schema.Present] prepares it to be shown. [Service.Work] runs other work on a document within the
// same limits.
//
// # Options
//
// Options of all packages follow one rule: nil and zero values mean the defaults. A negative
// limit or timeout means no limit; a negative cache size, interval or lifetime of a cached value
// disables it. Where a negative value makes no sense, as for the size of an icon, it is an error.
//
// # Errors
//
// Every error is an [*Error]: an issue with a stable code, a message and a hint
// that clients may see, the invalid parameter, and the cause for the operator. An
// invalid document is not an error.
//
// The packages validate, resolve, icons and search do the work on the values of
// package taxonomy and can be used by themselves. adapters/httpapi and adapters/mcp
// serve a Service over HTTP and MCP; adapters/laststore keeps serving the last good
// data while a store fails.
package datachain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/lru"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Service opens the schema versions of a store. It is safe for concurrent use.
// Every error that its methods return is an [*Error]. Make one with [New].
type Service struct {
	store   taxonomy.Store
	options Options
	// names is the last index with its entries by name.
	names atomic.Pointer[names]

	// Caches of what is derived from releases, by content: promoting a beta keeps them
	// valid.
	indexes *lru.Cache[indexKey, *search.Index]
	icons   *lru.Cache[taxonomy.Hash, *icons.Set]
}

// Options configure a service. The zero value and nil are the defaults.
type Options struct {
	// MaxBytes is the size limit of a resolved document; 0 means
	// [resolve.DefaultMaxBytes], the contract's 512 KiB, a negative value no limit.
	MaxBytes int
	// MaxInput is the size limit of a document passed to a method; 0 means 1 MiB, as
	// in the REST API, a negative value no limit. A larger one is an error with
	// [issue.CodePayloadTooLarge]. Adapters with a limit on request bodies use that
	// instead, and registers of documents 16 MiB.
	MaxInput int
	// MaxCPU is the CPU limit for parsing, validating or resolving one document; 0
	// means 500 milliseconds, a negative value no limit.
	MaxCPU time.Duration
	// Report is called if the store has an icon that can't be used. The service then
	// draws the icon itself. Report must not block.
	Report func(error)
	// Lineage returns what is known about the past of a release. Its second argument is what
	// [taxonomy.Index.EvolutionJSON] returns for the datachain type, which can be nil. A version for
	// which Lineage returns an error can't be opened. If Lineage is nil, only the release itself
	// tells what became of elements.
	Lineage func(r *taxonomy.Release, evolution []byte) (taxonomy.Lineage, error)
	// Rules are checked after those of the contract, whenever a document is
	// validated.
	Rules []*validate.Rule
	// Disable are codes of rules that are not reported when a document is validated. To
	// be resolved or presented, it must have none of their errors either; see
	// [validate.Options.Disable].
	Disable []issue.Code
}

// DefaultMaxInput is the default of [Options.MaxInput].
const DefaultMaxInput = 1 << 20

// Bounds of the caches of derived data. Each set of icons has a bound of its own, too.
const (
	maxIndexes   = 64
	maxIconSets  = 16
	maxIconBytes = 32 << 20
)

// New returns a service over a store. A failing store makes operations fail; wrap
// it with package adapters/laststore to serve the last good data instead. It fails if
// the store is nil, or if the rules or the codes to disable can't be used; see [validate.Options.Check].
func New(store taxonomy.Store, o *Options) (*Service, error) {
	if store == nil {
		return nil, errors.New("datachain: the store is nil")
	}
	s := &Service{
		store:   store,
		indexes: lru.New[indexKey, *search.Index](maxIndexes),
		icons:   lru.New[taxonomy.Hash, *icons.Set](maxIconSets),
	}
	if o != nil {
		s.options = *o
	}
	if err := s.options.validation().Check(); err != nil {
		return nil, fmt.Errorf("datachain: %w", err)
	}
	s.options.Rules, s.options.Disable = slices.Clone(s.options.Rules), slices.Clone(s.options.Disable)
	if s.options.MaxBytes == 0 {
		s.options.MaxBytes = resolve.DefaultMaxBytes
	}
	s.options.MaxInput = cmp.Or(s.options.MaxInput, DefaultMaxInput)
	if s.options.MaxCPU == 0 {
		s.options.MaxCPU = 500 * time.Millisecond
	}
	if s.options.Report == nil {
		s.options.Report = func(error) {}
	}
	return s, nil
}

// validation returns the options that validating takes over.
func (o *Options) validation() *validate.Options {
	return &validate.Options{Rules: o.Rules, Disable: o.Disable}
}

// WithMaxInput returns a service over the same store, with the same options and caches, that
// accepts documents of another size; see [Options.MaxInput].
func (s *Service) WithMaxInput(bytes int) *Service {
	other := &Service{store: s.store, options: s.options, indexes: s.indexes, icons: s.icons}
	other.options.MaxInput = cmp.Or(bytes, DefaultMaxInput)
	return other
}

// WithRules returns a service over the same store, with the same options and caches, that checks
// rules besides its own. It fails if one can't be used; see [validate.Options.Check].
func (s *Service) WithRules(rules ...*validate.Rule) (*Service, error) {
	other := &Service{store: s.store, options: s.options, indexes: s.indexes, icons: s.icons}
	other.options.Rules = slices.Clone(s.options.Rules)
	for _, r := range rules {
		if !slices.Contains(other.options.Rules, r) {
			other.options.Rules = append(other.options.Rules, r)
		}
	}
	if err := other.options.validation().Check(); err != nil {
		return nil, fmt.Errorf("datachain: %w", err)
	}
	return other, nil
}

// Versions returns the index of published schema versions.
func (s *Service) Versions(ctx context.Context) (*taxonomy.Index, error) {
	index, err := s.store.Index(ctx)
	if err != nil {
		return nil, upstream(err, "The schema index could not be read.")
	}
	return index, nil
}

// Open opens the version that a reference addresses: a canonical id or an alias.
func (s *Service) Open(ctx context.Context, ref string) (*Schema, error) {
	index, err := s.Versions(ctx)
	if err != nil {
		if _, malformed := taxonomy.ParseRef(ref); malformed != nil {
			return nil, badVersion(nil, ref, malformed)
		}
		return nil, err
	}
	e, ok := s.namesOf(index).byName[ref]
	if !ok {
		return nil, noVersion(index, ref)
	}
	return s.read(ctx, e)
}

// read returns the schema of an entry.
func (s *Service) read(ctx context.Context, e *entry) (*Schema, error) {
	if schema := e.schema.Load(); schema != nil {
		return schema, nil
	}
	r, err := s.store.Release(ctx, e.ID)
	if err != nil {
		return nil, upstream(err, "The schema version "+e.ID.String()+" could not be read.")
	}
	if lineage := s.options.Lineage; lineage != nil {
		l, err := lineage(r, e.evolution)
		if err != nil {
			return nil, upstream(err, "The schema version "+e.ID.String()+" could not be read.")
		}
		r = r.WithLineage(l)
	}
	schema := &Schema{service: s, release: r, state: e.State}
	if r.ContentHash() == e.ContentHash {
		e.schema.Store(schema)
	}
	return schema, nil
}

// OpenFor opens the version that a document pins. The document is parsed for it;
// to validate it as well, [Service.Validate] is enough.
func (s *Service) OpenFor(ctx context.Context, text []byte) (*Schema, error) {
	var schema *Schema
	err := s.Work(ctx, text, func(w *Work) error {
		return w.Read(func() (err error) { schema, err = s.openPinned(ctx, w.doc); return err })
	})
	if err != nil {
		return nil, err
	}
	return schema, nil
}

// openPinned opens the version that a document pins.
func (s *Service) openPinned(ctx context.Context, doc *document.Document) (*Schema, error) {
	version := pin(doc)
	if version == "" {
		return nil, malformed("document", nil, "add schema_version", "The document does not pin a schema version.")
	}
	return s.Open(ctx, version)
}

// pinned returns the release that a document pins, or nil if that is not
// published or not a version at all.
func (s *Service) pinned(ctx context.Context, doc *document.Document) (*taxonomy.Release, error) {
	version := pin(doc)
	if _, err := taxonomy.ParseRef(version); err != nil {
		return nil, nil //nolint:nilerr // a finding on the shape will say so
	}
	schema, err := s.Open(ctx, version)
	switch {
	case errors.Is(err, taxonomy.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return schema.release, nil
}

// pin returns the schema version that a document names, or "" if it names none.
func pin(doc *document.Document) string {
	v, ok := doc.Root().Get("schema_version")
	if !ok || v.Broken() {
		return ""
	}
	return v.Text()
}

// names is an index with its entries by id and alias, so that known names need not be
// parsed.
type names struct {
	index  *taxonomy.Index
	byName map[string]*entry
}

// entry is a version of the index, and its schema once that was read with the content hash
// that the index has.
type entry struct {
	taxonomy.Entry
	evolution []byte // of its type, or nil
	schema    atomic.Pointer[Schema]
}

// namesOf returns the names of an index. They are collected once for each content: a
// store may return another index with the same content at each call.
func (s *Service) namesOf(index *taxonomy.Index) *names {
	last := s.names.Load()
	if last != nil && last.index.Equal(index) {
		return last
	}
	next := &names{index, make(map[string]*entry)}
	entries := index.Entries()
	for _, listed := range entries {
		listed.Successor, _ = index.Successor(listed.ID) // it may have been retired
		next.byName[listed.ID.String()] = &entry{Entry: listed, evolution: index.EvolutionJSON(listed.ID.Type())}
	}
	for _, listed := range entries {
		for _, alias := range listed.Aliases {
			// A store may hold an alias at another version for a while.
			if ref, err := taxonomy.ParseRef(alias); err == nil {
				e, _ := index.Lookup(ref)
				next.byName[alias] = next.byName[e.ID.String()]
			}
		}
	}
	s.names.Store(next)
	return next
}

// listed returns the entry of a version id, not an alias, in the index that was read last, or
// nil.
func (s *Service) listed(id string) *entry {
	last := s.names.Load()
	if last == nil || last.byName[id] == nil || last.byName[id].ID.String() != id {
		return nil
	}
	return last.byName[id]
}

// noVersion is the error for a version that an index does not list.
func noVersion(index *taxonomy.Index, version string) *Error {
	ref, err := taxonomy.ParseRef(version)
	if err != nil {
		return badVersion(index, version, err)
	}
	near := index.Nearest(ref, 3)
	hint := "use " + strings.Join(near, " or ")
	if len(near) == 0 {
		near = examples(index, version)
		hint = versionHint(near)
	}
	v, _ := ref.Version()
	if retired, ok := index.LookupRetired(v); ok {
		if next, known := index.Successor(v); known {
			near, hint = []string{next.String()}, "upgrade to "+next.String()
		}
		return unknown("version", near, hint, "The schema version %s.", retired)
	}
	return unknown("version", near, hint, "There is no schema version %s.", ref)
}

// badVersion is the error for a malformed version.
func badVersion(index *taxonomy.Index, version string, err error) *Error {
	known := examples(index, version)
	e := malformed("version", err, versionHint(known), "%s.", wording.Sentence(wording.Reason(err)))
	e.Known = known
	return e
}

func versionHint(examples []string) string {
	hint := "use a version from the list of schemas"
	if len(examples) > 0 {
		hint += ", such as " + examples[0]
	}
	return hint
}

// examples names a version that is published, of the same type if possible.
func examples(index *taxonomy.Index, wrong string) []string {
	if index == nil || index.Len() == 0 {
		return nil
	}
	typ, _, _ := strings.Cut(wrong, "@")
	entries := index.Entries()
	e := entries[max(0, slices.IndexFunc(entries, func(e taxonomy.Entry) bool { return e.ID.Type() == typ }))]
	latest, err := taxonomy.ParseRef(e.ID.Type() + "@" + codes.AliasLatest)
	if _, published := index.Lookup(latest); err == nil && published {
		return []string{latest.String()}
	}
	return []string{e.ID.String()}
}
