package issue_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestRemedies(t *testing.T) {
	for _, info := range issue.Codes() {
		r, ok := issue.LookupRemedy(info.Code)
		require.True(t, ok, "%s has no remedy", info.Code)
		assert.True(t, strings.HasSuffix(r.Advice, "."), "%s: the advice is a sentence", info.Code)
		assert.NotEmpty(t, r.Bad, info.Code)
		assert.NotEqual(t, r.Bad, r.Good, info.Code)
		for _, part := range []string{r.Bad, r.Good} {
			assert.Equal(t, strings.TrimSpace(part), part, info.Code)
			assert.True(t, wellFormed(part), "%s: %s", info.Code, part)
		}
	}
	_, ok := issue.LookupRemedy("no_such_code")
	require.False(t, ok)
}

// wellFormed reports whether a part of a JSON document can be pasted into one.
func wellFormed(part string) bool {
	switch {
	case part == "":
		return true
	case part[0] == '"':
		return json.Valid([]byte("{" + part + "}"))
	case part[0] == '[', part[0] == '{':
		return json.Valid([]byte("[" + part + "]"))
	}
	return true // YAML, SVG or HTTP
}

func TestCodeURL(t *testing.T) {
	for base, want := range map[string]string{
		"":                         "https://github.com/datachain-go/datachain/blob/main/docs/codes.md#parse_error",
		"https://example.org":      "https://example.org/codes/parse_error",
		"https://example.org/t/":   "https://example.org/t/codes/parse_error",
		"http://localhost:8080/x/": "http://localhost:8080/x/codes/parse_error",
	} {
		assert.Equal(t, want, issue.Code(codes.ParseError).URL(base))
	}
}
