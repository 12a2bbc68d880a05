package document_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// testdata/canonical.json was made with another implementation of ECMAScript's
// JSON.stringify; see canonical.mjs beside it.
func TestCanonicalVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/canonical.json")
	require.NoError(t, err)
	var cases [][2]string
	require.NoError(t, json.Unmarshal(text, &cases))
	require.Greater(t, len(cases), 200)
	for _, c := range cases {
		got := canonical(t, c[0])
		require.Equal(t, c[1], string(got), c[0])
		again, err := document.Canonical(got)
		require.NoError(t, err)
		require.Equal(t, string(got), string(again), "canonical text must stay as it is")
	}
}

// Text that looks canonical but is not.
func TestCanonicalNearMisses(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":1,"a":2}`:             `{"a":2,"b":1}`,
		`{"a":{"c":1,"b":2}}`:       `{"a":{"b":2,"c":1}}`,
		"{\"a\":1}\n":               `{"a":1}`,
		`{"a": 1}`:                  `{"a":1}`,
		`[1, 2]`:                    `[1,2]`,
		`[-0]`:                      `[0]`,
		`[1.0]`:                     `[1]`,
		`[1e2,0.10]`:                `[100,0.1]`,
		`["\u0041\/"]`:              `["A/"]`,
		`["\/"]`:                    `["/"]`,
		`["\u001F"]`:                `["\u001f"]`,
		`{"\u0061":1}`:              `{"a":1}`,
		`{"a\tb":1,"a b":2}`:        `{"a\tb":1,"a b":2}`,
		`{"é":1,"z":2}`:             `{"z":2,"é":1}`,
		"{\"\uE000\":1,\"😀\":2}":    "{\"😀\":2,\"\uE000\":1}",
		`{"😀":1,"😁":2}`:             `{"😀":1,"😁":2}`,
		`"\"\\\b\f\n\r\t"`:          `"\"\\\b\f\n\r\t"`,
		`[true,false,null,{},[],0]`: `[true,false,null,{},[],0]`,
		`[123456789012345]`:         `[123456789012345]`,
		`[1234567890123456]`:        `[1234567890123456]`,
	} {
		require.Equal(t, want, string(canonical(t, text)), text)
	}
}

// canonical returns the canonical form of a text, and checks that AppendCanonical gives
// the same.
func canonical(t *testing.T, text string) []byte {
	t.Helper()
	form, err := document.Canonical([]byte(text))
	require.NoError(t, err, text)
	doc, err := document.Parse([]byte(text))
	require.NoError(t, err, text)
	require.Equal(t, "before"+string(form), string(doc.Root().AppendCanonical([]byte("before"))), text)
	return form
}

func TestCanonicalCopies(t *testing.T) {
	text := []byte(`{"a":1}`)
	got, err := document.Canonical(text)
	require.NoError(t, err)
	text[2] = 'b'
	require.Equal(t, `{"a":1}`, string(got))
}

func TestMarshalCanonical(t *testing.T) {
	got, err := document.MarshalCanonical(map[string]any{"b": 1e-7, "a": []string{"\u2028<"}, "é": nil})
	require.NoError(t, err)
	want := "{\"a\":[\"\u2028<\"],\"b\":1e-7,\"é\":null}"
	require.Equal(t, want, string(got))
	for _, bad := range []any{func() {}, 1e300, int64(1) << 53, "\xff", map[string]any{"a": make(chan int)}} {
		_, err := document.MarshalCanonical(bad)
		require.Error(t, err)
	}
}
