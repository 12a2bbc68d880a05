// Package engine provides the operations of the npm package in editors/wasm: they call a
// [datachain.Service] with JSON, over releases that the host has fetched.
//
// The host decides where releases come from. It sets the index with [Engine.SetIndex],
// then calls operations. One that needs a release which is not there answers with what
// to load ([Answer.Load]); the host fetches it, passes it to [Engine.Add], and calls
// again. Every release is verified against the content hash in the index. Nothing is
// compiled from source.
//
// [Store] is a [taxonomy.Store] for pages that can wait: it fetches a release from a [Source]
// when it is needed.
//
// The package knows nothing of JavaScript, so it is tested like any other.
package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/internal/product"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Engine runs operations on releases. It is not safe for concurrent use: a page has one
// thread.
type Engine struct {
	store   *fetchedStore
	service *datachain.Service
}

// New returns an engine without releases.
func New() *Engine {
	s := &fetchedStore{loaded: make(map[taxonomy.Version]*taxonomy.Release)}
	service, _ := product.New(s, &datachain.Options{MaxInput: -1, MaxCPU: -1}) // valid options; the caller pays for the time
	return &Engine{store: s, service: service}
}

// Answer is the answer to a call: one of its fields is set.
type Answer struct {
	// Value is the result of the operation.
	Value any `json:"value,omitzero"`
	// Load is what the operation needs first.
	Load *Needed `json:"load,omitzero"`
	// Error is why the operation failed.
	Error *Failure `json:"error,omitzero"`
}

// Failure is a failed operation: an issue, and the parameter at fault with what it
// could have been.
type Failure struct {
	issue.Issue
	Param string   `json:"param,omitzero"`
	Known []string `json:"known,omitzero"`
}

// Call runs an operation with its options as JSON, and returns the answer as JSON. The
// document is nil for operations without one.
func (e *Engine) Call(operation string, options, document []byte) []byte {
	value, err := e.run(operation, options, document)
	answer := Answer{Value: value}
	if err != nil {
		answer = e.failed(err)
	}
	text, err := json.Marshal(answer, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		text, _ = json.Marshal(e.failed(err))
	}
	return text
}

// failed returns the answer to an operation that failed.
func (e *Engine) failed(err error) Answer {
	if missing, ok := errors.AsType[*notLoadedError](err); ok {
		needed := Need(missing.entry)
		return Answer{Load: &needed}
	}
	known, ok := errors.AsType[*datachain.Error](err)
	if !ok {
		known = fail(issue.CodeInternalError, "", "%s", err)
	}
	failure := &Failure{Issue: known.Issue, Param: known.Param, Known: known.Known}
	failure.Severity = issue.SeverityError
	return Answer{Error: failure}
}

func fail(code issue.Code, hint, format string, args ...any) *datachain.Error {
	return &datachain.Error{Issue: issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

// run runs an operation. A panic is a failure of that operation alone: it would end the
// whole module.
func (e *Engine) run(operation string, options, document []byte) (_ any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fail(issue.CodeInternalError, "report this as a bug", "The operation %s failed: %v.", operation, p)
		}
	}()
	run, known := operations[operation]
	if !known {
		return nil, fail(issue.CodeBadRequest, "update the package", "There is no operation %q; there are %q.", operation, slices.Sorted(maps.Keys(operations)))
	}
	var o Options
	if len(options) > 0 {
		if err := json.Unmarshal(options, &o); err != nil {
			return nil, fail(issue.CodeBadRequest, "see the types of the package", "The options are malformed: %s.", err)
		}
	}
	return run(e, context.Background(), &o, document)
}

// SetIndex sets the published versions: an index.json, or what GET …/schemas answers.
// Releases that were added stay if the index still names their content.
func (e *Engine) SetIndex(text []byte) []byte {
	index, err := taxonomy.DecodeIndex(text)
	if err != nil {
		return e.refused("The index of schema versions is malformed: %s.", wording.Reason(err))
	}
	e.store.set(index)
	return e.done(index)
}

// Add adds a release that is in the index: its archive, or what GET …/release answers.
func (e *Engine) Add(id string, release []byte) []byte {
	entry, err := e.store.entry(id)
	if err != nil {
		return e.refused("The release %s can't be used: %s.", id, err)
	}
	a, err := reader.Open(entry, release)
	if err != nil {
		return e.refused("The release %s can't be used: %s.", id, err)
	}
	e.store.loaded[entry.ID] = a.Release
	return e.done(true)
}

// done returns the answer with a value.
func (e *Engine) done(value any) []byte {
	text, err := json.Marshal(Answer{Value: value})
	if err != nil {
		return e.refused("%s.", err)
	}
	return text
}

// refused returns the answer to an index or a release that can't be used.
func (e *Engine) refused(format string, args ...any) []byte {
	text, _ := json.Marshal(e.failed(fail(issue.CodeUpstreamError, "tell the operator of the store", format, args...)))
	return text
}

// fetchedStore is a store of the releases that the host has fetched.
type fetchedStore struct {
	index  *taxonomy.Index
	loaded map[taxonomy.Version]*taxonomy.Release
}

// notLoadedError says that a release is published, and has not been fetched yet.
type notLoadedError struct{ entry taxonomy.Entry }

func (e *notLoadedError) Error() string { return fmt.Sprintf("release %s: not loaded", e.entry.ID) }

// set sets the index, and drops releases that it no longer names.
func (s *fetchedStore) set(index *taxonomy.Index) {
	kept := make(map[taxonomy.Version]*taxonomy.Release)
	for _, e := range index.Entries() {
		if r := s.loaded[e.ID]; r != nil && r.ContentHash() == e.ContentHash {
			kept[e.ID] = r
		}
	}
	s.index, s.loaded = index, kept
}

var errNoIndex = errors.New("no index: open a store first")

// entry returns the entry of a version id.
func (s *fetchedStore) entry(id string) (taxonomy.Entry, error) {
	ref, err := taxonomy.ParseRef(id)
	if err != nil {
		return taxonomy.Entry{}, err
	}
	if s.index == nil {
		return taxonomy.Entry{}, errNoIndex
	}
	entry, ok := s.index.Lookup(ref)
	if !ok {
		return entry, fmt.Errorf("release %s: %w", id, taxonomy.ErrNotFound)
	}
	return entry, nil
}

// Index returns the index of the host.
func (s *fetchedStore) Index(context.Context) (*taxonomy.Index, error) {
	if s.index == nil {
		return nil, errNoIndex
	}
	return s.index, nil
}

// Release returns a release that was fetched.
func (s *fetchedStore) Release(_ context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	entry, err := s.entry(v.String())
	if err != nil {
		return nil, err
	}
	if r := s.loaded[v]; r != nil {
		return r, nil
	}
	return nil, &notLoadedError{entry}
}
