package documents_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

var samples = sync.OnceValues(published.Store)

// open reads a release of the sample taxonomies.
func open(t *testing.T, version string) (*taxonomy.Release, error) {
	t.Helper()
	store, err := samples()
	require.NoError(t, err)
	ref, err := taxonomy.ParseRef(version)
	require.NoError(t, err)
	return taxonomy.Open(t.Context(), store, ref)
}

// judge returns the issues of an example.
func judge(t *testing.T, e documents.Example) issue.Issues {
	t.Helper()
	doc, err := document.Parse(e.Text)
	if err != nil {
		return issue.Issues{{Code: issue.CodeBadRequest}}
	}
	version := e.Version
	if version == "" {
		pin, _ := doc.Root().Get("schema_version")
		version = pin.Text()
	}
	release, err := open(t, version)
	var result *validate.Result
	switch _, resolved := doc.Root().Get("schema_snapshot"); {
	case resolved:
		result, err = validate.Resolved(release, doc, &validate.Options{Strict: true})
	case err != nil:
		require.ErrorIs(t, err, taxonomy.ErrNotFound)
		return issue.Issues{{Code: issue.CodeNotFound}}
	default:
		result, err = validate.Instance(release, doc, &validate.Options{Strict: e.Strict})
	}
	require.NoError(t, err)
	return result.Issues
}

func TestValid(t *testing.T) {
	examples := documents.Valid()
	names := map[string]bool{}
	for _, e := range examples {
		names[e.Name] = true
		e.Strict = true
		t.Run(e.Name, func(t *testing.T) {
			require.Empty(t, judge(t, e))
			doc, err := document.Parse(e.Text)
			require.NoError(t, err)
			_, snapshot := doc.Root().Get("schema_snapshot")
			require.Equal(t, e.Resolved(), snapshot, "the name tells")
			if !e.Resolved() {
				compareResolved(t, e, doc)
			}
		})
	}
	require.GreaterOrEqual(t, len(names), 10)
}

// compareResolved compares the resolved twin of a thin document with the result of
// resolving it.
func compareResolved(t *testing.T, e documents.Example, doc *document.Document) {
	t.Helper()
	pin, _ := doc.Root().Get("schema_version")
	release, err := open(t, pin.Text())
	require.NoError(t, err)
	bundle, err := resolve.Resolve(release, doc, nil)
	require.NoError(t, err)
	goldentest.File(t, strings.TrimSuffix(e.Name, ".json")+".resolved.json", string(bundle.AppendJSON(nil)))
}

// TestInvalid checks that each code of documents has an example that gets only
// that code.
func TestInvalid(t *testing.T) {
	codes := []issue.Code{issue.CodeBadRequest, issue.CodeNotFound}
	for _, c := range issue.Codes() {
		// A document with a snapshot is an example of a resolved one.
		if strings.HasPrefix(c.RaisedBy, "validate") && c.Code != "SNAPSHOT_NOT_CHECKED" {
			codes = append(codes, c.Code)
		}
	}
	for _, code := range codes {
		t.Run(string(code), func(t *testing.T) {
			e, ok := documents.Invalid(code)
			require.True(t, ok, "write examples/documents/_invalid/%s.json", code)
			issues := judge(t, e)
			if code == "REGISTER_INVALID" {
				require.Empty(t, issues, "the rule is not of package validate, but in register/rule")
				return
			}
			require.True(t, slices.ContainsFunc(issues, func(i issue.Issue) bool { return i.Code == code }))
			for _, i := range issues {
				if i.Code != "SNAPSHOT_NOT_COMPARED" { // small snapshots are those of an invented version
					require.Equal(t, code, i.Code, "%s", i)
				}
			}
		})
	}
	files, err := os.ReadDir("_invalid")
	require.NoError(t, err)
	for _, f := range files {
		require.True(t, slices.Contains(codes, issue.Code(strings.TrimSuffix(f.Name(), ".json"))), f.Name())
	}
	_, ok := documents.Invalid("../air-station")
	require.False(t, ok)
}

func Example() {
	example, _ := documents.Invalid("CONTEXT_TYPE_UNKNOWN")
	doc, err := document.Parse(example.Text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Root().Len(), "fields,", example.Name)
	// Output: 4 fields, CONTEXT_TYPE_UNKNOWN.json
}
