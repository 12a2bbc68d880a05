package datachain_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// samples is a service over the sample taxonomies.
func samples(t testing.TB) *datachain.Service {
	t.Helper()
	return datachain.New(sampleStore(t), nil)
}

func sampleStore(t testing.TB) *memstore.Store {
	t.Helper()
	store, err := taxonomies.Store()
	require.NoError(t, err)
	return store
}

func open(t testing.TB, version string) *taxonomy.Release {
	t.Helper()
	r, err := samples(t).Release(t.Context(), version)
	require.NoError(t, err)
	return r
}

// codeOf is the code that an operation failed with.
func codeOf(t *testing.T, err error) issue.Code {
	t.Helper()
	failed, ok := errors.AsType[*datachain.Error](err)
	require.True(t, ok, "%v", err)
	assert.NotEmpty(t, failed.Issue.Message)
	return failed.Issue.Code
}

func hintOf(t *testing.T, err error) string {
	t.Helper()
	failed, ok := errors.AsType[*datachain.Error](err)
	require.True(t, ok, "%v", err)
	return failed.Issue.FixHint
}

func TestPages(t *testing.T) {
	s := samples(t)
	r := open(t, "ai@latest")
	for _, q := range []datachain.ElementQuery{
		{},
		{Limit: 1},
		{Limit: datachain.MaxPage},
		{CategoryID: "rights", Limit: 2},
		{Text: "data", Limit: 3},
		{Text: "decision", Locale: "fr-CA", Limit: 4},
		{Text: "data", CategoryID: "rights", Limit: 1},
		{Text: "xyzzy"},
		{CategoryID: "no_such"},
	} {
		t.Run(fmt.Sprint(q), func(t *testing.T) {
			seen := map[string]bool{}
			for {
				page, err := s.Elements(t.Context(), "ai@latest", q)
				require.NoError(t, err)
				for _, e := range page.Elements {
					assert.False(t, seen[e.ID], "%s twice", e.ID)
					seen[e.ID] = true
					if q.CategoryID != "" {
						assert.Equal(t, q.CategoryID, e.CategoryID)
					}
				}
				if page.NextCursor == "" {
					assert.Len(t, seen, page.Total)
					break
				}
				assert.NotEmpty(t, page.Elements)
				q.Cursor = page.NextCursor
			}
			if q.Text == "" && q.CategoryID == "" {
				assert.Len(t, seen, len(r.Elements()))
			}
		})
	}
}

func TestCursorBelongsToItsList(t *testing.T) {
	s := samples(t)
	first := datachain.ElementQuery{Text: "data", Locale: "en", Limit: 2}
	page, err := s.Elements(t.Context(), "ai@latest", first)
	require.NoError(t, err)
	require.NotEmpty(t, page.NextCursor)

	next := first
	next.Cursor, next.Limit = page.NextCursor, 100
	_, err = s.Elements(t.Context(), page.Release.Version().String(), next)
	require.NoError(t, err, "by the canonical id, with another limit")

	for name, change := range map[string]func(q *datachain.ElementQuery) (version string){
		"text":     func(q *datachain.ElementQuery) string { q.Text = "date"; return "ai@latest" },
		"locale":   func(q *datachain.ElementQuery) string { q.Locale = "fr"; return "ai@latest" },
		"category": func(q *datachain.ElementQuery) string { q.CategoryID = "rights"; return "ai@latest" },
		"version":  func(*datachain.ElementQuery) string { return "ai@latest-beta" },
		"cut":      func(q *datachain.ElementQuery) string { q.Cursor = q.Cursor[:len(q.Cursor)-1]; return "ai@latest" },
		"longer":   func(q *datachain.ElementQuery) string { q.Cursor += "A"; return "ai@latest" },
		"newline":  func(q *datachain.ElementQuery) string { q.Cursor += "\n"; return "ai@latest" },
		"garbage":  func(q *datachain.ElementQuery) string { q.Cursor = "%%%"; return "ai@latest" },
		"huge":     func(q *datachain.ElementQuery) string { q.Cursor = strings.Repeat("A", 1<<20); return "ai@latest" },
	} {
		t.Run(name, func(t *testing.T) {
			q := next
			_, err := s.Elements(t.Context(), change(&q), q)
			assert.Equal(t, issue.CodeBadRequest, codeOf(t, err))
			assert.ErrorContains(t, err, "Invalid pagination cursor.")
		})
	}
}

func FuzzCursor(f *testing.F) {
	s := samples(f)
	page, err := s.Elements(context.Background(), "ai@latest", datachain.ElementQuery{})
	require.NoError(f, err)
	f.Add(page.NextCursor)
	f.Add("AAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		page, err := s.Elements(t.Context(), "ai@latest", datachain.ElementQuery{Cursor: cursor})
		if err != nil {
			assert.Equal(t, issue.CodeBadRequest, codeOf(t, err))
			return
		}
		assert.LessOrEqual(t, len(page.Elements), datachain.DefaultPage)
	})
}

func TestElementsByID(t *testing.T) {
	s := samples(t)
	found, err := s.ElementsByID(t.Context(), "ai@latest", []string{"rights.person", "no.such", "purpose.triage", "rights.person"})
	require.NoError(t, err)
	assert.Equal(t, []string{"no.such"}, found.Missing)
	assert.Equal(t, []string{"rights.person", "no.such", "purpose.triage"}, found.IDs)
	require.Len(t, found.Elements, 2)
	assert.Equal(t, "rights.person", found.Elements[0].ID)

	var many []string
	for i := range datachain.MaxElementIDs {
		many = append(many, fmt.Sprintf("e%d", i), "e0")
	}
	found, err = s.ElementsByID(t.Context(), "ai@latest", many)
	require.NoError(t, err)
	assert.Len(t, found.Missing, datachain.MaxElementIDs)
	_, err = s.ElementsByID(t.Context(), "ai@latest", append(many, "one-more"))
	require.ErrorIs(t, err, datachain.ErrTooManyIDs)
}

func TestFailures(t *testing.T) {
	s := samples(t)
	ctx := t.Context()
	for _, c := range []struct {
		name string
		do   func() error
		code issue.Code
		hint string
	}{
		{"malformed version", func() error { _, err := s.Release(ctx, "ai"); return err }, issue.CodeBadRequest, "ai@latest"},
		{"malformed version of a type", func() error { _, err := s.Release(ctx, "sensor@@"); return err }, issue.CodeBadRequest, "such as sensor@latest"},
		{"unknown version", func() error { _, err := s.Manifest(ctx, "ai@lates"); return err }, issue.CodeNotFound, "use ai@latest"},
		{"malformed element", func() error { _, _, err := s.Element(ctx, "ai@latest", "a/b"); return err }, issue.CodeBadRequest, "letters"},
		{"unknown element", func() error { _, _, err := s.Element(ctx, "ai@latest", "purpose.triag"); return err }, issue.CodeNotFound, "purpose.triage"},
		{"limit", func() error { _, err := s.Elements(ctx, "ai@latest", datachain.ElementQuery{Limit: 201}); return err }, issue.CodeBadRequest, "1 to 200"},
		{"locale", func() error {
			_, err := s.Elements(ctx, "ai@latest", datachain.ElementQuery{Locale: "e n"})
			return err
		}, issue.CodeBadRequest, "fr-CA"},
		{"malformed shape", func() error { _, err := s.Shape("../circle"); return err }, issue.CodeBadRequest, "letters"},
		{"unknown shape", func() error { _, err := s.Shape("square"); return err }, issue.CodeNotFound, "circle, hexagon, octagon or rounded-square"},
		{"malformed symbol", func() error { _, _, err := s.Symbol(ctx, "ai@latest", "a.b"); return err }, issue.CodeBadRequest, "letters"},
		{"unknown symbol", func() error { _, _, err := s.Symbol(ctx, "ai@latest", "nothing"); return err }, issue.CodeNotFound, "symbol_id"},
		{"misspelt symbol", func() error { _, _, err := s.Symbol(ctx, "ai@latest", "briefcas"); return err }, issue.CodeNotFound, "use briefcase"},
		{"malformed variant", func() error { _, err := s.Icon(ctx, "ai@latest", "purpose.triage", "a b"); return err }, issue.CodeBadRequest, "letters"},
		{"unknown variant", func() error { _, err := s.Icon(ctx, "ai@latest", "purpose.triage", "pink"); return err }, issue.CodeNotFound, "use default"},
		{"JSON", func() error { _, err := s.Validate(ctx, "ai@latest", []byte(`{"a":1,"a":2}`)); return err }, issue.CodeBadRequest, "once"},
		{"JSON Schema", func() error { _, err := s.JSONSchema("nothing"); return err }, issue.CodeNotFound, "instance"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.do()
			assert.Equal(t, c.code, codeOf(t, err))
			assert.Contains(t, hintOf(t, err), c.hint)
		})
	}
}

// TestLongNames shows that what is repeated in a message is cut between two
// characters.
func TestLongNames(t *testing.T) {
	_, _, err := samples(t).Element(t.Context(), "ai@latest", "a"+strings.Repeat("é", 100))
	require.ErrorContains(t, err, `"a`+strings.Repeat("é", 79)+`…"`)
}

func TestIcons(t *testing.T) {
	s := samples(t)
	r := open(t, "sensor@latest")
	for _, e := range r.Elements() {
		for _, variant := range e.IconVariants {
			icon, err := s.Icon(t.Context(), "sensor@latest", e.ID, variant)
			require.NoError(t, err)
			assert.False(t, icon.Baked, "there is no store that has any")
			assert.Contains(t, string(icon.SVG), "<svg")
		}
	}
}

// flaky is a store that fails when told to.
type flaky struct {
	taxonomy.Store
	err   atomic.Pointer[error]
	asked atomic.Int64
}

func (f *flaky) fail(err error) { f.err.Store(&err) }

func (f *flaky) Index(ctx context.Context) (*taxonomy.Index, error) {
	f.asked.Add(1)
	if err := f.err.Load(); err != nil && *err != nil {
		return nil, *err
	}
	return f.Store.Index(ctx)
}

func TestLastGood(t *testing.T) {
	store := &flaky{Store: sampleStore(t)}
	var reported atomic.Int64
	s := datachain.New(store, &datachain.Options{Retry: 20 * time.Millisecond, Report: func(error) { reported.Add(1) }})

	store.fail(errors.New("the disk is gone"))
	_, err := s.Release(t.Context(), "ai@latest")
	assert.Equal(t, issue.CodeUpstreamError, codeOf(t, err), "nothing to fall back on")
	known, ok := errors.AsType[*datachain.Error](err)
	require.True(t, ok)
	assert.NotContains(t, known.Issue.String(), "disk", "the cause is not for everyone")
	require.ErrorContains(t, err, "disk", "but for whoever runs the program")

	store.fail(nil)
	first, err := s.Release(t.Context(), "ai@latest")
	require.NoError(t, err)

	store.fail(errors.New("the disk is gone"))
	asked := store.asked.Load()
	for range 100 {
		r, err := s.Release(t.Context(), "ai@latest")
		require.NoError(t, err)
		assert.Same(t, first, r)
	}
	assert.Less(t, store.asked.Load()-asked, int64(50), "a store that fails is left alone for a while")
	assert.Positive(t, reported.Load())
	_, err = s.Release(t.Context(), "sensor@latest")
	require.NoError(t, err, "the index is known, and the release can be read")

	store.fail(nil)
	assert.Eventually(t, func() bool {
		asked := store.asked.Load()
		_, err := s.Versions(t.Context())
		_, err2 := s.Versions(t.Context())
		return err == nil && err2 == nil && store.asked.Load() == asked+2
	}, 30*time.Second, 5*time.Millisecond, "recovers by itself")
}

func TestTimeout(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := samples(t).Release(ctx, "ai@latest")
	assert.Equal(t, issue.CodeTimeout, codeOf(t, err))
}
