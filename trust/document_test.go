package trust_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/trust"
	"github.com/datachain-go/datachain/trust/signedlog"
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
	return resolvedOf(t, r, rand.New(rand.NewPCG(3, 3)), suggested, true)
}

// resolvedOf is resolved with a source of random numbers, and symbols only if they are wanted.
func resolvedOf(t testing.TB, r *taxonomy.Release, random *rand.Rand, suggested string, withSymbols bool) []byte {
	t.Helper()
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
	member := ""
	if withSymbols {
		drawn, err := json.Marshal(symbols)
		require.NoError(t, err)
		member = fmt.Sprintf(`"symbols":%s,`, drawn)
	}
	return fmt.Appendf(nil, `{"id":"crossing","schema_version":%q,"elements":[%s],"suggested_elements":[%s],%s"schema_snapshot":%s}`,
		r.Version(), strings.Join(placements, ","), suggested, member, embedded)
}

// parsed parses a document.
func parsed(t testing.TB, text []byte) *document.Document {
	t.Helper()
	doc, err := document.Parse(text)
	require.NoError(t, err)
	return doc
}

// register is a log with a release and a document among many other entries.
type register struct {
	files
	trust *trust.Trust
	log   *signedlog.Log
}

// newRegister publishes a release, a document if there is one, and other entries before and
// after them.
func newRegister(t testing.TB, n int, r *taxonomy.Release, doc []byte) *register {
	t.Helper()
	signer, key := newKey(t, 1)
	trusted, err := trust.ParseTrust(fmt.Appendf(nil, `{"origin":%q,"keys":[{"key":%q}]}`, origin, key))
	require.NoError(t, err)
	g := &register{files: files{}, trust: trusted}
	entries := []*signedlog.Entry{{Op: signedlog.OpPublish, Time: day, Version: r.Version(), ContentHash: r.ContentHash(), Leaves: r.Leaves()}}
	if doc != nil {
		entries = append(entries, &signedlog.Entry{
			Op: signedlog.OpPublishDocument, Time: day.Add(time.Minute), Slug: "crossing",
			Document: signedlog.DocumentHash("crossing"), Edition: trust.EditionHash(parsed(t, doc)),
		})
	}
	for i := len(entries); i < n; i++ {
		entries = append(entries, &signedlog.Entry{
			Op: signedlog.OpPublishDocument, Time: day.Add(time.Minute), Slug: fmt.Sprintf("other-%d", i), Document: signedlog.DocumentHash(fmt.Sprint(i)), Edition: hash(i),
		})
	}
	g.log = g.grow(t, nil, entries, signer)
	return g
}

// prove proves a document.
func (g *register) prove(t testing.TB, r *taxonomy.Release, doc []byte, slug string) []byte {
	t.Helper()
	proof, err := trust.NewProver(g.read).Prove(t.Context(), r, parsed(t, doc), slug)
	require.NoError(t, err)
	text, err := json.Marshal(proof)
	require.NoError(t, err)
	return text
}

func TestDocumentProof(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 100)
	doc := resolved(t, r, `{"id":"new-idea"}`)
	g := newRegister(t, 300, r, doc)

	report, err := trust.VerifyDocument(g.trust, doc, g.prove(t, r, doc, "crossing"), day)
	require.NoError(t, err)
	require.Equal(t, r.Version(), report.Version)
	require.Equal(t, r.ContentHash(), report.ContentHash)
	require.Equal(t, []int{5, 12, 12}, []int{report.Categories, report.Elements, report.Symbols})
	require.Equal(t, &trust.ProvenEdition{Slug: "crossing", Hash: trust.EditionHash(parsed(t, doc)), Published: day.Add(time.Minute)}, report.Edition)
	require.Equal(t, trust.ScopeDocument, report.Scope)
	require.Equal(t, fmt.Sprintf(`The whole document is proven: the register published exactly this.
Proven:
  parts      the datachain type; categories: 5, elements: 12, symbols: 12
  release    sample@2026-09-01-stable, content %s
  publisher  the log example.org/log, signed by example.org/log
  edition    the register published exactly this document as crossing, edition %s
Claimed by the publisher:
  release    published at 2026-11-17 00:00:00 UTC
  edition    published at 2026-11-17 00:01:00 UTC
Not proven:
  suggested elements: The edition has them, but they are not part of the release: new-idea.
  time: The times are those of the publisher's clock.
  freshness: A later version, edition or withdrawal may have been published since.
`, r.ContentHash(), trust.EditionHash(parsed(t, doc))), report.String())

	// Without an edition, the placements are not proven; the proof can be in the document,
	// in any formatting.
	var embedded map[string]any
	require.NoError(t, json.Unmarshal(doc, &embedded))
	var proof any
	require.NoError(t, json.Unmarshal(g.prove(t, r, doc, ""), &proof))
	embedded["proof"] = proof
	indented, err := json.MarshalIndent(embedded, "", "\t")
	require.NoError(t, err)
	report, err = trust.VerifySnapshot(g.trust, indented, nil, day)
	require.NoError(t, err)
	require.Nil(t, report.Edition)
	require.Equal(t, trust.ScopeSnapshot, report.Scope)
	require.Equal(t, "placements", report.NotProven[0].What)
	require.True(t, strings.HasPrefix(report.String(), "Only the schema snapshot is proven: what the document says about its system is not.\n"))

	// That is no proof of the document, as it is and with other placements.
	for _, text := range []string{string(indented), strings.Replace(string(indented), "Number 3", "Number 4", 1)} {
		report, err = trust.VerifyDocument(g.trust, []byte(text), nil, day)
		require.ErrorIs(t, err, taxonomy.ErrProof)
		require.ErrorIs(t, err, trust.ErrSnapshotOnly)
		require.Equal(t, trust.ScopeSnapshot, report.Scope)
		require.Contains(t, trust.Advice(err), "from the register")
	}

	// A document without symbols.
	delete(embedded, "symbols")
	delete(embedded, "proof")
	bare, err := json.Marshal(embedded)
	require.NoError(t, err)
	report, err = trust.VerifyDocument(g.trust, bare, g.prove(t, r, bare, "crossing"), day)
	require.NoError(t, err)
	require.Zero(t, report.Symbols)
	require.Contains(t, report.String(), "  symbols: The document does not contain")
	_, err = trust.VerifyDocument(g.trust, bare, g.prove(t, r, doc, ""), day)
	require.ErrorIs(t, err, taxonomy.ErrProof)
}

// A document is proven whatever the clocks of the reader and the publisher show.
func TestWrongClocks(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 20)
	doc := resolved(t, r, "")
	g := newRegister(t, 5, r, doc)
	proof := g.prove(t, r, doc, "crossing")
	for now, future := range map[time.Time]bool{{}: true, day.Add(-4 * time.Minute): false, day.Add(-5 * time.Minute): true, day: false, day.AddDate(200, 0, 0): false} {
		report, err := trust.VerifyDocument(g.trust, doc, proof, now)
		require.NoError(t, err)
		require.Equal(t, future, strings.Contains(report.String(), "  time: The publisher claims 2026-11-17 00:01:00 UTC, which is in the future: "))
	}
}

// A suggested element with the id of a proven one does not pass as that one, neither if it is
// placed nor if it is not, and neither before it is proven nor after.
func TestSuggestedInsteadOfProven(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 20)
	doc := resolved(t, r, "")
	g := newRegister(t, 5, r, nil)
	proof := g.prove(t, r, doc, "")
	placed, unplaced := "", ""
	for _, id := range r.ElementIDs() {
		if strings.Contains(string(doc), `"element_id":"`+id+`"`) {
			placed = id
		} else {
			unplaced = id
		}
	}
	for id, refused := range map[string]bool{placed: true, unplaced: false} {
		altered := []byte(strings.Replace(string(doc), `"suggested_elements":[`, fmt.Sprintf(`"suggested_elements":[{"id":%q,"title":"Something else"}`, id), 1))
		report, err := trust.VerifySnapshot(g.trust, altered, proof, day)
		if !refused {
			require.NoError(t, err)
			require.Contains(t, report.String(), "suggested elements: They are not part of the release: "+id)
			continue
		}
		require.ErrorIs(t, err, taxonomy.ErrProof)
		require.ErrorContains(t, err, "suggested_elements[0]: the snapshot has an element with the same id")
		_, err = trust.NewProver(g.read).Prove(t.Context(), r, parsed(t, altered), "")
		require.ErrorIs(t, err, taxonomy.ErrProof)
	}
}

// What a log does not have can't be proven, and a thin document neither.
func TestNotProvable(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 20)
	doc := resolved(t, r, "")
	g := newRegister(t, 3, r, doc)
	p := trust.NewProver(g.read)
	_, err := p.Prove(t.Context(), r, parsed(t, doc), "other-2")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	other := release(t, "sample@2026-09-02-beta", 20)
	_, err = p.Prove(t.Context(), other, parsed(t, resolved(t, other, "")), "")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	_, err = p.Prove(t.Context(), other, parsed(t, doc), "")
	require.ErrorContains(t, err, "pins")
	_, err = p.Prove(t.Context(), r, parsed(t, []byte(`{"schema_version":"sample@2026-09-01-stable"}`)), "")
	require.ErrorContains(t, err, "resolve it first")
	_, err = trust.NewProver(files{}.read).Prove(t.Context(), r, parsed(t, doc), "")
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.ErrorContains(t, err, "no log")

	// The log grows while the prover is at work.
	signer, _ := newKey(t, 1)
	g.grow(t, g.log, []*signedlog.Entry{{Op: signedlog.OpPublish, Time: day.Add(time.Minute), Version: other.Version(), ContentHash: other.ContentHash(), Leaves: other.Leaves()}}, signer)
	_, err = p.Prove(t.Context(), other, parsed(t, resolved(t, other, "")), "")
	require.NoError(t, err)
}

// A reader that trusts the first key trusts the one that it endorsed.
func TestDocumentProofAfterRotation(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 20)
	doc := resolved(t, r, "")
	old, key := newKey(t, 1)
	next, public := newKey(t, 3)
	endorsed, err := signedlog.Endorse(origin, public, day, old)
	require.NoError(t, err)
	g := &register{files: files{}, trust: (*trust.Trust)(trustKey(t, key))}
	g.grow(t, nil, []*signedlog.Entry{endorsed, {Op: signedlog.OpPublish, Time: day, Version: r.Version(), ContentHash: r.ContentHash(), Leaves: r.Leaves()}}, next)
	proof := g.prove(t, r, doc, "")
	report, err := trust.VerifySnapshot(g.trust, doc, proof, day)
	require.NoError(t, err)
	require.Contains(t, report.String(), "The times are those of the publisher's clock")

	var p trust.Proof
	require.NoError(t, json.Unmarshal(proof, &p))
	p.Keys = nil
	proof, err = json.Marshal(p)
	require.NoError(t, err)
	_, err = trust.VerifySnapshot(g.trust, doc, proof, day)
	require.ErrorIs(t, err, trust.ErrUnknownKey)
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

// TestForgedDocuments alters everything that a proof covers, and the proof.
func TestForgedDocuments(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 20)
	doc := resolved(t, r, "")
	g := newRegister(t, 40, r, doc)
	proof := g.prove(t, r, doc, "crossing")
	_, err := trust.VerifySnapshot(g.trust, doc, proof, day)
	require.NoError(t, err)
	bare := g.prove(t, r, doc, "")

	tried := 0
	refused := func(what string, doc, proof []byte) {
		tried++
		report, err := trust.VerifySnapshot(g.trust, doc, proof, day)
		require.Error(t, err, what)
		require.Nil(t, report, what)
	}
	var value map[string]any
	require.NoError(t, json.Unmarshal(doc, &value))
	mutations(value, func(what string, changed any) {
		text, err := json.Marshal(changed)
		require.NoError(t, err)
		// What resolving would have written differently is refused without the edition,
		// too; the rest of the document is not proven then.
		if strings.HasPrefix(what, "schema_snapshot") || strings.HasPrefix(what, "symbols") || strings.HasPrefix(what, "schema_version") {
			refused(what, text, bare)
		}
		if what != "without suggested_elements" && what != "one more" {
			refused(what, text, proof)
		}
	})
	for _, p := range [][]byte{proof, bare} {
		var value map[string]any
		require.NoError(t, json.Unmarshal(p, &value))
		mutations(value, func(what string, changed any) {
			text, err := json.Marshal(changed)
			require.NoError(t, err)
			if what != "without edition" { // which is the other proof
				refused(what, doc, text)
			}
		})
		for i := 0; i < len(p); i += 17 {
			refused("truncated", doc, p[:i])
		}
	}
	t.Logf("%d forgeries", tried)
	require.Greater(t, tried, 3000)
}

// TestProofsDoNotMix combines documents and proofs of several releases and logs.
func TestProofsDoNotMix(t *testing.T) {
	r, other := release(t, "sample@2026-09-01-stable", 20), release(t, "sample@2026-09-02-stable", 20)
	doc := resolved(t, r, "")
	g := newRegister(t, 10, r, doc)
	later := newRegister(t, 30, r, doc)
	elsewhere := newRegister(t, 10, other, nil)
	proofs := map[string]trust.Proof{}
	for name, text := range map[string][]byte{
		"same": g.prove(t, r, doc, "crossing"), "later": later.prove(t, r, doc, "crossing"),
		"elsewhere": elsewhere.prove(t, other, resolved(t, other, ""), ""),
	} {
		var p trust.Proof
		require.NoError(t, json.Unmarshal(text, &p))
		proofs[name] = p
	}
	for _, c := range []struct {
		name  string
		forge func(p *trust.Proof)
		ok    bool
	}{
		{"the same", func(*trust.Proof) {}, true},
		{"all of the later log", func(p *trust.Proof) { *p = proofs["later"] }, true},
		{"an older checkpoint", func(p *trust.Proof) { *p = proofs["later"]; p.Checkpoint = proofs["same"].Checkpoint }, false},
		{"a later checkpoint", func(p *trust.Proof) { p.Checkpoint = proofs["later"].Checkpoint }, false},
		{"another release", func(p *trust.Proof) { *p = proofs["elsewhere"] }, false},
		{"parts of another release", func(p *trust.Proof) { p.Path = proofs["elsewhere"].Path }, false},
		{"the entry of another release", func(p *trust.Proof) { p.Release.Index++ }, false},
		{"the path of a later log", func(p *trust.Proof) { p.LogPath = proofs["later"].LogPath }, false},
		{"the edition as release", func(p *trust.Proof) { p.Release = *p.Edition }, false},
		{"the release as edition", func(p *trust.Proof) { p.Edition = &p.Release }, false},
		{"the release as key", func(p *trust.Proof) { p.Keys = []trust.Inclusion{p.Release} }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := proofs["same"]
			c.forge(&p)
			text, err := json.Marshal(p)
			require.NoError(t, err)
			_, err = trust.VerifySnapshot(g.trust, doc, text, day)
			require.Equal(t, c.ok, err == nil, "%v", err)
		})
	}
	_, key := newKey(t, 9)
	_, err := trust.VerifySnapshot((*trust.Trust)(trustKey(t, key)), doc, g.prove(t, r, doc, ""), day)
	require.ErrorIs(t, err, trust.ErrUnknownKey)
}

// TestProofSizes compares the largest proofs that documents of 12 elements can have with the
// table in docs/log-format.md, and with proofs of documents that are chosen at random. With ALL=1,
// some of these are of 100,000 elements, which take long to make.
func TestProofSizes(t *testing.T) {
	r := release(t, "sample@2026-09-01-stable", 100)
	doc := resolved(t, r, "")
	var like trust.Proof
	require.NoError(t, json.Unmarshal(newRegister(t, 1000, r, doc).prove(t, r, doc, "crossing"), &like))
	for _, c := range []struct{ elements, symbols, without, with int }{
		{100, 25, 3_300, 3_800},
		{100, 100, 3_300, 4_800},
		{100_000, 500, 8_700, 11_700},
		{100_000, 25_000, 8_800, 14_500},
	} {
		without, with := largest(t, like, c.elements, c.symbols, false), largest(t, like, c.elements, c.symbols, true)
		t.Logf("%d elements, %d symbols: %d bytes, %d with symbols", c.elements, c.symbols, without, with)
		require.LessOrEqual(t, without, c.without)
		require.LessOrEqual(t, with, c.with)
	}

	sizes := []int{100, 3200}
	if os.Getenv("ALL") != "" {
		sizes = append(sizes, 100_000)
	}
	for _, n := range sizes {
		r := release(t, "sample@2026-09-01-stable", n)
		p, random := trust.NewProver(newRegister(t, 1000, r, nil).read), rand.New(rand.NewPCG(1, 2))
		for _, symbols := range []bool{false, true} {
			limit, most := largest(t, like, n, min(n, 500), symbols), 0
			for range 200 {
				proof, err := p.Prove(t.Context(), r, parsed(t, resolvedOf(t, r, random, "", symbols)), "")
				require.NoError(t, err)
				text, err := json.Marshal(proof)
				require.NoError(t, err)
				most = max(most, len(text))
			}
			t.Logf("%d elements at random, symbols %t: at most %d bytes of %d", n, symbols, most, limit)
			require.LessOrEqual(t, most, limit)
		}
	}
}

// largest returns the size of the largest proof that a document of 12 elements can have, with an
// edition in a log of 1,000 entries. It follows from the numbers of leaves: the more the ones
// that are proven are spread, the more hashes are missing.
func largest(t *testing.T, like trust.Proof, elements, symbols int, withSymbols bool) int {
	t.Helper()
	// The leaves are categories, the datachain type, elements, the manifest and symbols.
	counts := [...]int{5, 1, elements, 1, symbols}
	size := 0
	for _, n := range counts {
		size += n
	}
	kindOf := func(at int) (kind, rest int) {
		for at >= counts[kind] {
			at, kind = at-counts[kind], kind+1
		}
		return kind, counts[kind] - at
	}
	type leaves [len(counts)]int // how many of each kind are proven
	wanted := leaves{5, 1, 12, 0, 12}
	if !withSymbols {
		wanted[4] = 0
	}
	type uniform struct{ kind, level int }
	tables := make(map[uniform]map[leaves]int) // of nodes with leaves of one kind
	// most returns the largest number of hashes below a node for each choice of leaves.
	var most func(level, at int) map[leaves]int
	most = func(level, at int) map[leaves]int {
		kind, rest := kindOf(at << level)
		key, isUniform := uniform{kind, level}, rest >= 1<<level
		if isUniform && tables[key] != nil {
			return tables[key]
		}
		all := map[leaves]int{{}: 0}
		switch {
		case level == 0 && wanted[kind] > 0:
			one := leaves{}
			one[kind] = 1
			all[one] = 0
		case level > 0 && (2*at+1)<<(level-1) >= size: // without a sibling it moves up
			return most(level-1, 2*at)
		case level > 0:
			right := most(level-1, 2*at+1)
			for l, hashes := range most(level-1, 2*at) {
				for r, more := range right {
					sum, fits := leaves{}, true
					for i := range sum {
						sum[i] = l[i] + r[i]
						fits = fits && sum[i] <= wanted[i]
					}
					if (l == leaves{}) != (r == leaves{}) {
						more++
					}
					if fits {
						all[sum] = max(all[sum], hashes+more)
					}
				}
			}
		}
		if isUniform {
			tables[key] = all
		}
		return all
	}
	height, largest := bits.Len(uint(size-1)), 0
	for proven, hashes := range most(height, 0) {
		if proven[1] == 0 || proven[2] != 12 {
			continue
		}
		like.Leaves = slices.Repeat([]int64{int64(size)}, proven[0]+proven[1]+proven[2]+proven[4])
		like.Path, like.LogPath = make(taxonomy.ProofPath, hashes), make(taxonomy.ProofPath, 18) // for entries on both sides
		text, err := json.Marshal(like)
		require.NoError(t, err)
		largest = max(largest, len(text))
	}
	return largest
}

// BenchmarkDocument proves and verifies a document of 12 elements.
func BenchmarkDocument(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		r := release(b, "sample@2026-09-01-stable", n)
		doc := resolved(b, r, "")
		g := newRegister(b, 1000, r, nil)
		proof := g.prove(b, r, doc, "")
		p, d := trust.NewProver(g.read), parsed(b, doc)
		b.Run(fmt.Sprintf("elements=%d/prove", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := p.Prove(b.Context(), r, d, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("elements=%d/verify", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := trust.VerifySnapshot(g.trust, doc, proof, day); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
