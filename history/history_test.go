package history_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/register/board"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

func text(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }

func value(id, label string, from ...string) taxonomy.ContextValue {
	return taxonomy.ContextValue{ID: id, Label: text(label), RenamedFrom: from}
}

// version is a taxonomy of one category with context values and one element.
func version(t *testing.T, id string, values ...taxonomy.ContextValue) *taxonomy.Release {
	t.Helper()
	return release(t, id, values, []taxonomy.Element{{ID: "goal.lake", Title: text("Lake")}}, nil)
}

func release(t *testing.T, id string, values []taxonomy.ContextValue, elements []taxonomy.Element, removed []taxonomy.Removal) *taxonomy.Release {
	t.Helper()
	c := taxonomy.Category{ID: "goal", Name: text("Goal"), Description: text("Goal"), Shape: taxonomy.Circle, Context: taxonomy.Context{Name: text("When"), Values: values}}
	for i := range elements {
		e := &elements[i]
		e.Description, e.CategoryID, e.SymbolID, e.IconVariants = e.Title, "goal", "dot", c.IconVariants()
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(id), taxonomy.Content{
		Title: text("Walks"), Description: text("Walks"), Locales: []string{"en"}, Symbols: map[string]string{"dot": "<svg/>"},
		Type: taxonomy.Type{ID: "walk", Name: text("Walk"), Categories: []string{"goal"}}, Categories: []taxonomy.Category{c},
		Elements: elements, Removed: removed,
	})
	require.NoError(t, err)
	return r
}

const (
	first  = "walk@2026-01-01-stable"
	second = "walk@2026-06-01-stable"
)

// document places an element or, if its id is that of a context value, the lake with that.
func document(version, id string) []byte {
	placement := `{"element_id": "` + id + `"}`
	if !strings.Contains(id, ".") {
		placement = `{"element_id": "goal.lake", "context_type_id": "` + id + `"}`
	}
	return []byte(`{"id": "w", "schema_version": "` + version + `", "created_at": "2026-02-01T10:00Z", "elements": [` + placement + `]}`)
}

// open publishes two versions of which nothing is known but their evolution, and opens them.
func open(t *testing.T, e *history.Evolution, first, second *taxonomy.Release) (*datachain.Service, *datachain.Schema, *taxonomy.Release) {
	t.Helper()
	store, err := memstore.New(listing.Publication{Release: first}, listing.Publication{Release: second})
	require.NoError(t, err)
	text, err := e.Text()
	require.NoError(t, err)
	store.Evolve("walk", text)
	service, err := datachain.New(store, &datachain.Options{Lineage: history.For})
	require.NoError(t, err)
	schema, err := service.Open(t.Context(), second.Version().String())
	require.NoError(t, err)
	old, err := service.Open(t.Context(), first.Version().String())
	require.NoError(t, err)
	return service, schema, old.Release()
}

// differ reports whether a board of a document of each version says that they differ.
func differ(t *testing.T, service *datachain.Service, before, now string) bool {
	t.Helper()
	var shown []*datachain.Presentation
	for _, text := range [][]byte{document(first, before), document(second, now)} {
		_, p, err := service.Present(t.Context(), text)
		require.NoError(t, err)
		shown = append(shown, p)
	}
	b, err := board.New(t.Context(), shown, "en", nil)
	require.NoError(t, err)
	return b.Rows[slices.IndexFunc(b.Rows, func(r board.Row) bool { return r.Category == "goal" })].Differs
}

// TestAgreement asks what became of the context value a: linting, comparing versions, upgrading
// a document and comparing two documents answer the same.
func TestAgreement(t *testing.T) {
	march, april, june := taxonomy.MustVersion("walk@2026-03-01-stable"), taxonomy.MustVersion("walk@2026-04-01-stable"), taxonomy.MustVersion(second)
	renamed := func(from, to string, since taxonomy.Version) history.Rename {
		return history.Rename{Kind: codes.IDContextValue, From: from, To: to, In: "goal", Since: since}
	}
	removed := history.RemovedID{Kind: codes.IDContextValue, In: "goal", Removal: taxonomy.Removal{ID: "a", Since: march}}
	revived := []history.Revival{{Kind: codes.IDContextValue, ID: "a", In: "goal", Since: april, Reason: "It is the same."}}
	other := value("other", "Other")
	for _, c := range []struct {
		name      string
		now       []taxonomy.ContextValue
		evolution history.Evolution
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
			evolution: history.Evolution{Renamed: []history.Rename{renamed("a", "m", march), renamed("m", "z", june)}},
		},
		{
			name: "renamed there and back", now: []taxonomy.ContextValue{value("a", "A again")}, want: "a", explained: true,
			evolution: history.Evolution{Renamed: []history.Rename{renamed("a", "m", march), renamed("m", "a", june)}},
		},
		{
			name: "renamed, and something else has the id", now: []taxonomy.ContextValue{value("a", "Something"), value("z", "Z")}, want: "z", explained: true,
			evolution: history.Evolution{Renamed: []history.Rename{renamed("a", "z", march)}},
		},
		{
			name: "exchanged", now: []taxonomy.ContextValue{value("a", "B"), value("b", "A")}, want: "b", explained: true,
			evolution: history.Evolution{Renamed: []history.Rename{renamed("a", "b", june), renamed("b", "a", june)}},
		},
		{
			name: "removed", now: []taxonomy.ContextValue{other}, explained: true,
			evolution: history.Evolution{Removed: []history.RemovedID{removed}},
		},
		{
			name: "removed, and something else that had the id before was renamed", now: []taxonomy.ContextValue{value("z", "Z")}, explained: true,
			evolution: history.Evolution{
				Renamed: []history.Rename{renamed("a", "z", taxonomy.MustVersion("walk@2025-06-01-stable"))}, Removed: []history.RemovedID{removed},
			},
		},
		{
			name: "removed, and something else has the id", now: []taxonomy.ContextValue{value("a", "Something")}, want: "a", explained: true, reused: true,
			evolution: history.Evolution{Removed: []history.RemovedID{removed}},
		},
		{
			name: "removed and revived", now: []taxonomy.ContextValue{value("a", "A, as before")}, want: "a", explained: true,
			evolution: history.Evolution{Removed: []history.RemovedID{removed}, Revived: revived},
		},
		{
			name: "renamed and revived", now: []taxonomy.ContextValue{value("a", "A"), value("z", "Z")}, want: "a", explained: true,
			evolution: history.Evolution{Renamed: []history.Rename{renamed("a", "z", march)}, Revived: revived},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			service, schema, before := open(t, &c.evolution,
				version(t, first, value("a", "A"), value("b", "B"), other), version(t, second, append(c.now, value("last", "Last"))...))
			after := schema.Release()

			now, _ := history.Of(before.Version(), after).CurrentID(history.ID{Kind: codes.IDContextValue, In: "goal", ID: "a"})
			require.Equal(t, c.want, now)

			gone := slices.ContainsFunc(history.Unexplained(before, after), func(i history.Item) bool { return i.ID == "a" })
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

			r, err := upgrade.Run(t.Context(), schema, document(first, "a"), nil)
			require.NoError(t, err)
			var moved taxonomy.Instance
			require.NoError(t, json.Unmarshal(r.Document.Text(), &moved))
			assert.Equal(t, c.want != "" && !c.reused, r.OK(), "upgrade: %v", r.Report.Entries)
			if c.want != "" {
				assert.Equal(t, c.want, moved.Elements[0].ContextTypeID, "upgrade")
			}

			assert.Equal(t, c.want == "", differ(t, service, "a", cmp.Or(c.want, "last")), "board")
		})
	}
}

// TestElements asks the same of the element goal.a.
func TestElements(t *testing.T) {
	march, june := taxonomy.MustVersion("walk@2026-03-01-stable"), taxonomy.MustVersion(second)
	successors := func(ids ...string) (all []taxonomy.Successor) {
		for _, id := range ids {
			all = append(all, taxonomy.Successor{ID: "goal." + id})
		}
		return all
	}
	removal := func(id string, since taxonomy.Version, next ...string) taxonomy.Removal {
		return taxonomy.Removal{ID: "goal." + id, Since: since, ReplacedBy: successors(next...)}
	}
	renamed := func(from, to string, since taxonomy.Version) history.Rename {
		return history.Rename{Kind: codes.IDElement, From: "goal." + from, To: "goal." + to, Since: since}
	}
	revived := []history.Revival{{Kind: codes.IDElement, ID: "goal.a", Since: june, Reason: "It is the same."}}
	for _, c := range []struct {
		name      string
		now       string // the elements, by the last part of their ids
		removed   []taxonomy.Removal
		evolution history.Evolution
		want      []string // that take the place: several together, or none that can be chosen
		explained bool
	}{
		{name: "lost", now: "b"},
		{name: "retired", now: "b", removed: []taxonomy.Removal{removal("a", march)}, explained: true},
		{name: "replaced by one", now: "b", removed: []taxonomy.Removal{removal("a", march, "b")}, want: []string{"goal.b"}, explained: true},
		{name: "replaced in a chain", now: "z", removed: []taxonomy.Removal{removal("a", march, "m"), removal("m", june, "z")}, want: []string{"goal.z"}, explained: true},
		{name: "replaced by one of two", now: "bz", removed: []taxonomy.Removal{removal("a", march, "b", "z")}, explained: true},
		{name: "renamed, then replaced", now: "z", want: []string{"goal.z"}, explained: true, evolution: history.Evolution{
			Renamed: []history.Rename{renamed("a", "m", march)}, Removed: []history.RemovedID{{Removal: removal("m", june, "z")}},
		}},
		{name: "split, and one renamed", now: "xz", want: []string{"goal.x", "goal.z"}, explained: true, evolution: history.Evolution{
			Split: []history.Split{{From: "goal.a", To: []string{"goal.x", "goal.y"}, Since: march}}, Renamed: []history.Rename{renamed("y", "z", june)},
		}},
		{name: "renamed and revived", now: "az", want: []string{"goal.a"}, explained: true, evolution: history.Evolution{
			Renamed: []history.Rename{renamed("a", "z", march)}, Revived: revived,
		}},
		{name: "renamed there and back", now: "a", want: []string{"goal.a"}, explained: true, evolution: history.Evolution{
			Renamed: []history.Rename{renamed("a", "m", march), renamed("m", "a", june)},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := []taxonomy.Element{{ID: "goal.last", Title: text("Last"), Order: -1}}
			for _, id := range c.now {
				list = append(list, taxonomy.Element{ID: "goal." + string(id), Title: text("The " + string(id))})
			}
			old := []taxonomy.Element{{ID: "goal.a", Title: text("A")}, {ID: "goal.b", Title: text("B")}}
			service, schema, before := open(t, &c.evolution, release(t, first, nil, old, nil), release(t, second, nil, list, c.removed))
			after := schema.Release()

			f := history.Of(before.Version(), after).Element("goal.a")
			var took []string
			for _, next := range f.Elements {
				took = append(took, next.ID)
			}
			switch {
			case f.Current() != nil:
				took = []string{f.Current().ID}
			case !f.Split:
				took = nil
			}
			require.Equal(t, c.want, took)

			gone := slices.ContainsFunc(history.Unexplained(before, after), func(i history.Item) bool { return i.ID == "goal.a" })
			assert.Equal(t, c.explained, !gone, "lint")

			for _, change := range diff.Releases(before, after).Changes {
				assert.NotEqual(t, diff.RuleID("id-reused"), change.Rule)
				if change.Rule == "element-removed" && change.ID == "goal.a" {
					assert.Equal(t, len(c.want) > 0, strings.Contains(change.Consequence, "'datachain upgrade' replaces it by"), "diff: %s", change.Consequence)
					if len(c.want) > 0 {
						assert.Equal(t, c.want, change.Successors, "diff")
					}
				}
			}

			r, err := upgrade.Run(t.Context(), schema, document(first, "goal.a"), nil)
			require.NoError(t, err)
			assert.Equal(t, len(c.want) > 0, r.OK(), "upgrade: %v", r.Report.Entries)
			var moved taxonomy.Instance
			require.NoError(t, json.Unmarshal(r.Document.Text(), &moved))
			var places []string
			for _, p := range moved.Elements {
				places = append(places, p.ElementID)
			}
			if len(c.want) > 0 {
				assert.Equal(t, c.want, places, "upgrade")
			}

			if len(c.want) == 1 {
				assert.False(t, differ(t, service, "goal.a", c.want[0]), "board")
			}
			assert.True(t, differ(t, service, "goal.a", "goal.last"), "board")
		})
	}
}
