package stores

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/internal/product"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
)

// Errors of sets.
var (
	// ErrNone means that there are no versions.
	ErrNone = errors.New("the source or store has no versions")
	// ErrSeveral means that a version must be named.
	ErrSeveral = errors.New("choose one")
)

// Set is the schema versions at a location.
type Set struct {
	*datachain.Service
	Store taxonomy.Store
	// Log verifies the store and its documents; nil for nothing.
	Log  *follow.Log
	From Location
	// Whole is false if versions of a source do not compile and are left out.
	Whole bool
	// Elsewhere returns the flag that would find a version, or "" if none is known.
	Elsewhere func(taxonomy.Ref) string
}

// NewSet returns the versions of a store. Errors give no hint about other locations.
func NewSet(s taxonomy.Store) *Set {
	service, _ := product.New(s, &datachain.Options{MaxInput: -1, MaxCPU: -1}) // valid options
	return &Set{
		Service: service, Store: s, Whole: true,
		From: Location{By: "--store"}, Elsewhere: func(taxonomy.Ref) string { return "" },
	}
}

// Open opens a version. The error for an unknown one names the flag that would find
// it.
func (s *Set) Open(ctx context.Context, typed string) (*datachain.Schema, error) {
	schema, err := s.Service.Open(ctx, typed)
	e, ok := errors.AsType[*datachain.Error](err)
	if !ok || e.Kind != datachain.KindUnknown {
		return schema, err
	}
	hinted := *e
	hinted.Issue.FixHint = s.Hint(e.Issue.FixHint, typed)
	return nil, &hinted
}

// Hint adds the flag that would find a version to the hint of an error, and says so if
// only the samples were searched because nothing else was named.
func (s *Set) Hint(hint, version string) string {
	flag := ""
	if ref, err := taxonomy.ParseRef(version); err == nil {
		flag = s.Elsewhere(ref)
	}
	switch {
	case flag != "":
		return hint + ", or use " + flag + ", which has " + version
	case s.From.By != "":
		return hint
	case s.From.Samples:
		return hint + ", or name the taxonomies that have it with --schemas, --store or " + ProjectFile + "; only the built-in samples were searched"
	}
	return hint + ", or use --schemas or --store to name the taxonomies that have it"
}

// Release opens the version that was typed or, if none was, the latest version of
// the only datachain type.
func (s *Set) Release(ctx context.Context, typed string) (*taxonomy.Release, error) {
	if typed == "" {
		latest, err := s.Latest(ctx)
		if err != nil {
			return nil, err
		}
		if len(latest) > 1 {
			return nil, fmt.Errorf("%w, such as %s", ErrSeveral, strings.Join(latest, ", "))
		}
		typed = latest[0]
	}
	schema, err := s.Open(ctx, typed)
	if err != nil {
		return nil, err
	}
	return schema.Release(), nil
}

// Each opens the versions that were typed, each once. If none was, standard
// names them.
func (s *Set) Each(ctx context.Context, typed []string, standard func(context.Context) ([]string, error)) ([]*datachain.Schema, error) {
	if len(typed) == 0 {
		var err error
		if typed, err = standard(ctx); err != nil {
			return nil, err
		}
	}
	var list []*datachain.Schema
	for _, t := range typed {
		schema, err := s.Open(ctx, t)
		if err != nil {
			return nil, err
		}
		same := func(other *datachain.Schema) bool { return other.Release() == schema.Release() }
		if !slices.ContainsFunc(list, same) {
			list = append(list, schema)
		}
	}
	return list, nil
}

// Latest returns the alias of the latest version of each datachain type.
func (s *Set) Latest(ctx context.Context) ([]string, error) {
	x, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	if x.Len() == 0 {
		return nil, ErrNone
	}
	return sources.Latest(x), nil
}

// Register reads the documents of some origins and of the store, as they are now. It is nil if
// there are none of both.
func (s *Set) Register(origins ...register.Origin) (*register.Register, error) {
	if files, ok := s.Store.(register.Files); ok {
		origins = append(origins, register.Stored(s.From.String(), files, s.Log))
	}
	if len(origins) == 0 {
		return nil, nil //nolint:nilnil // a register would be empty for ever
	}
	return register.New(s.Service, origins, &register.Options{Refresh: -1})
}
