package upgrade_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// walks are two versions of a small taxonomy.
func walks(t testing.TB, versions ...*taxonomy.Release) *datachain.Service {
	t.Helper()
	var all []listing.Publication
	for _, r := range versions {
		all = append(all, listing.Publication{Release: r})
	}
	store, err := memstore.New(all...)
	require.NoError(t, err)
	return service(t, store)
}

func service(t testing.TB, store taxonomy.Store) *datachain.Service {
	t.Helper()
	s, err := datachain.New(store, nil)
	require.NoError(t, err)
	return s
}

// walk is a version in which a variable is required or not.
func walk(t testing.TB, id string, required bool) *taxonomy.Release {
	t.Helper()
	text := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(id), taxonomy.Content{
		Title: text("Walks"), Description: text("Walks"), Locales: []string{"en"},
		Type:       taxonomy.Type{ID: "walk", Name: text("Walk"), Categories: []string{"goal"}},
		Categories: []taxonomy.Category{{ID: "goal", Name: text("Goal"), Description: text("Goal"), Shape: taxonomy.Circle}},
		Elements: []taxonomy.Element{{
			ID: "goal.lake", Title: text("Lake"), Description: text("Lake"), CategoryID: "goal", SymbolID: "dot", IconVariants: []string{"default", "dark"},
			Variables: []taxonomy.Variable{{ID: "name", Label: text("Name"), Type: taxonomy.TextVariable, Required: required}},
		}},
		Symbols: map[string]string{"dot": "<svg/>"},
	})
	require.NoError(t, err)
	return r
}

func openIn(t testing.TB, s *datachain.Service, version string) *datachain.Schema {
	t.Helper()
	schema, err := s.Open(t.Context(), version)
	require.NoError(t, err)
	return schema
}

const walkDocument = `{"id": "w", "schema_version": "walk@2026-01-01-stable", "created_at": "2026-02-01T10:00Z", "elements": [{"element_id": "goal.lake"}]}`

func TestRun(t *testing.T) {
	s := walks(t, walk(t, "walk@2026-01-01-stable", false), walk(t, "walk@2026-06-01-stable", true))
	schema := openIn(t, s, "walk@latest")
	r, err := upgrade.Run(t.Context(), schema, []byte(walkDocument), nil)
	require.NoError(t, err)
	require.False(t, r.OK())
	assert.Equal(t, upgrade.Counts{Done: 1, NeedsPerson: 1}, r.Report.Counts)
	assert.Equal(t, "walk@2026-01-01-stable", r.Report.From)
	assert.Contains(t, string(r.Document.Text()), `{"element_id": "goal.lake", "variables": [{"id": "name", "value": []}]}`)

	// From the version itself nothing is new, so the missing variable is a finding.
	r, err = upgrade.Run(t.Context(), schema, []byte(walkDocument), &upgrade.RunOptions{From: "walk@latest"})
	require.NoError(t, err)
	assert.Equal(t, "walk@2026-06-01-stable", r.Report.From)
	assert.NotContains(t, string(r.Document.Text()), "variables")
	assert.EqualValues(t, codes.InstanceRequiredVariableMissing, r.Report.Entries[1].Code)
}

// TestRunResolved moves a resolved document: to a version in which it is valid, to
// one in which it is not, and from a version that was retired.
func TestRunResolved(t *testing.T) {
	old := walk(t, "walk@2026-01-01-stable", false)
	_, bundle, err := openIn(t, walks(t, old), "walk@latest").Resolve(t.Context(), []byte(walkDocument), nil)
	require.NoError(t, err)
	text := bundle.AppendJSON(nil)

	next := walk(t, "walk@2026-06-01-stable", true)
	for _, s := range []*datachain.Service{walks(t, old, next), walks(t, next)} {
		r, err := upgrade.Run(t.Context(), openIn(t, s, "walk@latest"), text, nil)
		require.NoError(t, err)
		assert.Equal(t, "thin", r.Report.Form)
		assert.EqualValues(t, "written_thin", r.Report.Entries[0].Kind)

		filled := strings.Replace(string(r.Document.Text()), `"value":[]`, `"value":[{"locale":"en","value":"Weir"}]`, 1)
		_, _, err = openIn(t, s, "walk@latest").Resolve(t.Context(), []byte(filled), nil)
		require.NoError(t, err)
	}
	same := walk(t, "walk@2026-06-02-stable", false)
	r, err := upgrade.Run(t.Context(), openIn(t, walks(t, old, same), "walk@latest"), text, nil)
	require.NoError(t, err)
	require.True(t, r.OK())
	assert.Equal(t, "resolved", r.Report.Form)
	v, err := openIn(t, walks(t, old, same), "walk@latest").ValidateResolved(t.Context(), r.Document.Text(), nil)
	require.NoError(t, err)
	assert.Empty(t, v.Issues)
}

func TestRunRefused(t *testing.T) {
	s := walks(t, walk(t, "walk@2026-01-01-stable", false), walk(t, "walk@2026-06-01-stable", true))
	schema := openIn(t, s, "walk@latest")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name, text, from string
		ctx              context.Context //nolint:containedctx // of one call
		code             issue.Code
		kind             datachain.Kind
		param            string
	}{
		{"not JSON", `{`, "", t.Context(), issue.CodeBadRequest, datachain.KindSyntax, "document"},
		{"unknown version", walkDocument, "walk@2020-01-01-stable", t.Context(), issue.CodeNotFound, datachain.KindUnknown, "from"},
		{"malformed version", walkDocument, "walk", t.Context(), issue.CodeBadRequest, datachain.KindMalformed, "from"},
		{"another type", strings.Replace(walkDocument, "walk@", "ride@", 1), "", t.Context(), issue.CodeBadRequest, datachain.KindMalformed, "document"},
		{"interrupted", walkDocument, "", ended, issue.CodeTimeout, datachain.KindFailure, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := upgrade.Run(c.ctx, schema, []byte(c.text), &upgrade.RunOptions{From: c.from})
			var failed *datachain.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, c.code, failed.Issue.Code)
			assert.NotEmpty(t, failed.Issue.Message)
			assert.Equal(t, c.kind, failed.Kind)
			assert.Equal(t, c.param, failed.Param)
			assert.NotEmpty(t, failed.Issue.FixHint)
		})
	}
	// The shape is a matter of the report, which hints at the version of the request.
	r, err := upgrade.Run(t.Context(), schema, []byte(`[]`), nil)
	require.NoError(t, err)
	assert.False(t, r.OK())
	assert.EqualValues(t, "shape", r.Report.Entries[0].Kind)
	r, err = upgrade.Run(t.Context(), schema, []byte("{}"), nil)
	require.NoError(t, err)
	assert.True(t, slices.ContainsFunc(r.Issues, func(i issue.Issue) bool { return i.FixHint == `add "schema_version": "walk@2026-06-01-stable"` }))
}

// TestRunToOlder refuses versions that are older than the one that a document is of, as an alias
// can be, unless that is allowed.
func TestRunToOlder(t *testing.T) {
	s := walks(t, walk(t, "walk@2026-01-01-stable", false), walk(t, "walk@2026-06-01-beta", true))
	schema := openIn(t, s, "walk@latest")
	require.Equal(t, "walk@2026-01-01-stable", schema.Release().Version().String())
	for name, c := range map[string]struct{ pin, from string }{
		"by its pin":              {"walk@2026-06-01-beta", ""},
		"by --from":               {"walk@2026-01-01-stable", "walk@2026-06-01-beta"},
		"by a pin that is gone":   {"walk@2026-03-01-beta", ""},
		"by a beta one day newer": {"walk@2026-01-02-beta", ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte(strings.Replace(walkDocument, "walk@2026-01-01-stable", c.pin, 1))
			_, err := upgrade.Run(t.Context(), schema, text, &upgrade.RunOptions{From: c.from})
			require.ErrorIs(t, err, upgrade.ErrOlder)
			require.ErrorContains(t, err, cmp.Or(c.from, c.pin))
			require.ErrorContains(t, err, "walk@2026-01-01-stable")
			_, err = upgrade.Run(t.Context(), schema, text, &upgrade.RunOptions{From: c.from, Older: true})
			require.NoError(t, err)
		})
	}
	_, err := upgrade.Run(t.Context(), schema, []byte(strings.Replace(walkDocument, "01-01-stable", "01-01-beta", 1)), nil)
	require.NoError(t, err, "a stable version is newer than its own beta")

	newer, older := walk(t, "walk@2026-06-01-beta", true), walk(t, "walk@2026-01-01-stable", false)
	store, err := memstore.New(listing.Publication{Release: newer}, listing.Publication{Release: older})
	require.NoError(t, err)
	require.NoError(t, store.Deprecate(newer.Version(), taxonomy.State{Deprecated: "2026-07-01", Successor: older.Version()}))
	_, err = upgrade.Run(t.Context(), openIn(t, service(t, store), "walk@latest"), []byte(strings.Replace(walkDocument, "01-01-stable", "06-01-beta", 1)), nil)
	require.NoError(t, err, "its successor")
}

// TestRunDate sets updated_at of documents that change.
func TestRunDate(t *testing.T) {
	schema := openIn(t, walks(t, walk(t, "walk@2026-01-01-stable", false), walk(t, "walk@2026-06-01-stable", false)), "walk@latest")
	o := &upgrade.RunOptions{UpdatedAt: time.Date(2026, 7, 1, 12, 0, 0, 0, time.FixedZone("", 3600))}
	r, err := upgrade.Run(t.Context(), schema, []byte(walkDocument), o)
	require.NoError(t, err)
	assert.Contains(t, string(r.Document.Text()), `"updated_at": "2026-07-01T11:00:00Z"`)
	o.UpdatedAt = o.UpdatedAt.Add(time.Hour)
	again, err := upgrade.Run(t.Context(), schema, r.Document.Text(), o)
	require.NoError(t, err)
	assert.Equal(t, string(r.Document.Text()), string(again.Document.Text()), "nothing changes")
	r, err = upgrade.Run(t.Context(), schema, []byte(strings.Replace(string(r.Document.Text()), "06-01-stable", "01-01-stable", 1)), o)
	require.NoError(t, err)
	assert.Contains(t, string(r.Document.Text()), `"updated_at": "2026-07-01T12:00:00Z"`)
	assert.Equal(t, 1, strings.Count(string(r.Document.Text()), "updated_at"))
}

// TestRunSamples moves the sample documents to every version of their type, and
// validates what comes out.
func TestRunSamples(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	s := service(t, store)
	index, err := s.Versions(t.Context())
	require.NoError(t, err)
	files, err := filepath.Glob("../../examples/documents/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		doc, err := document.Parse(text)
		require.NoError(t, err)
		pin, _ := doc.Root().Get("schema_version")
		for _, e := range index.Entries() {
			if !strings.HasPrefix(pin.Text(), e.ID.Type()+"@") {
				continue
			}
			t.Run(fmt.Sprintf("%s to %s", filepath.Base(file), e.ID), func(t *testing.T) {
				r, err := upgrade.Run(t.Context(), openIn(t, s, e.ID.String()), text, &upgrade.RunOptions{Older: true})
				require.NoError(t, err)
				v, err := s.Validate(t.Context(), r.Document.Text(), nil)
				require.NoError(t, err)
				assert.Equal(t, e.ID, v.Release.Version())
				assert.Equal(t, v.Issues, r.Issues)
				assert.Equal(t, v.OK(), r.OK())
				if pin.Text() == e.ID.String() {
					assert.Equal(t, string(text), string(r.Document.Text()))
				}
			})
		}
	}
}
