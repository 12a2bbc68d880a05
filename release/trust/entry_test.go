package trust_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

func version(id string) taxonomy.Version { return taxonomy.MustVersion(id) }

// publication returns an entry that publishes a version.
func publication(id string, content int, aliases ...string) *signedlog.Entry {
	return &signedlog.Entry{Op: signedlog.OpPublish, Time: day, Version: version(id), ContentHash: hash(content), Aliases: aliases}
}

// all returns an entry of each operation, which can follow one another.
func all(t testing.TB) []*signedlog.Entry {
	signer, public := newKey(t, 1)
	_, next := newKey(t, 2)
	first, err := signedlog.Endorse(origin, public, day, nil)
	require.NoError(t, err)
	key, err := signedlog.Endorse(origin, next, day, signer)
	require.NoError(t, err)
	beta := publication("ai@2026-09-01-beta", 1, "ai@trial")
	beta.Released, beta.Archive = "2026-09-01", hash(2)
	return []*signedlog.Entry{
		first, beta,
		{Op: signedlog.OpAlias, Time: day, Version: version("ai@2026-09-01-beta")},
		{Op: signedlog.OpPromote, Time: day, Version: version("ai@2026-10-01-stable"), From: version("ai@2026-09-01-beta"), ContentHash: hash(1), Aliases: []string{"ai@trial"}},
		{Op: signedlog.OpDeprecate, Time: day, Version: version("ai@2026-09-01-beta"), Deprecated: "2026-10-01", Sunset: "2026-12-01", Successor: version("ai@2026-10-01-stable"), Reason: "tested"},
		{Op: signedlog.OpRetire, Time: day, Version: version("ai@2026-09-01-beta"), ContentHash: hash(1), At: "2026-11-01", Successor: version("ai@2026-10-01-stable"), Reason: "<é>", IDs: hash(3)},
		{Op: signedlog.OpEvolution, Time: day, Type: "ai", Evolution: hash(3)},
		{Op: signedlog.OpPublishDocument, Time: day, Slug: "camera", Document: signedlog.DocumentHash("urn:camera"), Edition: hash(4)},
		{Op: signedlog.OpPublishDocument, Time: day, Slug: "camera-1", Document: signedlog.DocumentHash("urn:camera"), Edition: hash(5)},
		{Op: signedlog.OpEraseDocument, Time: day, Slug: "camera-1", Document: signedlog.DocumentHash("urn:camera"), Edition: hash(4)},
		{Op: signedlog.OpWithdrawDocument, Time: day, Slug: "camera-1", Document: signedlog.DocumentHash("urn:camera")},
		key,
	}
}

func TestEntryJSON(t *testing.T) {
	state := new(signedlog.State)
	for _, e := range all(t) {
		text, err := e.JSON()
		require.NoError(t, err)
		got, err := signedlog.ParseEntry(text)
		require.NoError(t, err)
		require.Equal(t, e, got)
		require.NoError(t, state.Apply(got))
		// Altered in one byte, it is refused, or is another entry.
		for i := range text {
			altered := bytes.Clone(text)
			altered[i] ^= 1
			if other, err := signedlog.ParseEntry(altered); err == nil {
				require.NotEqual(t, e, other, "%s", altered)
			}
		}
		for _, same := range []string{" " + string(text), string(text) + "\n", strings.Replace(string(text), ":", ": ", 1)} {
			_, err := signedlog.ParseEntry([]byte(same))
			require.ErrorIs(t, err, trust.ErrEntry)
		}
	}
	require.Equal(t, int64(12), state.Size())
	x, err := state.Index()
	require.NoError(t, err)
	require.Len(t, x.Entries(), 1)
	require.Equal(t, version("ai@2026-10-01-stable"), x.Entries()[0].ID)
	require.Equal(t, []signedlog.Document{{
		ID: signedlog.DocumentHash("urn:camera"), Slug: "camera-1", Slugs: []string{"camera"}, Current: hash(5), Withdrawn: true,
		Editions: []signedlog.Edition{{Hash: hash(4), Erased: true, Time: day}, {Hash: hash(5), Time: day}},
	}}, state.Documents())
}

func TestParseEntryRefuses(t *testing.T) {
	const ok = `{"document":"sha256-0000000000000005000000000000000000000000000000000000000000000000","op":"withdraw_document","slug":"camera","time":"2026-11-17T00:00:00Z"}`
	_, err := signedlog.ParseEntry([]byte(ok))
	require.NoError(t, err)
	for _, c := range []struct{ old, replacement, want string }{
		{"withdraw_document", "burn", "unknown operation"},
		{"withdraw_document", "erase_document", "edition is missing"},
		{`"slug":"camera",`, "", "slug is missing"},
		{`"slug":"camera"`, `"reason":"a name","slug":"camera"`, "reason does not belong"},
		{`"slug":"camera"`, `"key":"","slug":"camera"`, "canonical"},
		{`"slug":"camera"`, `"leaves":7,"slug":"camera"`, "leaves"},
		{"camera", "Camera", "slug"},
		{"00:00Z", "00:00.5Z", "whole seconds"},
		{"00:00Z", "00:00+02:00", "UTC"},
		{`"op"`, `"more":1,"op"`, "more"},
		{`"op"`, `"op":"withdraw_document","op"`, "duplicate"},
		{"camera", "cam\\u0065ra", "canonical"},
		{"}", "}{}", "after"},
	} {
		_, err := signedlog.ParseEntry([]byte(strings.Replace(ok, c.old, c.replacement, 1)))
		require.ErrorIs(t, err, trust.ErrEntry, c.replacement)
		require.ErrorContains(t, err, c.want)
	}
}

// TestApplyRefuses shows what no reader accepts, whoever signed it.
func TestApplyRefuses(t *testing.T) {
	camera := signedlog.Entry{Op: signedlog.OpPublishDocument, Time: day, Slug: "camera", Document: hash(1), Edition: hash(2)}
	change := func(e signedlog.Entry, f func(*signedlog.Entry)) *signedlog.Entry { f(&e); return &e }
	retire := &signedlog.Entry{Op: signedlog.OpRetire, Time: day, Version: version("ai@2026-09-01-stable"), ContentHash: hash(1)}
	erase := change(camera, func(e *signedlog.Entry) { e.Op = signedlog.OpEraseDocument })
	withdraw := &signedlog.Entry{Op: signedlog.OpWithdrawDocument, Time: day, Slug: "camera", Document: hash(1)}
	key, err := signedlog.Endorse(origin, publicOf(t, 1), day, nil)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		before []*signedlog.Entry
		entry  *signedlog.Entry
		want   string
	}{
		"stable version with other content": {[]*signedlog.Entry{publication("ai@2026-09-01-stable", 1)}, publication("ai@2026-09-01-stable", 2), "stable"},
		"the same after it was retired":     {[]*signedlog.Entry{publication("ai@2026-09-01-stable", 1), retire}, publication("ai@2026-09-01-stable", 2), "stable"},
		"retired with other content":        {[]*signedlog.Entry{publication("ai@2026-09-01-stable", 2)}, retire, "stable"},
		"alias of another version":          {[]*signedlog.Entry{publication("ai@2026-09-01-stable", 1, "ai@a")}, publication("ai@2026-10-01-stable", 1, "ai@a"), "alias"},
		"alias that the index assigns":      {nil, publication("ai@2026-09-01-stable", 1, "ai@latest"), "alias"},
		"alias of another type":             {nil, publication("ai@2026-09-01-stable", 1, "device@a"), "alias"},
		"aliases out of order":              {nil, publication("ai@2026-09-01-stable", 1, "ai@b", "ai@a"), "order"},
		"promotion of nothing":              {nil, change(*publication("ai@2026-09-01-stable", 1), func(e *signedlog.Entry) { e.Op, e.From = signedlog.OpPromote, version("ai@2026-08-01-beta") }), "not published"},
		"promotion with other content":      {[]*signedlog.Entry{publication("ai@2026-08-01-beta", 2)}, change(*publication("ai@2026-09-01-stable", 1), func(e *signedlog.Entry) { e.Op, e.From = signedlog.OpPromote, version("ai@2026-08-01-beta") }), "not published"},
		"deprecation of nothing":            {nil, &signedlog.Entry{Op: signedlog.OpDeprecate, Time: day, Version: version("ai@2026-09-01-stable"), Deprecated: "2026-10-01"}, "not published"},
		"aliases of nothing":                {nil, &signedlog.Entry{Op: signedlog.OpAlias, Time: day, Version: version("ai@2026-09-01-stable")}, "not published"},
		"slug of another document":          {[]*signedlog.Entry{&camera}, change(camera, func(e *signedlog.Entry) { e.Document = hash(9) }), "belongs to another"},
		"slug of a withdrawn document":      {[]*signedlog.Entry{&camera, withdraw}, change(camera, func(e *signedlog.Entry) { e.Document = hash(9) }), "belongs to another"},
		"earlier slug of another document":  {[]*signedlog.Entry{&camera, change(camera, func(e *signedlog.Entry) { e.Slug = "camera-2" })}, change(camera, func(e *signedlog.Entry) { e.Document = hash(9) }), "belongs to another"},
		"edition that was erased":           {[]*signedlog.Entry{&camera, erase}, &camera, "erased"},
		"erased twice":                      {[]*signedlog.Entry{&camera, erase}, erase, "can be erased"},
		"edition that was not published":    {[]*signedlog.Entry{&camera}, change(*erase, func(e *signedlog.Entry) { e.Edition = hash(8) }), "can be erased"},
		"withdrawal of nothing":             {nil, withdraw, "not published"},
		"withdrawn twice":                   {[]*signedlog.Entry{&camera, withdraw}, withdraw, "before"},
		"key twice":                         {[]*signedlog.Entry{key}, key, "already"},
		"successor of another type":         {nil, change(*retire, func(e *signedlog.Entry) { e.Successor = version("device@2026-09-01-stable") }), "successor"},
		"sunset of what is not deprecated":  {nil, &signedlog.Entry{Op: signedlog.OpDeprecate, Time: day, Version: version("ai@2026-09-01-stable"), Sunset: "2026-10-01"}, "need deprecated"},
		"date that is not one":              {nil, change(*retire, func(e *signedlog.Entry) { e.At = "2026-02-30" }), "must be a date"},
		"reason without an end":             {nil, change(*retire, func(e *signedlog.Entry) { e.Reason = strings.Repeat("x", 1001) }), "1001 bytes"},
		"time before that of another entry": {[]*signedlog.Entry{publication("ai@2026-09-01-stable", 1)}, change(camera, func(e *signedlog.Entry) { e.Time = day.Add(-time.Second) }), "is before that of the entry before it"},
		"time of a time zone":               {nil, change(*retire, func(e *signedlog.Entry) { e.Time = day.In(time.FixedZone("", 3600)) }), "UTC"},
	} {
		t.Run(name, func(t *testing.T) {
			state := new(signedlog.State)
			for _, e := range c.before {
				require.NoError(t, state.Apply(e))
			}
			err := state.Apply(c.entry)
			require.ErrorIs(t, err, trust.ErrEntry)
			require.ErrorContains(t, err, c.want)
			require.Equal(t, int64(len(c.before)), state.Size())
		})
	}
}

// An entry that changes nothing is refused, whatever its operation and time.
func TestApplyRefusesNothing(t *testing.T) {
	again := map[signedlog.Op]bool{}
	state := new(signedlog.State)
	for _, e := range append(all(t), &signedlog.Entry{Op: signedlog.OpRegister, Time: day, Register: hash(1)}) {
		require.NoError(t, state.Apply(e))
		same := *e
		same.Time = day.Add(time.Hour)
		err := state.Apply(&same)
		require.ErrorIs(t, err, trust.ErrEntry, e.Op)
		again[e.Op] = strings.HasSuffix(err.Error(), "the entry changes nothing")
	}
	require.Equal(t, map[signedlog.Op]bool{ // the others have a reason of their own
		signedlog.OpPublish: true, signedlog.OpPromote: true, signedlog.OpAlias: true, signedlog.OpDeprecate: true, signedlog.OpRetire: true,
		signedlog.OpEvolution: true, signedlog.OpPublishDocument: true, signedlog.OpRegister: true,
		signedlog.OpEraseDocument: false, signedlog.OpWithdrawDocument: false, signedlog.OpKey: false,
	}, again)
	require.ErrorContains(t, new(signedlog.State).Apply(&signedlog.Entry{Op: signedlog.OpEvolution, Time: day, Type: "ai"}), "changes nothing")
}

// A publisher writes the time of its clock, or that of the last entry if that is later, and
// refuses to write if the clock is far behind.
func TestTimesAscend(t *testing.T) {
	state := new(signedlog.State)
	require.NoError(t, state.Apply(publication("ai@2026-09-01-stable", 1)))
	for behind, ok := range map[time.Duration]bool{-time.Hour: true, 0: true, 5 * time.Minute: true, 5*time.Minute + time.Second: false} {
		entries, err := state.DocumentChanges(nil, hash(1), day.Add(-behind))
		if !ok {
			require.ErrorContains(t, err, "the clock of this machine shows 2026-11-16T23:54:59Z: set the clock")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, day.Add(max(0, -behind)), entries[0].Time)
	}
}

// TestMissing checks that the same of several missing versions or documents is always reported.
func TestMissing(t *testing.T) {
	state := new(signedlog.State)
	var docs []signedlog.Document
	for i, name := range []string{"c", "a", "b", "d", "e"} {
		require.NoError(t, state.Apply(publication(name+"@2026-09-01-stable", i+1)))
		docs = append(docs, signedlog.Document{ID: hash(i + 1), Slug: name, Current: hash(i + 1), Editions: []signedlog.Edition{{Hash: hash(i + 1)}}})
	}
	entries, err := state.DocumentChanges(docs, taxonomy.Hash{}, day)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, state.Apply(e))
	}
	for range 20 {
		_, err := state.Changes(new(taxonomy.Index), day)
		require.ErrorContains(t, err, "does not list a@2026-09-01-stable")
		_, err = state.DocumentChanges(nil, taxonomy.Hash{}, day)
		require.ErrorContains(t, err, "the document a,")
	}
}

// TestDocumentChanges folds random histories of registers.
func TestDocumentChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		state, docs, register := new(signedlog.State), []signedlog.Document{}, taxonomy.Hash{}
		for range 8 {
			docs = changeDocuments(random, docs)
			if random.IntN(3) == 0 {
				register = hash(random.IntN(5) + 1)
			}
			entries, err := state.DocumentChanges(docs, register, day)
			require.NoError(t, err)
			for _, e := range entries {
				require.NoError(t, state.Apply(e))
			}
			got := state.Documents()
			for i := range got {
				for k := range got[i].Editions {
					got[i].Editions[k].Time = time.Time{}
				}
			}
			require.ElementsMatch(t, docs, got)
			require.Equal(t, register, state.Register())
			entries, err = state.DocumentChanges(docs, register, day)
			require.NoError(t, err)
			require.Empty(t, entries)
		}
		if len(docs) > 0 {
			_, err := state.DocumentChanges(docs[1:], register, day)
			require.ErrorContains(t, err, "withdraw it instead")
		}
		if !register.IsZero() {
			_, err := state.DocumentChanges(docs, taxonomy.Hash{}, day)
			require.ErrorContains(t, err, "settings")
		}
	}
}

// TestDocumentsLost shows that what a log has can't vanish from a document.
func TestDocumentsLost(t *testing.T) {
	id := signedlog.DocumentHash("urn:camera")
	is := signedlog.Document{ID: id, Slug: "camera", Slugs: []string{"old"}, Editions: []signedlog.Edition{{Hash: hash(1), Erased: true}, {Hash: hash(2)}}, Current: hash(2)}
	state := new(signedlog.State)
	entries, err := state.DocumentChanges([]signedlog.Document{is}, hash(3), day)
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, state.Apply(e))
	}
	for want, lose := range map[string]func(d *signedlog.Document){
		"the edition " + hash(1).String(): func(d *signedlog.Document) { d.Editions = d.Editions[1:] },
		"not erased any more":             func(d *signedlog.Document) { d.Editions = []signedlog.Edition{{Hash: hash(1)}, {Hash: hash(2)}} },
		"the slug old":                    func(d *signedlog.Document) { d.Slugs = nil },
	} {
		lost := is
		lose(&lost)
		_, err := state.DocumentChanges([]signedlog.Document{lost}, hash(3), day)
		require.ErrorContains(t, err, want)
	}
}

// changeDocuments returns documents that can follow others.
func changeDocuments(random *rand.Rand, docs []signedlog.Document) []signedlog.Document {
	next := make([]signedlog.Document, len(docs))
	for i, d := range docs {
		d.Editions, d.Slugs = append([]signedlog.Edition(nil), d.Editions...), append([]string(nil), d.Slugs...)
		for range random.IntN(3) {
			switch h := hash(1000*i + len(d.Editions)); random.IntN(4) {
			case 0:
				d.Editions, d.Current, d.Withdrawn = append(d.Editions, signedlog.Edition{Hash: h}), h, false
			case 1:
				d.Slugs = append(d.Slugs, d.Slug)
				d.Slug = fmt.Sprintf("doc-%d-%d", i, len(d.Slugs))
				d.Editions, d.Current, d.Withdrawn = append(d.Editions, signedlog.Edition{Hash: h}), h, false
			case 2:
				d.Withdrawn = true
			case 3:
				if k := random.IntN(len(d.Editions)); k > 0 { // the first one is that of earlier slugs
					d.Editions[k].Erased = true
				}
			}
		}
		next[i] = d
	}
	for range random.IntN(3) {
		i := len(next)
		next = append(next, signedlog.Document{ID: hash(i), Slug: fmt.Sprintf("doc-%d", i), Editions: []signedlog.Edition{{Hash: hash(1000 * i)}}, Current: hash(1000 * i)})
	}
	return next
}

func TestChangesRefuse(t *testing.T) {
	state := new(signedlog.State)
	require.NoError(t, state.Apply(publication("ai@2026-09-01-stable", 1)))
	_, err := state.Changes(new(taxonomy.Index), day)
	require.ErrorContains(t, err, "retire it instead")
	x, err := taxonomy.NewIndex([]taxonomy.Entry{{ID: version("ai@2026-09-01-stable"), ContentHash: hash(2)}})
	require.NoError(t, err)
	_, err = state.Changes(x, day)
	require.ErrorIs(t, err, taxonomy.ErrStableChanged)

	x, err = taxonomy.NewIndex([]taxonomy.Entry{
		{ID: version("ai@2026-09-01-stable"), ContentHash: hash(1)},
		{ID: version("ai@2026-10-01-stable"), ContentHash: hash(2)},
	})
	require.NoError(t, err)
	_, err = state.Changes(x.WithHeld(map[string]taxonomy.Version{"ai@latest": version("ai@2026-09-01-stable")}), day)
	require.EqualError(t, err, "signedlog: no entries of a log lead to the index: its alias ai@latest is held at ai@2026-09-01-stable, "+
		"and that of the log is at ai@2026-10-01-stable: make it with taxonomy.NewIndex or Index.WithVersions")
}

// Difference names the first version or datachain type that two indexes have in another way.
func TestDifference(t *testing.T) {
	entry := taxonomy.Entry{ID: version("ai@2026-09-01-stable"), ContentHash: hash(1), Aliases: []string{"ai@v1"}, Released: "2026-09-02", Archive: hash(2)}
	retired := taxonomy.RetiredVersion{ID: version("ai@2026-08-01-stable"), ContentHash: hash(3), Reason: "old"}
	index := func(entries []taxonomy.Entry, retired ...taxonomy.RetiredVersion) *taxonomy.Index {
		x, err := taxonomy.NewIndex(entries, retired...)
		require.NoError(t, err)
		return x
	}
	with := func(edit func(*taxonomy.Entry)) *taxonomy.Index {
		other := entry
		edit(&other)
		return index([]taxonomy.Entry{other}, retired)
	}
	another := retired
	another.Reason = "too old"
	log := index([]taxonomy.Entry{entry}, retired)
	for _, c := range []struct {
		log, index *taxonomy.Index
		want       string
	}{
		{log, with(func(*taxonomy.Entry) {}), ""},
		{log, index(nil, retired), "it lacks ai@2026-09-01-stable, which the log has"},
		{log, with(func(e *taxonomy.Entry) { e.ContentHash = hash(9) }), "the log has another content hash for ai@2026-09-01-stable"},
		{log, with(func(e *taxonomy.Entry) { e.Aliases = nil }), "the log has other aliases for ai@2026-09-01-stable"},
		{log, with(func(e *taxonomy.Entry) { e.Released = "" }), "the log has another release date for ai@2026-09-01-stable"},
		{log, with(func(e *taxonomy.Entry) { e.Deprecated = "2026-10-01" }), "the log has another state for ai@2026-09-01-stable"},
		{log, with(func(e *taxonomy.Entry) { e.Archive = hash(9) }), "the log has another archive for ai@2026-09-01-stable"},
		{index(nil, retired), log, "it has ai@2026-09-01-stable, which the log lacks"},
		{log, index([]taxonomy.Entry{entry}), "it does not list ai@2026-08-01-stable as retired, as the log does"},
		{log, index([]taxonomy.Entry{entry}, another), "the log has another successor, date or reason for the retired version ai@2026-08-01-stable"},
		{index([]taxonomy.Entry{entry}), log, "it lists ai@2026-08-01-stable as retired, which the log does not"},
		{log.WithEvolution("ai", []byte("{}")), log, "the log has another evolution of ai"},
		{log, log.WithEvolution("ai", []byte("{}")), "it has an evolution of ai, which the log lacks"},
	} {
		assert.Equal(t, c.want, signedlog.Difference(c.log, c.index))
		assert.Equal(t, c.want == "", c.log.Equal(c.index), c.want)
	}
}

// An index can't give an edition a later time than its entry. If the clock of the publisher went
// back a little, the entry has the time of the edition.
func TestTimesOfEditions(t *testing.T) {
	for minutes, want := range map[int]time.Time{-60: day, 0: day, 5: day.Add(5 * time.Minute), 6: {}} {
		doc := signedlog.Document{ID: hash(1), Slug: "camera", Current: hash(2), Editions: []signedlog.Edition{{Hash: hash(2), Time: day.Add(time.Duration(minutes) * time.Minute)}}}
		state := new(signedlog.State)
		changes := func() ([]*signedlog.Entry, error) {
			return state.DocumentChanges([]signedlog.Document{doc}, taxonomy.Hash{}, day)
		}
		entries, err := changes()
		if want.IsZero() {
			require.ErrorContains(t, err, "set the clock")
			continue
		}
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.Equal(t, want, entries[0].Time)
		require.NoError(t, state.Apply(entries[0]))
		entries, err = changes()
		require.NoError(t, err)
		require.Empty(t, entries)
		doc.Editions[0].Time = want.Add(6 * time.Minute)
		_, err = changes()
		require.ErrorContains(t, err, "a later time than its entry")
	}
}

// An address from before the log is entered with the first edition, so that entry has its time.
func TestTimesOfAddresses(t *testing.T) {
	doc := signedlog.Document{
		ID: hash(1), Slug: "camera", Slugs: []string{"cam"}, Current: hash(2),
		Editions: []signedlog.Edition{{Hash: hash(2), Time: day.Add(time.Minute)}},
	}
	state := new(signedlog.State)
	changes := func() ([]*signedlog.Entry, error) {
		return state.DocumentChanges([]signedlog.Document{doc}, taxonomy.Hash{}, day)
	}
	entries, err := changes()
	require.NoError(t, err)
	for _, e := range entries {
		require.NoError(t, state.Apply(e))
	}
	entries, err = changes()
	require.NoError(t, err, "readers refuse the log otherwise")
	require.Empty(t, entries)
}

func FuzzParseEntry(f *testing.F) {
	for _, e := range all(f) {
		text, err := e.JSON()
		require.NoError(f, err)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := signedlog.ParseEntry(data)
		if err != nil {
			require.ErrorIs(t, err, trust.ErrEntry)
			return
		}
		text, err := e.JSON()
		require.NoError(t, err)
		require.Equal(t, string(data), string(text))
		_ = new(signedlog.State).Apply(e)
	})
}
