package pages_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// renamed returns a release with other ids of all its elements.
func renamed(t *testing.T, r *taxonomy.Release) *taxonomy.Release {
	t.Helper()
	c := taxonomy.Content{Title: taxonomy.Localized{{Locale: "en", Value: "Renamed"}}, Locales: r.Locales(), Type: *r.Type(), Symbols: map[string]string{}}
	for _, category := range r.Categories() {
		c.Categories = append(c.Categories, *category)
	}
	for _, e := range r.Elements() {
		other := *e
		other.ID += "_renamed"
		c.Elements = append(c.Elements, other)
	}
	for _, id := range r.SymbolIDs() {
		c.Symbols[id], _ = r.Symbol(id)
	}
	changed, err := taxonomy.NewRelease(r.Version(), c)
	require.NoError(t, err)
	return changed
}

// TestChangedBeta publishes a beta version again with other ids: documents that pin it are shown as
// they were published, from a store and from a directory, with a note.
func TestChangedBeta(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	stable, err := samples.Release(t.Context(), taxonomy.MustVersion("ai@2026-11-15-stable"))
	require.NoError(t, err)
	beta, err := stable.WithVersion(taxonomy.MustVersion("ai@2027-01-01-beta"))
	require.NoError(t, err)
	for _, origin := range []string{"directory", "store"} {
		t.Run(origin, func(t *testing.T) {
			t.Parallel()
			store, err := memstore.New(listing.Publication{Release: beta})
			require.NoError(t, err)
			service := must(datachain.New(store, nil))
			s := &shelf{t, t.TempDir()}
			for _, name := range []string{"chat", "benefits"} {
				s.put(name+".json", "benefits.json", map[string]any{"id": name, "schema_version": beta.Version().String()})
			}
			watch := func(origin register.Origin) *register.Register {
				r, err := register.New(service, []register.Origin{origin}, &register.Options{Refresh: 5 * time.Millisecond})
				require.NoError(t, err)
				t.Cleanup(func() { assert.NoError(t, r.Close()) })
				require.Empty(t, r.State().Refused())
				return r
			}
			dir, err := register.OpenDirectory(s.dir, nil)
			require.NoError(t, err)
			reg := watch(dir)
			if origin == "store" {
				target := new(targettest.Memory)
				_, err = publishing.Documents(t.Context(), target, reg, nil)
				require.NoError(t, err)
				reg = watch(register.Stored("memory", publishing.TargetFiles(target), nil))
			}
			site := open(t, store, &pages.Options{Documents: reg, BaseURL: "https://example.org"})
			shown := func(note bool) {
				t.Helper()
				for _, path := range []string{
					"/d", "/d/chat", "/d/chat.md", "/d/chat.jsonld", "/d/chat.json", "/d/chat.resolved.json", "/d/chat/sign.html", "/d/chat/card", "/d/chat/history",
					"/compare?documents=chat,benefits", "/compare.json?documents=chat,benefits", "/api/v2/documents/chat?form=resolved", "/api/v2/documents", "/d.csv", "/d.atom",
				} {
					answer := site.do(http.MethodGet, path)
					assert.Equal(t, http.StatusOK, answer.StatusCode, "%s: %s", path, answer.body)
				}
				page := site.page("/d/chat").text()
				assert.Contains(t, page, "Housing", "the content is there")
				if note {
					assert.Contains(t, page, "was changed, and it no longer fits")
				} else {
					assert.NotContains(t, page, "no longer fits")
				}
			}
			is := func(outdated bool) func() bool {
				return func() bool {
					d, ok := reg.State().Document("chat")
					return ok && d.Outdated == outdated && d.Title != nil
				}
			}
			shown(false)
			require.NoError(t, store.Put(listing.Publication{Release: renamed(t, beta)}))
			require.Eventually(t, is(true), time.Minute, 5*time.Millisecond)
			shown(true)
			require.NoError(t, store.Put(listing.Publication{Release: beta}))
			require.Eventually(t, is(false), time.Minute, 5*time.Millisecond)
			shown(false)
		})
	}
}
