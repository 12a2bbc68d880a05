package datachain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/taxonomy/lists"
	"github.com/datachain-go/datachain/validate"
)

// samples is a service over the sample taxonomies.
func samples(t testing.TB) *datachain.Service {
	t.Helper()
	return must(datachain.New(sampleStore(t), nil))
}

func sampleStore(t testing.TB) *memstore.Store {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return store
}

func open(t testing.TB, version string) *datachain.Schema {
	t.Helper()
	return openIn(t, samples(t), version)
}

func openIn(t testing.TB, s *datachain.Service, version string) *datachain.Schema {
	t.Helper()
	schema, err := s.Open(t.Context(), version)
	require.NoError(t, err)
	return schema
}

// codeOf is the code that an operation failed with.
func codeOf(t *testing.T, err error) issue.Code {
	t.Helper()
	failed, ok := errors.AsType[*datachain.Error](err)
	require.True(t, ok, "%v", err)
	assert.NotEmpty(t, failed.Issue.Message)
	return failed.Issue.Code
}

func TestPages(t *testing.T) {
	s := open(t, "ai@latest")
	for _, q := range []datachain.ElementQuery{
		{},
		{Limit: 1},
		{Limit: lists.MaxPage},
		{CategoryID: "rights", Limit: 2},
		{Text: "data", Limit: 3},
		{Text: "decision", Locale: "fr-CA", Limit: 4},
		{Text: "data", CategoryID: "rights", Limit: 1},
		{Text: "xyzzy"},
		{CategoryID: "no_such", Lenient: true},
	} {
		t.Run(fmt.Sprint(q), func(t *testing.T) {
			seen := map[string]bool{}
			for {
				page, err := s.Elements(t.Context(), q)
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
				assert.Len(t, seen, len(s.Release().Elements()))
			}
		})
	}
}

func TestCursorBelongsToItsList(t *testing.T) {
	s := samples(t)
	first := datachain.ElementQuery{Text: "data", Locale: "en", Limit: 2}
	page, err := openIn(t, s, "ai@latest").Elements(t.Context(), first)
	require.NoError(t, err)
	require.NotEmpty(t, page.NextCursor)

	next := first
	next.Cursor, next.Limit = page.NextCursor, 100
	_, err = openIn(t, s, "ai@2026-11-15-stable").Elements(t.Context(), next)
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
			version := change(&q)
			_, err := openIn(t, s, version).Elements(t.Context(), q)
			assert.Equal(t, issue.CodeBadRequest, codeOf(t, err))
			assert.ErrorContains(t, err, "Invalid pagination cursor.")
		})
	}
}

func FuzzCursor(f *testing.F) {
	s := open(f, "ai@latest")
	page, err := s.Elements(context.Background(), datachain.ElementQuery{})
	require.NoError(f, err)
	f.Add(page.NextCursor)
	f.Add("AAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		page, err := s.Elements(t.Context(), datachain.ElementQuery{Cursor: cursor})
		if err != nil {
			assert.Equal(t, issue.CodeBadRequest, codeOf(t, err))
			return
		}
		assert.LessOrEqual(t, len(page.Elements), lists.DefaultPage)
	})
}

func TestElementsByID(t *testing.T) {
	s := open(t, "ai@latest")
	found, err := s.ElementsByID([]string{"rights.person", "no.such", "purpose.triage", "rights.person"})
	require.NoError(t, err)
	assert.Equal(t, []string{"no.such"}, found.Missing)
	assert.Equal(t, []string{"rights.person", "no.such", "purpose.triage"}, found.IDs)
	require.Len(t, found.Elements, 2)
	assert.Equal(t, "rights.person", found.Elements[0].ID)

	var many []string
	for i := range 100 {
		many = append(many, fmt.Sprintf("e%d", i), "e0")
	}
	found, err = s.ElementsByID(many)
	require.NoError(t, err)
	assert.Len(t, found.Missing, 100)
	_, err = s.ElementsByID(append(many, "one-more"))
	failed, ok := errors.AsType[*datachain.Error](err)
	require.True(t, ok)
	assert.Equal(t, datachain.KindTooMany, failed.Kind)
	assert.Equal(t, "ids", failed.Param)
}

func TestFailures(t *testing.T) {
	s := samples(t)
	ai := openIn(t, s, "ai@latest")
	ctx := t.Context()
	open := func(version string) error { _, err := s.Open(ctx, version); return err }
	element := func(id string) error { _, err := ai.Element(id); return err }
	elements := func(q datachain.ElementQuery) error { _, err := ai.Elements(ctx, q); return err }
	symbol := func(id string) error { _, err := ai.Symbol(ctx, id); return err }
	icon := func(variant string) error { _, err := ai.Icon(ctx, "purpose.triage", variant); return err }
	read := func(text string) error { _, err := s.OpenFor(ctx, []byte(text)); return err }
	const wrong, missing = datachain.KindMalformed, datachain.KindUnknown
	for _, c := range []struct {
		name  string
		err   error
		code  issue.Code
		kind  datachain.Kind
		param string
		hint  string
	}{
		{"malformed version", open("ai"), issue.CodeBadRequest, wrong, "version", "ai@latest"},
		{"malformed version of a type", open("sensor@@"), issue.CodeBadRequest, wrong, "version", "such as sensor@latest"},
		{"unknown version", open("ai@lates"), issue.CodeNotFound, missing, "version", "use ai@latest"},
		{"malformed element", element("a/b"), issue.CodeBadRequest, wrong, "element_id", "letters"},
		{"unknown element", element("purpose.triag"), issue.CodeNotFound, missing, "element_id", "purpose.triage"},
		{"limit", elements(datachain.ElementQuery{Limit: 201}), issue.CodeBadRequest, wrong, "limit", "1 to 200"},
		{"locale", elements(datachain.ElementQuery{Locale: "e n"}), issue.CodeBadRequest, wrong, "locale", "fr-CA"},
		{"cursor", elements(datachain.ElementQuery{Cursor: "x"}), issue.CodeBadRequest, wrong, "cursor", "without a cursor"},
		{"malformed symbol", symbol("a.b"), issue.CodeBadRequest, wrong, "symbol_id", "letters"},
		{"unknown symbol", symbol("nothing"), issue.CodeNotFound, missing, "symbol_id", "symbol_id"},
		{"misspelt symbol", symbol("briefcas"), issue.CodeNotFound, missing, "symbol_id", "use briefcase"},
		{"malformed variant", icon("a b"), issue.CodeBadRequest, wrong, "variant", "letters"},
		{"unknown variant", icon("pink"), issue.CodeNotFound, missing, "variant", "use default"},
		{"JSON", read(`{"a":1,"a":2}`), issue.CodeBadRequest, datachain.KindSyntax, "document", "once"},
		{"number", read(`{"a":1e400}`), issue.CodeBadRequest, datachain.KindSyntax, "document", "write the number as a string"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.code, codeOf(t, c.err))
			failed, _ := errors.AsType[*datachain.Error](c.err)
			assert.Contains(t, failed.Issue.FixHint, c.hint)
			assert.Equal(t, c.kind, failed.Kind)
			assert.Equal(t, c.param, failed.Param)
			assert.Equal(t, c.kind == missing, errors.Is(c.err, taxonomy.ErrNotFound))
		})
	}
}

// TestUnsafeNumbers says what is wrong with a number that JSON allows, but that does not survive,
// to programs and people.
func TestUnsafeNumbers(t *testing.T) {
	for _, number := range []string{"1e21", "1e400", "-9007199254740993", "1e-400", "0." + strings.Repeat("1", 100)} {
		v, err := samples(t).Validate(t.Context(), []byte(`{"n": `+number+`}`), nil)
		require.NoError(t, err)
		failed, ok := errors.AsType[*datachain.Error](v.SyntaxError())
		require.True(t, ok)
		finding := v.Findings()[0]
		for _, message := range []string{failed.Issue.Message, finding.Message} {
			assert.Contains(t, message, "The document has a number that does not survive: ")
			assert.Contains(t, message, "write it as a string.")
		}
		assert.Equal(t, issue.CodeBadRequest, finding.Code)
	}
}

// TestLongNames shows that what is repeated in a message is cut between two
// characters.
func TestLongNames(t *testing.T) {
	_, err := open(t, "ai@latest").Element("a" + strings.Repeat("é", 100))
	require.ErrorContains(t, err, `"a`+strings.Repeat("é", 79)+`…"`)
}

func TestIcons(t *testing.T) {
	s := open(t, "sensor@latest")
	for _, e := range s.Release().Elements() {
		for _, variant := range e.IconVariants {
			icon, err := s.Icon(t.Context(), e.ID, variant)
			require.NoError(t, err)
			assert.False(t, icon.Baked, "there is no store that has any")
			assert.Contains(t, string(icon.SVG), "<svg")
		}
	}
}

// counted is a store that counts how often it is asked for a release, or fails.
type counted struct {
	taxonomy.Store
	releases int
	decodes  bool // a new index for each call
	err      error
}

func (c *counted) Index(ctx context.Context) (*taxonomy.Index, error) {
	if c.err != nil {
		return nil, c.err
	}
	index, err := c.Store.Index(ctx)
	if err != nil || !c.decodes {
		return index, err
	}
	text, err := json.Marshal(index)
	if err != nil {
		return nil, err
	}
	index = new(taxonomy.Index)
	return index, json.Unmarshal(text, index)
}

func (c *counted) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	c.releases++
	return c.Store.Release(ctx, v)
}

// A release that the index confirms is not read again, under whichever name, and even
// if the store decodes a new index for each call.
func TestReleaseIsReadOnce(t *testing.T) {
	for name, decodes := range map[string]bool{"same index": false, "new index": true} {
		t.Run(name, func(t *testing.T) {
			store := &counted{Store: sampleStore(t), decodes: decodes}
			service := must(datachain.New(store, nil))
			for range 3 {
				for _, name := range []string{"ai@latest", "ai@2026-11-15-stable"} {
					require.Equal(t, "ai@2026-11-15-stable", openIn(t, service, name).Release().Version().String())
				}
			}
			require.Equal(t, 1, store.releases)
			openIn(t, service, "ai@latest-beta")
			require.Equal(t, 2, store.releases)
		})
	}
}

// A malformed version is the caller's mistake even if there is no index.
func TestStoreFails(t *testing.T) {
	service := must(datachain.New(&counted{err: errors.New("the disk is broken")}, nil))
	for version, code := range map[string]issue.Code{
		"": issue.CodeBadRequest, "ai": issue.CodeBadRequest, "ai@2026-13-01-stable": issue.CodeBadRequest,
		"ai@latest": issue.CodeUpstreamError, "ai@2026-11-15-stable": issue.CodeUpstreamError,
	} {
		_, err := service.Open(t.Context(), version)
		require.Equal(t, code, codeOf(t, err), "%q", version)
		if code == issue.CodeUpstreamError {
			failed, _ := errors.AsType[*datachain.Error](err)
			assert.NotContains(t, failed.Issue.String(), "disk", "the cause is not for everyone")
			require.ErrorContains(t, err, "disk", "but for the operator")
		}
	}
}

func TestNewRefuses(t *testing.T) {
	_, err := datachain.New(nil, nil)
	require.ErrorContains(t, err, "the store is nil")
	_, err = datachain.New(sampleStore(t), &datachain.Options{Rules: []*validate.Rule{{Name: "mine", Run: func(context.Context, *validate.Pass) error { return nil }}}})
	require.ErrorContains(t, err, "datachain: validate: the rule mine must list the codes")
}

func TestTimeout(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := samples(t).Open(ctx, "ai@latest")
	assert.Equal(t, issue.CodeTimeout, codeOf(t, err))
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestLists lists elements concurrently, for the first time and again, and compares with
// projecting each.
func TestLists(t *testing.T) {
	schema := open(t, "ai@latest")
	elements := schema.Release().Elements()
	for _, show := range []lists.Projection{
		{Fields: lists.ListFields()},
		{Fields: []string{"title", "id", "category_id"}},
		{Fields: lists.ListFields(), Locales: []string{"fr"}},
		{},
	} {
		var each []string
		for _, e := range elements {
			each = append(each, string(show.Append(nil, schema.Release().ElementJSON(e.ID))))
		}
		want := "before [" + strings.Join(each, ",") + "]"
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				assert.Equal(t, want, string(lists.AppendElements([]byte("before "), schema.Release(), elements, show)))
			})
		}
		all.Wait()
	}
}

// TestUnknownParameters shows that what a version or an operation does not know is an error.
func TestUnknownParameters(t *testing.T) {
	s := open(t, "ai@latest")
	_, _, err := s.Search(t.Context(), "xx", search.Query{Text: "data"})
	failed, ok := errors.AsType[*datachain.Error](err)
	require.True(t, ok, err)
	assert.Equal(t, datachain.KindUnknown, failed.Kind)
	assert.Equal(t, "locale", failed.Param)
	require.ErrorContains(t, datachain.Check("element", "x"), `The parameter "element" is not known.`)
}

// TestNoSymbols shows that a store needs no symbols to validate and resolve documents.
func TestNoSymbols(t *testing.T) {
	text := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	content := taxonomy.Content{
		Title: text("Cameras"), Description: text("What cameras record."), Locales: []string{"en"},
		Type: taxonomy.Type{ID: "cam", Name: text("Camera"), Categories: []string{"storage"}},
		Categories: []taxonomy.Category{{
			ID: "storage", Name: text("Storage"), Description: text("How long data is kept."), Shape: taxonomy.Circle,
		}},
		Elements: []taxonomy.Element{{
			ID: "storage.none", Title: text("Not kept"), Description: text("Nothing is kept."), CategoryID: "storage", SymbolID: "clock",
		}},
	}
	release, err := taxonomy.NewRelease(taxonomy.MustVersion("cam@2026-09-01-stable"), content)
	require.NoError(t, err)
	publication := listing.Publication{Release: release}
	service := must(datachain.New(must(memstore.New(publication)), nil))
	doc := []byte(`{"id": "x", "schema_version": "cam@2026-09-01-stable", "created_at": "2026-09-02T10:00:00Z", "elements": [{"element_id": "storage.none"}]}`)
	verdict, err := service.Validate(t.Context(), doc, nil)
	require.NoError(t, err)
	assert.True(t, verdict.OK(), verdict.Issues)
	schema, err := service.Open(t.Context(), "cam@latest")
	require.NoError(t, err)
	_, err = schema.Icon(t.Context(), "storage.none", "")
	require.ErrorContains(t, err, "not_found: The version cam@2026-09-01-stable has no symbols, so it has no icons.")
	require.ErrorContains(t, reader.WriteArchive(io.Discard, release, nil), "has no symbols, such as clock: add them to its content")
	content.Symbols = map[string]string{}
	_, err = taxonomy.NewRelease(release.Version(), content)
	require.ErrorContains(t, err, `symbol "clock" is missing`)
}

// TestLocalesMatch shows that searching, lists and texts match a requested language in the same way,
// and say which one they used.
func TestLocalesMatch(t *testing.T) {
	s := open(t, "ai@latest")
	for wanted, want := range map[string]string{"": "en", "en-GB": "en", "fr": "fr", "fr-CA": "fr", "FR_be": "fr"} {
		t.Run(wanted, func(t *testing.T) {
			page, err := s.Elements(t.Context(), datachain.ElementQuery{Text: "service", Locale: wanted})
			require.NoError(t, err)
			require.NotEmpty(t, page.Elements)
			assert.Equal(t, want, page.Locale)

			found, index, err := s.Search(t.Context(), wanted, search.Query{Text: "service"})
			require.NoError(t, err)
			assert.Equal(t, want, index.Locale())
			assert.Equal(t, page.Total, found.Total)

			best := found.Hits[0].Element
			title, _ := best.Title.Get(want)
			assert.Equal(t, title, best.Title.Pick(wanted))
		})
	}
	list, err := s.Elements(t.Context(), datachain.ElementQuery{Locale: "fr-CA"})
	require.NoError(t, err)
	assert.Equal(t, "fr", list.Locale)
	none, err := s.Elements(t.Context(), datachain.ElementQuery{Text: "service", Locale: "ja", Lenient: true})
	require.NoError(t, err)
	assert.Empty(t, none.Locale)
	for _, wanted := range []string{"ja", "not a locale"} {
		_, _, err = s.Search(t.Context(), wanted, search.Query{Text: "service"})
		require.Error(t, err, wanted)
		_, err = s.Elements(t.Context(), datachain.ElementQuery{Text: "service", Locale: wanted})
		require.Error(t, err, wanted)
	}
}

// replaced is a lineage in which everything was replaced by one element.
type replaced struct{ by string }

func (r replaced) Fate(id string) (taxonomy.Fate, bool) {
	return taxonomy.Fate{Removal: &taxonomy.Removal{ID: id, Since: taxonomy.MustVersion("ai@2026-01-01-stable")}, Replacement: r.by}, true
}

func (replaced) Formerly(taxonomy.IDKind, string, ...string) []string { return nil }

// TestLineage: findings say what a program knows about the past of a release, by the text that the index
// has. A text that the program refuses is a failure of the store, until another one comes.
func TestLineage(t *testing.T) {
	store := sampleStore(t)
	damaged := fmt.Errorf("damaged: %w", taxonomy.ErrRefused)
	s := must(datachain.New(store, &datachain.Options{Lineage: func(_ *taxonomy.Release, evolution []byte) (taxonomy.Lineage, error) {
		if string(evolution) == "damaged" {
			return nil, damaged
		}
		return replaced{string(evolution)}, nil
	}}))
	text := bytes.Replace(read(t, "benefits.json"), []byte(`"purpose.`), []byte(`"purposs.`), 1)
	for range 2 {
		for _, id := range []string{"decision.automated", "decision.advised"} {
			store.Evolve("ai", []byte(id))
			v, err := s.Validate(t.Context(), text, nil)
			require.NoError(t, err)
			require.NotEmpty(t, v.Errors())
			require.NotNil(t, v.Errors()[0].Fix)
			assert.JSONEq(t, `"`+id+`"`, string(v.Errors()[0].Fix.Value))
		}
		store.Evolve("ai", []byte("damaged"))
		_, err := s.Validate(t.Context(), text, nil)
		require.ErrorIs(t, err, damaged)
		assert.Equal(t, issue.CodeUpstreamError, codeOf(t, err))
	}
}
