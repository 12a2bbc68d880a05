package datachain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Service answers questions about the schema versions of a store. It is safe
// for concurrent use. Every error that its methods return is an [*Error].
type Service struct {
	store taxonomy.Store
}

// New returns a service over a store.
func New(store taxonomy.Store) *Service { return &Service{store} }

// Error is a failed operation: an issue with the code that the contract gives
// it, and the cause.
type Error struct {
	Issue taxonomy.Issue
	Err   error
}

// Error prints the message and the hint.
func (e *Error) Error() string { return "datachain: " + e.Issue.String() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func failure(code taxonomy.Code, cause error, hint, format string, args ...any) *Error {
	return &Error{Issue: taxonomy.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}, Err: cause}
}

// Versions lists the published schema versions.
func (s *Service) Versions(ctx context.Context) ([]taxonomy.Entry, error) {
	index, err := s.store.Index(ctx)
	if err != nil {
		return nil, upstream(err, "The schema index can't be read.")
	}
	return index.Entries(), nil
}

// Release returns the release that a version, a canonical id or an alias,
// addresses.
func (s *Service) Release(ctx context.Context, version string) (*taxonomy.Release, error) {
	ref, err := taxonomy.ParseRef(version)
	if err != nil {
		return nil, failure(taxonomy.CodeBadRequest, err, "use a version of the list of schemas, such as ai@latest", "The version is malformed: %s.", err)
	}
	index, err := s.store.Index(ctx)
	if err != nil {
		return nil, upstream(err, "The schema index can't be read.")
	}
	entry, ok := index.Lookup(ref)
	if !ok {
		hint := "see the list of schemas for what there is"
		if near := index.Nearest(ref, 3); len(near) > 0 {
			hint = "use " + strings.Join(near, " or ")
		}
		return nil, failure(taxonomy.CodeNotFound, taxonomy.ErrNotFound, hint, "There is no schema version %s.", ref)
	}
	r, err := s.store.Release(ctx, entry.ID)
	if err != nil {
		return nil, upstream(err, "The schema version "+entry.ID.String()+" can't be read.")
	}
	return r, nil
}

// upstream is a failure of the store, or of the caller's patience.
func upstream(err error, message string) *Error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return failure(taxonomy.CodeTimeout, err, "try again", "%s It took too long.", message)
	}
	return failure(taxonomy.CodeUpstreamError, err, "try again in a moment", "%s", message)
}

// Element returns an element and the release it is of.
func (s *Service) Element(ctx context.Context, version, id string) (*taxonomy.Release, *taxonomy.Element, error) {
	r, err := s.Release(ctx, version)
	if err != nil {
		return nil, nil, err
	}
	if !taxonomy.ValidElementID(id) {
		return nil, nil, failure(taxonomy.CodeBadRequest, nil, "use letters, digits, _ and -, with one period at most", "The element id %q is malformed.", id)
	}
	e, ok := r.Element(id)
	if !ok {
		return nil, nil, failure(taxonomy.CodeNotFound, taxonomy.ErrNotFound, "see the elements of the version for what there is", "There is no element %s in %s.", id, r.Version())
	}
	return r, e, nil
}

// Symbol returns the SVG of a symbol and the release it is of.
func (s *Service) Symbol(ctx context.Context, version, id string) (*taxonomy.Release, string, error) {
	r, err := s.Release(ctx, version)
	if err != nil {
		return nil, "", err
	}
	if !taxonomy.ValidID(id) {
		return nil, "", failure(taxonomy.CodeBadRequest, nil, "use letters, digits, _ and -", "The symbol id %q is malformed.", id)
	}
	svg, ok := r.Symbol(id)
	if !ok {
		return nil, "", failure(taxonomy.CodeNotFound, taxonomy.ErrNotFound, "use the symbol_id of an element", "There is no symbol %s in %s.", id, r.Version())
	}
	return r, svg, nil
}
