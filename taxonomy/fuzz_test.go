package taxonomy_test

import (
	stdjson "encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
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

// maxFuzzed is the size of the largest input: what a larger one finds, a small one
// finds in a fraction of the time.
const maxFuzzed = 4 << 10

func FuzzDecodeRelease(f *testing.F) {
	small := content() // with one element
	small.Elements = small.Elements[:1]
	r, err := taxonomy.NewRelease(beta, small)
	require.NoError(f, err)
	given := symbols(r)
	f.Add(releaseJSON(f, r))
	f.Add([]byte(oneElement(`{"id":"e","category_id":"c","symbol_id":"shield","icon_variants":["default","dark"],"title":[{"locale":"en","value":"\n"}]}`)))
	f.Add([]byte(oneElement(`{"id":"e","category_id":"c","symbol_id":"shield","icon_variants":["default","dark"],"x":9007199254740992}`)))
	f.Add([]byte(`{"categories":[],"datachain_type":{"id":"ai"},"elements":[],"manifest":{"id":"ai@2026-09-01-beta","status":"beta","locales":["en"],"content_hash":""}}`))
	f.Add([]byte(`{"symbols":{},"elements":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > maxFuzzed {
			return
		}
		_, err := taxonomy.DecodeRelease(text, given)
		if err == nil || errors.Is(err, taxonomy.ErrHashMismatch) || strings.Contains(err.Error(), "malformed content hash") {
			// Set the hash, so that the release is checked further.
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
		_, err = r.SortIDs(ids)
		require.NoError(t, err)

		// The release is written as it was read, in canonical form.
		var wire map[string]stdjson.RawMessage
		require.NoError(t, stdjson.Unmarshal(text, &wire))
		delete(wire, "symbols")
		canonical, err := document.MarshalCanonical(wire)
		if err == nil { // a part can nest deeper inside the release
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
	f.Add([]byte(`{"format":1,"sequence":7,"versions":[],"signature":{"b":1.0,"a":2}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		x, err := taxonomy.DecodeIndex(text)
		if err != nil {
			require.ErrorContains(t, err, "index: ")
			return
		}
		out, err := taxonomy.EncodeIndex(x)
		require.NoError(t, err)
		again, err := taxonomy.DecodeIndex(out)
		require.NoError(t, err)
		once, err := taxonomy.EncodeIndex(again)
		require.NoError(t, err)
		require.Equal(t, string(out), string(once))
		for _, e := range x.Entries() {
			for _, name := range append(e.Aliases, e.ID.String()) {
				require.Equal(t, e.ID.String(), lookup(t, x, name))
			}
		}
	})
}
