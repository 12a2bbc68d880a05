package trust_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// release returns a release of n elements in five categories, each with a symbol.
func release(t testing.TB, version string, n int) *taxonomy.Release {
	t.Helper()
	words := func(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }
	c := taxonomy.Content{
		Title: words("Sample"), Description: words("A sample"), Locales: []string{"en"},
		Type: taxonomy.Type{ID: "sample", Name: words("Sample")}, Symbols: make(map[string]string),
	}
	for i := range 5 {
		id := fmt.Sprintf("category-%d", 5-i)
		c.Type.Categories = append(c.Type.Categories, id)
		c.Categories = append(c.Categories, taxonomy.Category{ID: id, Name: words("Category"), Description: words(id), Shape: taxonomy.Circle})
	}
	for i := range n {
		category, symbol := c.Type.Categories[i*5/n], fmt.Sprintf("symbol-%d", i*min(n, 500)/n)
		c.Elements = append(c.Elements, taxonomy.Element{
			ID: fmt.Sprintf("element-%06d", n-i), Title: words(fmt.Sprintf("Element %d of %s", i, version)), Description: words("What it is"),
			CategoryID: category, SymbolID: symbol, Order: i, IconVariants: []string{"default", "dark"}, Variables: []taxonomy.Variable{},
		})
		c.Symbols[symbol] = "<svg><!-- " + symbol + " --></svg>"
	}
	r, err := taxonomy.NewRelease(taxonomy.MustVersion(version), c)
	require.NoError(t, err)
	return r
}

// resolved returns a resolved document of 12 elements, chosen at random, with symbols.
func resolved(t testing.TB, r *taxonomy.Release, suggested string) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 3))
	ids := r.ElementIDs()
	var some, placements []string
	symbols := make(map[string]string)
	for i, at := range random.Perm(len(ids))[:12] {
		id := ids[at]
		some, placements = append(some, id), append(placements, fmt.Sprintf(`{"element_id":%q,"label":"Number %d"}`, id, i))
		e, _ := r.Element(id)
		symbols[e.SymbolID], _ = r.Symbol(e.SymbolID)
	}
	sorted, err := r.SortIDs(some)
	require.NoError(t, err)
	snapshot := taxonomy.Snapshot{DatachainType: *r.Type()}
	for _, id := range sorted {
		e, _ := r.Element(id)
		snapshot.Elements = append(snapshot.Elements, *e)
		if n := len(snapshot.Categories); n == 0 || snapshot.Categories[n-1].ID != e.CategoryID {
			c, _ := r.Category(e.CategoryID)
			snapshot.Categories = append(snapshot.Categories, *c)
		}
	}
	embedded, err := document.MarshalCanonical(snapshot)
	require.NoError(t, err)
	drawn, err := json.Marshal(symbols)
	require.NoError(t, err)
	return fmt.Appendf(nil, `{"id":"crossing","schema_version":%q,"elements":[%s],"suggested_elements":[%s],"symbols":%s,"schema_snapshot":%s}`,
		r.Version(), strings.Join(placements, ","), suggested, drawn, embedded)
}

// parsed parses a document.
func parsed(t testing.TB, text []byte) *document.Document {
	t.Helper()
	doc, err := document.Parse(text)
	require.NoError(t, err)
	return doc
}

// thin returns a document without what resolving adds.
func thin(t testing.TB, text []byte) []byte {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &members))
	delete(members, "schema_snapshot")
	delete(members, "symbols")
	text, err := json.MarshalIndent(members, "", "  ")
	require.NoError(t, err)
	return text
}

// publisher is a store with a log, which has a minute for each entry.
type publisher struct {
	files
	trust    *trust.Trust
	signer   signedlog.Signer
	log      *signedlog.Log
	releases map[taxonomy.Hash]*taxonomy.Release
}

// newPublisher publishes a release, a document if there is one, and other documents.
func newPublisher(t testing.TB, r *taxonomy.Release, doc []byte) *publisher {
	t.Helper()
	signer, key := newKey(t, 1)
	p := &publisher{files: files{}, trust: (*trust.Trust)(trustKey(t, key)), signer: signer, releases: make(map[taxonomy.Hash]*taxonomy.Release)}
	p.release(t, r)
	if doc != nil {
		p.add(t, edition(t, doc))
	}
	p.add(t, editions(0, 3)...)
	return p
}

// edition returns the entry that publishes a document.
func edition(t testing.TB, doc []byte) *signedlog.Entry {
	parsed := parsed(t, doc)
	id, _ := parsed.Root().Get("id")
	return &signedlog.Entry{Op: signedlog.OpPublishDocument, Slug: "crossing", Document: signedlog.DocumentHash(id.Text()), Edition: trust.EditionHash(parsed)}
}

func (p *publisher) release(t testing.TB, r *taxonomy.Release) {
	p.releases[r.ContentHash()] = r
	p.add(t, &signedlog.Entry{Op: signedlog.OpPublish, Version: r.Version(), ContentHash: r.ContentHash()})
}

func (p *publisher) add(t testing.TB, entries ...*signedlog.Entry) {
	t.Helper()
	size := int64(0)
	if p.log != nil {
		size = p.log.Checkpoint().Size
	}
	for _, e := range entries {
		e.Time = day.Add(time.Duration(size) * time.Minute)
	}
	p.log = p.grow(t, p.log, entries, p.signer)
}

func (p *publisher) source() trust.Source {
	return trust.Source{Log: p.read, Release: func(_ context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
		if r, ok := p.releases[e.ContentHash]; ok {
			return r, nil
		}
		return nil, fmt.Errorf("%s: %w", e.ID, taxonomy.ErrNotFound)
	}}
}

func (p *publisher) verify(t testing.TB, text []byte) (*trust.Report, error) {
	return trust.VerifyDocument(t.Context(), p.trust, p.source(), text)
}

func (p *publisher) verifySnapshot(t testing.TB, text []byte) (*trust.Report, error) {
	return trust.VerifySnapshot(t.Context(), p.trust, p.source(), text)
}

func TestVerifyDocument(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 100)
	doc := resolved(t, r, `{"id":"new-idea"}`)
	p := newPublisher(t, r, doc)
	want := &trust.Report{
		Origin: origin, Signed: []string{origin}, Snapshot: true,
		Edition: &trust.Edition{Slug: "crossing", Hash: trust.EditionHash(parsed(t, doc)), Published: day.Add(time.Minute), State: trust.StateCurrent},
		Release: trust.Release{Version: r.Version(), ContentHash: r.ContentHash(), Published: day, State: trust.StateCurrent},
	}
	report, err := p.verify(t, doc)
	require.NoError(t, err)
	require.Equal(t, want, report)

	// The thin form of it, for which no release is read.
	want.Snapshot, p.releases = false, nil
	report, err = p.verify(t, thin(t, doc))
	require.NoError(t, err)
	require.Equal(t, want, report)
	_, err = p.verify(t, doc)
	require.ErrorIs(t, err, trust.ErrUnchecked)

	// The snapshot alone, with another text around it.
	p = newPublisher(t, r, doc)
	altered := []byte(strings.Replace(string(doc), "Number 3", "Number 4", 1))
	want.Snapshot, want.Edition = true, nil
	report, err = p.verifySnapshot(t, altered)
	require.NoError(t, err)
	require.Equal(t, want, report)
	_, err = p.verify(t, altered)
	require.ErrorIs(t, err, trust.ErrEdition)
	require.ErrorContains(t, err, `"example.org/log" has 1 edition of crossing, and this one is another: its hash is sha256-`)
	_, err = p.verify(t, []byte(strings.Replace(string(doc), `"crossing"`, `"corner"`, 1)))
	require.ErrorContains(t, err, `"example.org/log" has no document with the id "corner"`)
}

// TestWhatBecameOf shows that what was published stays verifiable, with what became of it.
func TestWhatBecameOf(t *testing.T) {
	r := release(t, "sample@2026-09-01-beta", 20)
	doc := resolved(t, r, "")
	next := edition(t, []byte(`{"id":"crossing"}`))
	withdraw := &signedlog.Entry{Op: signedlog.OpWithdrawDocument, Slug: "crossing", Document: next.Document}
	erase := edition(t, doc)
	erase.Op = signedlog.OpEraseDocument
	retire := &signedlog.Entry{Op: signedlog.OpRetire, Version: r.Version(), ContentHash: r.ContentHash()}
	other := release(t, "sample@2026-09-01-beta", 30)
	for name, c := range map[string]struct {
		entries          []*signedlog.Entry
		edition, release trust.State
	}{
		"another edition":       {[]*signedlog.Entry{next}, trust.StateReplaced, trust.StateCurrent},
		"withdrawal":            {[]*signedlog.Entry{withdraw}, trust.StateWithdrawn, trust.StateCurrent},
		"withdrawal of another": {[]*signedlog.Entry{next, withdraw}, trust.StateWithdrawn, trust.StateCurrent},
		"erasure":               {[]*signedlog.Entry{erase, withdraw}, trust.StateErased, trust.StateCurrent},
		"retirement":            {[]*signedlog.Entry{retire}, trust.StateCurrent, trust.StateRetired},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPublisher(t, r, doc)
			p.add(t, c.entries...)
			report, err := p.verify(t, doc)
			require.NoError(t, err)
			require.Equal(t, []trust.State{c.edition, c.release}, []trust.State{report.Edition.State, report.Release.State})
		})
	}

	// A beta version that was published again with other content, and back.
	p := newPublisher(t, r, doc)
	p.release(t, other)
	report, err := p.verify(t, doc)
	require.NoError(t, err)
	require.Equal(t, trust.Release{Version: r.Version(), ContentHash: r.ContentHash(), Published: day, State: trust.StateReplaced}, report.Release)
	report, err = p.verify(t, thin(t, doc))
	require.NoError(t, err)
	require.Equal(t, other.ContentHash(), report.Release.ContentHash)
	delete(p.releases, r.ContentHash())
	_, err = p.verify(t, doc)
	require.ErrorIs(t, err, trust.ErrSnapshot)
	require.ErrorContains(t, err, "(sample@2026-09-01-beta had other content before, which the store does not have any more)")
	p.release(t, r)
	report, err = p.verify(t, doc)
	require.NoError(t, err)
	require.Equal(t, trust.Release{Version: r.Version(), ContentHash: r.ContentHash(), Published: day, State: trust.StateCurrent}, report.Release)

	// A retired one, the release of which the store has removed, or whose place another has taken.
	for _, has := range []*taxonomy.Release{nil, other} {
		p = newPublisher(t, r, doc)
		p.add(t, retire)
		if delete(p.releases, r.ContentHash()); has != nil {
			p.releases[r.ContentHash()] = has
		}
		_, err = p.verify(t, doc)
		require.ErrorIs(t, err, trust.ErrUnchecked)
		require.EqualError(t, err, "the snapshot can't be checked: sample@2026-09-01-beta was retired, and the store does not have its release any more")
		require.Contains(t, trust.Advice(err), "a copy of the store that has the release")
		_, err = p.verify(t, thin(t, doc))
		require.NoError(t, err)
	}
}

// TestAlteredSnapshots shows what is said about snapshots that are not those of a release.
func TestAlteredSnapshots(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 12)
	doc := resolved(t, r, "")
	p := newPublisher(t, r, doc)
	type object = map[string]any
	for want, alter := range map[string]func(doc, snapshot object, elements, categories []any){
		"schema_version: malformed schema version":                                  func(d, _ object, _, _ []any) { d["schema_version"] = "sample@latest" },
		`schema_version: "example.org/log" has no version sample@2026-09-02-stable`: func(d, _ object, _, _ []any) { d["schema_version"] = "sample@2026-09-02-stable" },
		"schema_snapshot: it must have the object datachain_type and":               func(d, _ object, _, _ []any) { d["schema_snapshot"] = nil },
		"schema_snapshot.more: a snapshot can't have this field":                    func(_, s object, _, _ []any) { s["more"] = 1 },
		"schema_snapshot.datachain_type.name[0].value: it differs from what sample@2026-09-01-stable has": func(_, s object, _, _ []any) {
			s["datachain_type"].(object)["name"].([]any)[0].(object)["value"] = "Other"
		},
		"schema_snapshot.categories[1].shape: it differs from what sample@2026-09-01-stable has":   func(_, _ object, _, c []any) { c[1].(object)["shape"] = "octagon" },
		"schema_snapshot.elements[3].more: it differs":                                             func(_, _ object, e, _ []any) { e[3].(object)["more"] = 1 },
		"schema_snapshot.elements[3].title: it differs":                                            func(_, _ object, e, _ []any) { delete(e[3].(object), "title") },
		`schema_snapshot.elements[0]: sample@2026-09-01-stable has no element "other"`:             func(_, _ object, e, _ []any) { e[0].(object)["id"] = "other" },
		`schema_snapshot.elements[1]: the element "element-000012" is there twice or out of order`: func(_, _ object, e, _ []any) { e[0], e[1] = e[1], e[0] },
		`schema_snapshot.categories[1]: the category "category-5" is there twice or out of order`:  func(_, _ object, _, c []any) { c[0], c[1] = c[1], c[0] },
		`schema_snapshot.elements[0]: its category "category-5" is missing`:                        func(_, s object, _, c []any) { s["categories"] = c[1:] },
		`the element "element-000012" is missing in the snapshot`:                                  func(_, s object, e, _ []any) { s["elements"] = e[1:] },
		`suggested_elements[0]: the snapshot has an element with the same id, "element-000001"`: func(d, _ object, _, _ []any) {
			d["suggested_elements"] = []any{object{"id": "element-000001"}}
		},
		"symbols.symbol-3: it differs":                         func(d, _ object, _, _ []any) { d["symbols"].(object)["symbol-3"] = "<svg/>" },
		`symbols.more: sample@2026-09-01-stable has no symbol`: func(d, _ object, _, _ []any) { d["symbols"].(object)["more"] = "<svg/>" },
		"symbols: it must be an object":                        func(d, _ object, _, _ []any) { d["symbols"] = "<svg/>" },
	} {
		var altered object
		require.NoError(t, json.Unmarshal(doc, &altered))
		snapshot := altered["schema_snapshot"].(object)
		alter(altered, snapshot, snapshot["elements"].([]any), snapshot["categories"].([]any))
		text, err := json.Marshal(altered)
		require.NoError(t, err)
		_, err = p.verifySnapshot(t, text)
		require.ErrorIs(t, err, trust.ErrSnapshot, want)
		require.ErrorContains(t, err, "the document is not made of a release in the log: ")
		require.ErrorContains(t, err, want)
		require.Contains(t, trust.Advice(err), "get it from the publisher again")
	}
}

// mutations calls try with a text for each change of the JSON value in another one: every
// scalar changed, every member and item removed, repeated, renamed, swapped or added.
func mutations(value any, try func(what string, changed any)) {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			try("without "+key, without(v, key))
			renamed := without(v, key)
			renamed[key+"x"] = v[key]
			try("renamed "+key, renamed)
			mutations(v[key], func(what string, changed any) {
				next := maps.Clone(v)
				next[key] = changed
				try(key+"."+what, next)
			})
		}
		more := maps.Clone(v)
		more["extra"] = []any{}
		try("one more", more)
	case []any:
		for i := range v {
			try(fmt.Sprintf("without %d", i), slices.Delete(slices.Clone(v), i, i+1))
			try(fmt.Sprintf("%d twice", i), slices.Insert(slices.Clone(v), i, v[i]))
			if i > 0 && fmt.Sprint(v[i]) != fmt.Sprint(v[i-1]) {
				swapped := slices.Clone(v)
				swapped[i-1], swapped[i] = v[i], v[i-1]
				try(fmt.Sprintf("%d swapped", i), swapped)
			}
			mutations(v[i], func(what string, changed any) {
				next := slices.Clone(v)
				next[i] = changed
				try(fmt.Sprintf("%d.%s", i, what), next)
			})
		}
		try("one more", append(slices.Clone(v), "extra"))
	case string:
		for _, changed := range []any{v + "x", "x" + v, nil, 1, []any{v}} {
			try(fmt.Sprintf("%q", changed), changed)
		}
		if v != "" {
			try("empty", "")
			// A character of another value, in any place of a short text.
			for i := 0; i < len(v); i += 1 + len(v)/12 {
				other := []byte(v)
				other[i] = 'A' + (other[i]+1)%26
				if string(other) != v {
					try("character", string(other))
				}
			}
		}
	case float64:
		for _, changed := range []any{v + 1, v - 1, -v - 1, v + 1e9, fmt.Sprint(v), nil} {
			try(fmt.Sprint(changed), changed)
		}
	case bool:
		try("not", !v)
	}
}

func without(object map[string]any, key string) map[string]any {
	rest := maps.Clone(object)
	delete(rest, key)
	return rest
}

// TestForgeries alters everything in a document.
func TestForgeries(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 20)
	doc := resolved(t, r, "")
	p := newPublisher(t, r, doc)
	honest := []string{"one more", "without schema_snapshot", "without symbols", "without suggested_elements"}
	tried := 0
	refused := func(what string, verify func(testing.TB, []byte) (*trust.Report, error), doc []byte) {
		tried++
		report, err := verify(t, doc)
		require.Error(t, err, what)
		require.Nil(t, report, what)
	}
	var value map[string]any
	require.NoError(t, json.Unmarshal(doc, &value))
	mutations(value, func(what string, changed any) {
		text, err := json.Marshal(changed)
		require.NoError(t, err)
		if slices.Contains(honest[1:], what) || strings.HasPrefix(what, "symbols.without") {
			_, err = p.verify(t, text)
			require.NoError(t, err, what)
			return
		}
		verify := p.verify
		if strings.HasPrefix(what, "schema_snapshot.") || strings.HasPrefix(what, "symbols.") || strings.HasPrefix(what, "schema_version.") {
			verify = p.verifySnapshot
		}
		refused(what, verify, text)
	})
	for i := 0; i < len(doc); i += 17 {
		refused("truncated", p.verifySnapshot, doc[:i])
	}
	t.Logf("%d forgeries", tried)
	require.Greater(t, tried, 3000)
}

// TestRefusedLogs verifies documents with logs that a reader does not trust.
func TestRefusedLogs(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 12)
	doc := resolved(t, r, "")
	p := newPublisher(t, r, doc)
	_, key := newKey(t, 1)
	_, second := newKey(t, 2)
	const until = `{"origin":"example.org/log","keys":[{"key":%q,"until":"2026-11-17T12:00:00Z"}]}`
	old := (*trust.Trust)(parseTrust(t, until, key))
	for name, c := range map[string]struct {
		trust  *trust.Trust
		files  files
		reason string
		advice string
	}{
		"key that is not trusted":         {(*trust.Trust)(trustKey(t, second)), p.files, "unknown_key", "does not have this publisher"},
		"log of another origin":           {(*trust.Trust)(parseTrust(t, `{"origin":"example.org/other","keys":[{"key":%q}]}`, key)), p.files, "origin", "does not have this publisher"},
		"key that has expired":            {old, p.files, "expired_key", "name its day with --at"},
		"the same, an old copy":           {old.At(day), p.files, "", ""},
		"the same, claimed as too new":    {old.At(day.AddDate(0, 0, 1)), p.files, "expired_key", "--at"},
		"the same, claimed as older":      {old.At(day.AddDate(0, 0, -1)), p.files, "expired_key", "--at"},
		"no log":                          {p.trust, files{}, "checkpoint", "from the publisher again"},
		"log without its last entries":    {p.trust, files{signedlog.CheckpointFile: p.files[signedlog.CheckpointFile]}, "tile", "from the publisher again"},
		"log with other entries, as long": {p.trust, altered(p.files, "crossing", "crassing"), "tile", "from the publisher again"},
	} {
		t.Run(name, func(t *testing.T) {
			s := p.source()
			s.Log = c.files.read
			for _, verify := range []func(context.Context, *trust.Trust, trust.Source, []byte) (*trust.Report, error){trust.VerifyDocument, trust.VerifySnapshot} {
				_, err := verify(t.Context(), c.trust, s, doc)
				require.Equal(t, c.reason, trust.Reason(err), "%v", err)
				if err != nil {
					require.Contains(t, trust.Advice(err), c.advice)
				}
			}
		})
	}
}

// altered returns the files of a log with another text in all of them.
func altered(f files, old, replacement string) files {
	other := files{}
	for name, data := range f {
		other[name] = []byte(strings.ReplaceAll(string(data), old, replacement))
	}
	return other
}

// A reader that trusts the first key trusts the one that it introduced, and from then on nothing that
// the first one signs.
func TestVerifyAfterRotation(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 12)
	doc := resolved(t, r, "")
	p := newPublisher(t, r, nil)
	first := p.signer
	next, public := newKey(t, 2)
	endorsed, err := signedlog.Endorse(origin, public, day.Add(5*time.Minute), first)
	require.NoError(t, err)
	p.log = p.grow(t, p.log, []*signedlog.Entry{endorsed}, first, next)
	p.signer = next
	p.add(t, edition(t, doc))
	_, err = p.verify(t, doc)
	require.NoError(t, err)
	p.signer = first
	p.add(t, editions(100, 1)...)
	_, err = p.verify(t, doc)
	require.ErrorIs(t, err, trust.ErrExpired)
}

func TestNil(t *testing.T) {
	_, err := trust.VerifyDocument(t.Context(), nil, trust.Source{}, nil)
	require.ErrorContains(t, err, "trust: the trust and both functions of")
}
