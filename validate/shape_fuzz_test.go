package validate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/documenttest"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// readFull returns a document with every field of its schema.
func readFull(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/shape/full/" + name + ".json")
	require.NoError(t, err)
	return text
}

// TestShapeLikeJSONSchema mutates a full document of every schema, compares the verdict
// with that of jsonschema, and checks the explanation of each mismatch.
func TestShapeLikeJSONSchema(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 80
	}
	for _, name := range validate.JSONSchemaNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := readFull(t, name)
			var full any
			require.NoError(t, json.Unmarshal(text, &full))
			checkShape(t, name, text)
			require.True(t, peerFits(t, name, text), "the full document fits")
			m := documenttest.Mutator{Rand: rand.New(rand.NewPCG(1, 2))}
			fitting := 0
			for range rounds {
				mutated := m.Mutate(full)
				for range m.IntN(3) {
					mutated = m.Mutate(mutated)
				}
				text, err := json.Marshal(mutated)
				require.NoError(t, err)
				if checkShape(t, name, text) {
					fitting++
				}
			}
			require.GreaterOrEqual(t, fitting, rounds/40, "too few mutations fit to show anything")
			require.Less(t, fitting, rounds-rounds/40, "too many mutations fit to show anything")
		})
	}
}

// checkShape compares the verdicts on a document.
func checkShape(t *testing.T, name string, text []byte) bool {
	t.Helper()
	doc, err := document.Parse(text)
	require.NoError(t, err)
	want := peerFits(t, name, text)
	require.Equal(t, want, validate.Fits(name, doc), "%s: %s", name, text)
	var result *validate.Result
	switch name {
	case "instance":
		result, err = validate.Instance(sample(t), doc, nil)
	case "resolved":
		result, err = validate.Resolved(nil, doc, nil)
	default:
		return want
	}
	require.NoError(t, err, "%s", text)
	parseErrors := 0
	for _, i := range result.Issues {
		if i.Code == codes.ParseError {
			parseErrors++
			checkExplanation(t, doc, i)
		}
	}
	require.Equal(t, want, parseErrors == 0, "%s: %s: %v", name, text, result.Issues)
	return want
}

// checkExplanation checks the message and the hint of an issue.
func checkExplanation(t *testing.T, doc *document.Document, i issue.Issue) {
	t.Helper()
	require.Regexp(t, `(?s)^The .*\.$`, i.Message)
	require.Regexp(t, `(?s)^(write|add|rename|correct|put|resolve) .*[^.]$`, i.FixHint)
	require.NotNil(t, i.Path)
	require.Equal(t, issue.SeverityError, i.Severity)
	require.NotContains(t, i.Message, "the required form", "there are words for it")
	parent := i.Path
	if len(parent) > 0 {
		parent = parent[:len(parent)-1]
	}
	_, there := doc.Find(parent)
	require.True(t, there, "%s does not exist", i.Path)
}

// FuzzShape compares one schema at a time with the peer: the peer takes most of the
// time.
func FuzzShape(f *testing.F) {
	names := validate.JSONSchemaNames()
	add := func(text []byte, name string) {
		if i := slices.Index(names, name); i >= 0 && len(text) <= maxFuzzed {
			f.Add(text, uint8(i))
		}
	}
	for _, name := range names {
		add(readFull(f, name), name)
	}
	for i, c := range shapeCases(f) {
		if i%4 == 0 { // a test checks all of them
			add(c.Document, map[bool]string{false: "instance", true: "resolved"}[c.Resolved])
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		if _, err := document.Parse(text); err != nil || len(text) > maxFuzzed {
			return
		}
		checkShape(t, names[int(which)%len(names)], text)
	})
}

// TestNumbers checks integers in all notations, which canonical JSON writes alike.
func TestNumbers(t *testing.T) {
	for number, whole := range map[string]bool{
		"0": true, "7": true, "1.0": true, "1e2": true, "-0": true, "100e-2": true, "9007199254740991": true,
		"-1": false, "1.5": false, "1e-1": false, "1.00000000000000000000000000000000001": false, "-0.5": false,
	} {
		t.Run(number, func(t *testing.T) {
			text := fmt.Appendf(nil, `{"id":"x","schema_version":"ai@2026-09-01-stable","created_at":"2026-06-01T10:00Z",
				"elements":[{"element_id":"x","priority":%s}],"subchain_instances":[{"id":"x","subchain_id":"y","order":%[1]s}]}`, number)
			require.Equal(t, whole, checkShape(t, "instance", text))
		})
	}
}
