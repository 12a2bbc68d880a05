package taxonomy_test

import (
	stdjson "encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

func FuzzParseVersion(f *testing.F) {
	for _, c := range versionCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := taxonomy.ParseVersion(s)
		if err != nil {
			require.ErrorIs(t, err, taxonomy.ErrMalformedVersion)
			require.Zero(t, v)
			return
		}
		require.Equal(t, s, v.String())
		again, err := taxonomy.NewVersion(v.Type(), v.Date(), v.Status())
		require.NoError(t, err)
		require.Equal(t, v, again)
		ref, err := taxonomy.ParseRef(s)
		require.NoError(t, err)
		require.Equal(t, v.Ref(), ref)
	})
}

func FuzzParseRef(f *testing.F) {
	for _, c := range versionCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ref, err := taxonomy.ParseRef(s)
		if err != nil {
			require.ErrorIs(t, err, taxonomy.ErrMalformedVersion)
			require.Zero(t, ref)
			return
		}
		require.Equal(t, s, ref.String())
		again, err := taxonomy.ParseRef(ref.String())
		require.NoError(t, err)
		require.Equal(t, ref, again)
		if v, ok := ref.Version(); ok {
			require.Equal(t, s, v.String())
		} else {
			_, err := taxonomy.ParseVersion(s)
			require.Error(t, err)
		}
	})
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"", "elements[3].category_id", `a["b.c"][0]["\n\u0000"]`, `["é"]`, "[01]", "a..b", `["a"]`, `["\ud800"]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := taxonomy.ParsePath(s)
		if err != nil {
			require.ErrorContains(t, err, "malformed path")
		} else {
			require.Equal(t, s, p.String(), "each place has one spelling")
		}
		if utf8.ValidString(s) {
			// Any key can be printed and read again.
			p := taxonomy.Root.Key("a").Key(s).Index(len(s)).Key(s)
			again, err := taxonomy.ParsePath(p.String())
			require.NoError(t, err)
			require.True(t, p.Equal(again))
		}
	})
}

func FuzzParseDocument(f *testing.F) {
	for _, text := range strictTexts {
		f.Add([]byte(text))
	}
	for _, c := range laxTexts {
		if len(c.text) < 1000 { // a large seed keeps the fuzzer busy with making it smaller
			f.Add([]byte(c.text))
		}
	}
	f.Add([]byte(thin))
	f.Fuzz(func(t *testing.T, text []byte) {
		given := string(text)
		doc, err := taxonomy.ParseDocument(text)
		canonical, canonicalErr := taxonomy.Canonical(text)
		require.Equal(t, given, string(text), "the text must not be changed")
		requireSameReading(t, text)
		if err != nil {
			var syntax *taxonomy.SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Equal(t, err, canonicalErr)
			require.LessOrEqual(t, syntax.Point.Offset, len(text))
			require.Positive(t, syntax.Point.Line)
			require.Positive(t, syntax.Point.Column)
			requirePlainWords(t, syntax.Reason)
			return
		}
		require.NoError(t, canonicalErr)
		require.True(t, stdjson.Valid(text), "nothing may be taken that others refuse")
		checkTree(t, doc)

		want, err := jsontext.AppendFormat(nil, text,
			jsontext.CanonicalizeRawInts(true), jsontext.CanonicalizeRawFloats(true), jsontext.ReorderRawObjects(true))
		require.NoError(t, err)
		require.Equal(t, string(want), string(canonical))
		require.Equal(t, string(want), string(doc.Root().AppendCanonical(nil)))
		again, err := taxonomy.Canonical(canonical)
		require.NoError(t, err)
		require.Equal(t, string(canonical), string(again))
	})
}

// requirePlainWords makes sure that a reason is ours, not a library's, and can
// be shown on a line.
func requirePlainWords(t *testing.T, reason string) {
	t.Helper()
	require.NotRegexp(t, "jsontext|invalid|expecting|unexpected|EOF", strings.Split(reason, "\"")[0])
	require.True(t, utf8.ValidString(reason), "%q", reason)
	require.False(t, strings.ContainsFunc(reason, unicode.IsControl), "%q", reason)
	require.Less(t, len(reason), 300)
}

func FuzzDecodeRelease(f *testing.F) {
	r := release(f)
	given := symbols(r)
	f.Add(releaseJSON(f, r))
	f.Add([]byte(oneElement(`{"id":"e","category_id":"c","symbol_id":"shield","icon_variants":["default","dark"],"title":[{"locale":"en","value":"\n"}]}`)))
	f.Add([]byte(oneElement(`{"id":"e","category_id":"c","symbol_id":"shield","icon_variants":["default","dark"],"x":9007199254740992}`)))
	f.Add([]byte(`{"categories":[],"datachain_type":{"id":"ai"},"elements":[],"manifest":{"id":"ai@2026-09-01-beta","status":"beta","locales":["en"],"content_hash":""}}`))
	f.Add([]byte(`{"symbols":{},"elements":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := taxonomy.DecodeRelease(text, given)
		if err == nil || errors.Is(err, taxonomy.ErrHashMismatch) || strings.Contains(err.Error(), "malformed content hash") {
			// Give it the hash that it should have, so that there is more to
			// see than that one is missing.
			if text, err = signed(text, given); err != nil {
				return
			}
		}
		r, err := taxonomy.DecodeRelease(text, given)
		if err != nil {
			var bad *taxonomy.ReleaseError
			require.ErrorAs(t, err, &bad)
			require.NotNil(t, bad.Path)
			return
		}
		out := releaseJSON(t, r)
		again, err := taxonomy.DecodeRelease(out, symbols(r))
		require.NoError(t, err)
		require.Equal(t, string(out), string(releaseJSON(t, again)))
		require.Equal(t, r.ContentHash(), again.ContentHash())
		require.Equal(t, r.Elements(), again.Elements())

		var ids []string
		for _, e := range r.Elements() {
			ids = append(ids, e.ID)
			var want taxonomy.Element
			require.NoError(t, stdjson.Unmarshal([]byte(r.ElementJSON(e.ID)), &want))
			require.Equal(t, want, *e)
		}
		slice, err := r.Slice(ids)
		require.NoError(t, err)
		require.Len(t, slice.AppendJSON(nil), slice.Len())

		// What was written is what was read, in canonical form.
		var wire map[string]stdjson.RawMessage
		require.NoError(t, stdjson.Unmarshal(text, &wire))
		delete(wire, "symbols")
		canonical, err := taxonomy.MarshalCanonical(wire)
		if err == nil { // a part may nest deeper inside of the whole
			require.Equal(t, string(canonical), string(out))
		}
	})
}

func FuzzDecodeIndex(f *testing.F) {
	for _, entries := range [][]taxonomy.Entry{
		nil,
		{entry("ai@2026-01-01-stable", "ai@v1"), entry("ai@2026-03-01-beta"), entry("sensor@2026-01-01-beta")},
	} {
		text, err := stdjson.Marshal(index(f, entries...))
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte(`{"versions":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := taxonomy.DecodeIndex(text)
		if err != nil {
			require.ErrorContains(t, err, "index: ")
			return
		}
		out, err := stdjson.Marshal(x)
		require.NoError(t, err)
		again, err := taxonomy.DecodeIndex(out)
		require.NoError(t, err)
		require.Equal(t, x.Entries(), again.Entries())
		for _, e := range x.Entries() {
			for _, name := range append(e.Aliases, e.ID.String()) {
				require.Equal(t, e.ID.String(), lookup(t, x, name))
			}
		}
	})
}
