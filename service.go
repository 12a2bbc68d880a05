package datachain

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/cache"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/validate"
)

// Service answers questions about the schema versions of a store and judges
// datachains by them. It is safe for concurrent use. Every error that its
// methods return is an [*Error].
//
// Methods take a version as it comes from outside: a canonical id or an alias.
// What they return belongs to the release and must not be changed.
type Service struct {
	store   *steady
	options Options

	// What is derived from releases, by content: promoting a beta keeps it.
	indexes *cache.Cache[indexKey, *search.Index]
	icons   *cache.Cache[taxonomy.Hash, *icons.Set]
}

// Options tune a service. The zero value and nil are the defaults.
type Options struct {
	// MaxBundle is the most bytes that a resolved document may have; 0 means
	// [resolve.DefaultMaxBytes], the contract's 512 KiB.
	MaxBundle int
	// MaxCPU is how much processor time judging or resolving one document may
	// take; 0 means 500 milliseconds, and a negative one any time.
	MaxCPU time.Duration
	// Retry is how long a store that has failed is left alone, while last
	// good answers are given; 0 means a second.
	Retry time.Duration
	// Report is told when the store fails and a last good answer is given
	// instead. It must not block.
	Report func(error)
	// Rules are checked after those of the contract, whenever a document is
	// judged.
	Rules []*validate.Rule
}

// How much is kept of what is derived from releases. A set of icons has its own
// bound.
const (
	maxIndexes   = 64
	maxIconSets  = 16
	maxIconBytes = 32 << 20
)

// New returns a service over a store. While the store fails, the service goes on
// with what it has read from it last.
func New(store taxonomy.Store, o *Options) *Service {
	s := &Service{
		indexes: cache.New[indexKey, *search.Index](maxIndexes, 1),
		icons:   cache.New[taxonomy.Hash, *icons.Set](maxIconSets, 1),
	}
	if o != nil {
		s.options = *o
	}
	s.options.setDefaults()
	s.store = newSteady(store, &s.options)
	return s
}

func (o *Options) setDefaults() {
	if o.MaxBundle == 0 {
		o.MaxBundle = resolve.DefaultMaxBytes
	}
	if o.MaxCPU == 0 {
		o.MaxCPU = 500 * time.Millisecond
	}
	if o.Retry == 0 {
		o.Retry = time.Second
	}
	if o.Report == nil {
		o.Report = func(error) {}
	}
}

// Versions lists the published schema versions.
func (s *Service) Versions(ctx context.Context) (*taxonomy.Index, error) {
	index, err := s.store.Index(ctx)
	if err != nil {
		return nil, upstream(err, "The schema index can't be read.")
	}
	return index.Index, nil
}

// Release returns the release that a version addresses: manifest, datachain
// type, categories, elements and symbols.
func (s *Service) Release(ctx context.Context, version string) (*taxonomy.Release, error) {
	index, err := s.store.Index(ctx)
	if err != nil {
		return nil, noVersion(nil, version, upstream(err, "The schema index can't be read."))
	}
	entry, ok := index.entries[version]
	if !ok {
		return nil, noVersion(index.Index, version, nil)
	}
	r, err := s.store.Release(ctx, entry)
	if err != nil {
		return nil, upstream(err, "The schema version "+entry.ID.String()+" can't be read.")
	}
	return r, nil
}

// noVersion says what is wrong with a version that was not found in an index, or
// why there is no index. A malformed one is wrong whatever an index says.
func noVersion(index *taxonomy.Index, version string, why *Error) *Error {
	ref, err := taxonomy.ParseRef(version)
	switch {
	case err != nil:
		return badRequest(err, "use a version of the list of schemas"+example(index, version), "That is a %s.", err)
	case why != nil:
		return why
	}
	hint := "use a version of the list of schemas" + example(index, version)
	if near := index.Nearest(ref, 3); len(near) > 0 {
		hint = "use " + strings.Join(near, " or ")
	}
	return notFound(hint, "There is no schema version %s.", ref)
}

// example names a version that is there, for somebody who wrote one that is not:
// of the same type, if that can be told.
func example(index *taxonomy.Index, wrong string) string {
	if index == nil || index.Len() == 0 {
		return ""
	}
	typ, _, _ := strings.Cut(wrong, "@")
	entries := index.Entries()
	e := entries[max(0, slices.IndexFunc(entries, func(e taxonomy.Entry) bool { return e.ID.Type() == typ }))]
	latest, err := taxonomy.ParseRef(e.ID.Type() + "@latest")
	if _, there := index.Lookup(latest); err == nil && there {
		return ", such as " + latest.String()
	}
	return ", such as " + e.ID.String()
}

// Manifest returns the title page of a version.
func (s *Service) Manifest(ctx context.Context, version string) (*taxonomy.Manifest, error) {
	r, err := s.Release(ctx, version)
	if err != nil {
		return nil, err
	}
	return r.Manifest(), nil
}

// Categories returns the release and its categories in declaration order.
func (s *Service) Categories(ctx context.Context, version string) (*taxonomy.Release, []*taxonomy.Category, error) {
	r, err := s.Release(ctx, version)
	if err != nil {
		return nil, nil, err
	}
	list := r.Categories()
	return r, list, nil
}

// JSONSchema returns a JSON Schema (2020-12) of what is read and written here,
// for editors and for programs in other languages; see [validate.JSONSchema].
func (s *Service) JSONSchema(name string) ([]byte, error) {
	text, ok := validate.JSONSchema(name)
	if !ok {
		return nil, notFound("use "+prose.Or(validate.JSONSchemaNames()), "There is no JSON Schema %s.", prose.Clip(name))
	}
	return text, nil
}
