package validate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/validate"
)

// TestFormats checks dates and times. checkShape compares each verdict with that of the
// standard library.
func TestFormats(t *testing.T) {
	long := strings.Repeat("x", 128)
	for format, cases := range map[string]map[string]bool{
		"timestamp": {
			"2026-06-01T10:00Z": true, "2026-06-01T10:00:59Z": true, "2026-06-01T10:00:59.123456789012Z": true, "2026-06-01T10:00+14:00": true,
			"2026-06-01T23:59:59.9-23:59": true, "0000-01-01T00:00Z": true, "9999-12-31T00:00-00:00": true,
			"2024-02-29T00:00Z": true, "2000-02-29T00:00Z": true, "1900-02-29T00:00Z": false, "2100-02-29T00:00Z": false, "2026-02-29T00:00Z": false,
			"2026-04-31T00:00Z": false, "2026-01-31T00:00Z": true, "2026-00-01T00:00Z": false, "2026-13-01T00:00Z": false, "2026-01-00T00:00Z": false,
			"2026-06-01T24:00Z": false, "2026-06-01T10:60Z": false, "2026-06-01T10:00:60Z": false,
			"2026-06-01T10:00+24:00": false, "2026-06-01T10:00+02:60": false, "2026-06-01T10:00+0200": false, "2026-06-01T10:00+02": false,
			"2026-06-01": false, "2026-06-01T10Z": false, "2026-06-01T10:00": false, "2026-06-01 10:00Z": false, "2026-06-01t10:00Z": false,
			"2026-06-01T10:00z": false, "2026-06-01T10:00:00.Z": false, "2026-06-01T10:00.5Z": false, "2026-06-01T10:00:00,5Z": false,
			"2026-06-01T10:00:Z": false, "2026-06-01T10:00:5Z": false, "2026-06-01T10:00:00": false, "2026-06-01T10:00:00.5": false,
			"20260601T1000Z": false, "2026-06-01T10:00ZZ": false, " 2026-06-01T10:00Z": false, "2026-06-01T10:00Z\n": false, "+2026-06-01T10:00Z": false,
			"２026-06-01T10:00Z": false, "": false, "Z": false,
		},
		"version": {
			"ai@2026-09-01-stable": true, "a_B-9@2026-09-01-beta": true, long + "@2026-09-01-beta": true, "ai@2024-02-29-stable": true,
			long + "x@2026-09-01-beta": false, "ai@2026-02-29-stable": false, "ai@2026-09-01-draft": false, "ai@2026-09-01": false, "ai@2026-09-01-": false,
			"ai@2026-09-01-stable\x20": false, "ai@latest": false, "@2026-09-01-stable": false, "ai2026-09-01-stable": false, "a.i@2026-09-01-stable": false,
			"ai@@2026-09-01-stable": false, "ai@2026-9-01-stable": false, "ai@2026-09-01-Stable": false, "é@2026-09-01-stable": false, "ai@": false, "": false,
		},
	} {
		for text, want := range cases {
			t.Run(format+" "+text, func(t *testing.T) {
				version, created := "ai@2026-09-01-stable", text
				if format == "version" {
					version, created = text, "2026-06-01T10:00Z"
				}
				document := fmt.Appendf(nil, `{"id":"x","schema_version":%q,"created_at":%q,"elements":[{"element_id":"y"}]}`, version, created)
				require.Equal(t, want, checkShape(t, "instance", document))
			})
		}
	}
}

// TestWrittenFormats checks ids and texts with every character of which white space or
// control characters are a part. checkShape compares the verdict with that of the
// pattern, which is all that other programs have.
func TestWrittenFormats(t *testing.T) {
	document := func(id, quote string) []byte {
		text, err := json.Marshal(map[string]any{
			"id": "x", "schema_version": "ai@2026-09-01-stable", "created_at": "2026-06-01T10:00Z",
			"elements": []any{map[string]any{"element_id": "y", "element_instance_id": id}},
			"authoring_provenance": map[string]any{"element_provenance": map[string]any{
				"y": map[string]any{"source_references": []any{map[string]any{"quote": quote}}},
			}},
		})
		require.NoError(t, err)
		return text
	}
	for r := rune(0); r <= 0x3100; r++ {
		unseen := unicode.IsSpace(r) || unicode.IsControl(r)
		if !unseen && r > 0x500 && r%64 != 0 || testing.Short() && r%16 != 0 {
			continue // letters are alike
		}
		require.Equal(t, !unseen, checkShape(t, "instance", document("camera"+string(r)+"1", "words")), "%U in an id", r)
		require.Equal(t, !unicode.IsSpace(r), checkShape(t, "instance", document("camera", " "+string(r))), "%U as a quotation", r)
	}
	require.False(t, checkShape(t, "instance", document("", "words")))
	require.False(t, checkShape(t, "instance", document("camera", "")))
	require.True(t, checkShape(t, "instance", document("\U0001F3A5.ä/1", "\u00a0words ")))
}

// TestFormatsAreDocumented: a schema with another format can't be compiled.
func TestFormatsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	for _, name := range validate.FormatNames() {
		require.Contains(t, string(page), "`"+name+"`", "name the format where CONTRIBUTING.md describes new fields")
	}
}
