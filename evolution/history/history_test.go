package history_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/diff"
	"github.com/datachain-go/datachain/internal/registers"
	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/taxonomy"
)

func text(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }

func value(id, label string, from ...string) taxonomy.ContextValue {
	return taxonomy.ContextValue{ID: id, Label: text(label), RenamedFrom: from}
}

// version is a taxonomy of one category with context values and one element.
func version(t *testing.T, id string, values ...taxonomy.ContextValue) *taxonomy.Release {
	t.Helper()
	c := taxonomy.Category{ID: "goal", Name: text("Goal"), Description: text("Goal"), Shape: taxonomy.Circle, Context: taxonomy.Context{Name: text("When"), Values: values}}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(id), taxonomy.Content{
		Title: text("Walks"), Description: text("Walks"), Locales: []string{"en"}, Symbols: map[string]string{"dot": "<svg/>"},
		Type: taxonomy.Type{ID: "walk", Name: text("Walk"), Categories: []string{"goal"}}, Categories: []taxonomy.Category{c},
		Elements: []taxonomy.Element{{ID: "goal.lake", Title: text("Lake"), Description: text("Lake"), CategoryID: "goal", SymbolID: "dot", IconVariants: c.IconVariants()}},
	})
	require.NoError(t, err)
	return r
}

const (
	first  = "walk@2026-01-01-stable"
	second = "walk@2026-06-01-stable"
)

func document(version, context string) []byte {
	return []byte(`{"id": "w", "schema_version": "` + version + `", "created_at": "2026-02-01T10:00Z", "elements": [{"element_id": "goal.lake", "context_type_id": "` + context + `"}]}`)
}

// TestAgreement asks what became of the context value a: linting, comparing versions, upgrading
// a document and comparing two documents answer the same.
func TestAgreement(t *testing.T) {
	march, april, june := taxonomy.MustVersion("walk@2026-03-01-stable"), taxonomy.MustVersion("walk@2026-04-01-stable"), taxonomy.MustVersion(second)
	renamed := func(from, to string, since taxonomy.Version) taxonomy.Rename {
		return taxonomy.Rename{Kind: codes.IDContextValue, From: from, To: to, In: "goal", Since: since}
	}
	removed := taxonomy.RemovedID{Kind: codes.IDContextValue, In: "goal", Removal: taxonomy.Removal{ID: "a", Since: march}}
	revived := []taxonomy.Revival{{Kind: codes.IDContextValue, ID: "a", In: "goal", Since: april, Reason: "It is the same."}}
	other := value("other", "Other")
	for _, c := range []struct {
		name      string
		now       []taxonomy.ContextValue
		evolution taxonomy.Evolution
		want      string // or "" if it is gone
		explained bool
		reused    bool // for documents: the id is back
	}{
		{name: "stays", now: []taxonomy.ContextValue{value("a", "A")}, want: "a", explained: true},
		{name: "stays, whatever others list", now: []taxonomy.ContextValue{value("a", "A"), value("b", "B", "a")}, want: "a", explained: true},
		{name: "lost", now: []taxonomy.ContextValue{other}},
		{name: "renamed by renamed_from", now: []taxonomy.ContextValue{value("z", "Z", "m", "a")}, want: "z", explained: true},
		{name: "merged into one that was there", now: []taxonomy.ContextValue{value("b", "B", "a")}, want: "b", explained: true},
		{name: "claimed by two", now: []taxonomy.ContextValue{value("y", "Y", "a"), value("z", "Z", "a")}},
		{
			name: "renamed in a chain", now: []taxonomy.ContextValue{value("z", "Z")}, want: "z", explained: true,
			evolution: taxonomy.Evolution{Renamed: []taxonomy.Rename{renamed("a", "m", march), renamed("m", "z", june)}},
		},
		{
			name: "renamed there and back", now: []taxonomy.ContextValue{value("a", "A again")}, want: "a", explained: true,
			evolution: taxonomy.Evolution{Renamed: []taxonomy.Rename{renamed("a", "m", march), renamed("m", "a", june)}},
		},
		{
			name: "renamed, and something else has the id", now: []taxonomy.ContextValue{value("a", "Something"), value("z", "Z")}, want: "z", explained: true,
			evolution: taxonomy.Evolution{Renamed: []taxonomy.Rename{renamed("a", "z", march)}},
		},
		{
			name: "exchanged", now: []taxonomy.ContextValue{value("a", "B"), value("b", "A")}, want: "b", explained: true,
			evolution: taxonomy.Evolution{Renamed: []taxonomy.Rename{renamed("a", "b", june), renamed("b", "a", june)}},
		},
		{
			name: "removed", now: []taxonomy.ContextValue{other}, explained: true,
			evolution: taxonomy.Evolution{Removed: []taxonomy.RemovedID{removed}},
		},
		{
			name: "removed, and something else that had the id before was renamed", now: []taxonomy.ContextValue{value("z", "Z")}, explained: true,
			evolution: taxonomy.Evolution{
				Renamed: []taxonomy.Rename{renamed("a", "z", taxonomy.MustVersion("walk@2025-06-01-stable"))}, Removed: []taxonomy.RemovedID{removed},
			},
		},
		{
			name: "removed, and something else has the id", now: []taxonomy.ContextValue{value("a", "Something")}, want: "a", explained: true, reused: true,
			evolution: taxonomy.Evolution{Removed: []taxonomy.RemovedID{removed}},
		},
		{
			name: "removed and revived", now: []taxonomy.ContextValue{value("a", "A, as before")}, want: "a", explained: true,
			evolution: taxonomy.Evolution{Removed: []taxonomy.RemovedID{removed}, Revived: revived},
		},
		{
			name: "renamed and revived", now: []taxonomy.ContextValue{value("a", "A"), value("z", "Z")}, want: "a", explained: true,
			evolution: taxonomy.Evolution{Renamed: []taxonomy.Rename{renamed("a", "z", march)}, Revived: revived},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			store, err := memstore.New(
				taxonomy.Publication{Release: version(t, first, value("a", "A"), value("b", "B"), other)},
				taxonomy.Publication{Release: version(t, second, append(c.now, value("last", "Last"))...)})
			require.NoError(t, err)
			require.NoError(t, store.Evolve("walk", &c.evolution))
			service, err := datachain.New(store, nil)
			require.NoError(t, err)
			schema, err := service.Open(t.Context(), second)
			require.NoError(t, err)
			old, err := service.Open(t.Context(), first)
			require.NoError(t, err)
			before, after := old.Release(), schema.Release()

			now, _ := history.Of(before.Version(), after).Now(history.ID{Kind: codes.IDContextValue, In: "goal", ID: "a"})
			require.Equal(t, c.want, now)

			gone := slices.ContainsFunc(source.Gone(before, after), func(i source.Item) bool { return i.ID == "a" })
			assert.Equal(t, c.explained, !gone, "lint")

			became := "a"
			for _, change := range diff.Releases(before, after).Changes {
				switch {
				case change.Subject != diff.Category || len(change.Path) != 3:
				case change.Kind == diff.Renamed && diff.Text(change.Old) == "a":
					became = change.Path[2].Name()
				case change.Kind == diff.Removed && change.Path[2].Name() == "a":
					became = ""
				}
			}
			assert.Equal(t, c.want, became, "diff")

			r, err := schema.Upgrade(t.Context(), document(first, "a"), nil)
			require.NoError(t, err)
			var moved taxonomy.Instance
			require.NoError(t, json.Unmarshal(r.Document.Text(), &moved))
			assert.Equal(t, c.want != "" && !c.reused, r.OK(), "upgrade: %v", r.Report.Entries)
			if c.want != "" {
				assert.Equal(t, c.want, moved.Elements[0].ContextTypeID, "upgrade")
			}

			var shown []*datachain.Presentation
			for _, text := range [][]byte{document(first, "a"), document(second, cmp.Or(c.want, "last"))} {
				_, p, err := service.Present(t.Context(), text)
				require.NoError(t, err)
				shown = append(shown, p)
			}
			board, err := registers.NewBoard(shown, "en", nil)
			require.NoError(t, err)
			row := board.Rows[slices.IndexFunc(board.Rows, func(r registers.BoardRow) bool { return r.Category == "goal" })]
			assert.Equal(t, c.want == "", row.Differs, "board: %v", row)
		})
	}
}
