package editorschema_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	peer "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/documenttest"
	"github.com/datachain-go/datachain/release/editorschema"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// The schemas must accept what the rules of package validate accept.

// versionSchemas compiles the schema of each release once.
type versionSchemas struct{ compiled sync.Map }

func (s *versionSchemas) of(t testing.TB, r *taxonomy.Release) *peer.Schema {
	t.Helper()
	if known, ok := s.compiled.Load(r); ok {
		return known.(*peer.Schema)
	}
	schema := compile(t, editorschema.New(r, ""))
	s.compiled.Store(r, schema)
	return schema
}

// check fails if the schema rejects a document that the rules accept. It returns
// whether the schema accepts it.
func (s *versionSchemas) check(t testing.TB, r *taxonomy.Release, doc *document.Document) bool {
	t.Helper()
	value, err := peer.UnmarshalJSON(bytes.NewReader(doc.Text()))
	require.NoError(t, err)
	rejected := s.of(t, r).Validate(value)
	if rejected == nil {
		return true
	}
	judge := validate.Instance
	if _, isResolved := doc.Root().Get("schema_snapshot"); isResolved {
		judge = validate.Resolved
	}
	result, err := judge(r, doc, nil)
	require.NoError(t, err)
	require.False(t, result.OK(), "the schema rejects a valid document: %v\n%s", rejected, doc.Text())
	return false
}

// all returns the releases of the samples and of the conformance cases by version.
func all(t testing.TB) map[string]*taxonomy.Release {
	t.Helper()
	releases := make(map[string]*taxonomy.Release)
	for _, files := range []fs.FS{published.FS(), os.DirFS("../../validate/testdata/published")} {
		store, err := fsstore.Open(files, nil)
		require.NoError(t, err)
		index, err := store.Index(t.Context())
		require.NoError(t, err)
		for _, e := range index.Entries() {
			releases[e.ID.String()], err = store.Release(t.Context(), e.ID)
			require.NoError(t, err)
		}
	}
	return releases
}

func parsed(t testing.TB, text []byte) *document.Document {
	t.Helper()
	doc, err := document.Parse(text)
	require.NoError(t, err, "%s", text)
	return doc
}

// TestSchemaAcceptsValidDocuments generates documents, thin and resolved, and
// broken ones.
func TestSchemaAcceptsValidDocuments(t *testing.T) {
	var schemas versionSchemas
	for version, release := range all(t) {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			seeds := uint64(6)
			if testing.Short() {
				seeds = 3
			}
			for seed := range seeds {
				g := documenttest.New(seed, release)
				written := g.Document()
				thin := parsed(t, g.Scramble(nil, written))
				require.True(t, schemas.check(t, release, thin), seed)
				if g.Chance(25) {
					bundle, err := resolve.Resolve(release, thin, nil)
					require.NoError(t, err)
					require.True(t, schemas.check(t, release, parsed(t, bundle.AppendJSON(nil))), seed)
				}
				var plain any
				require.NoError(t, json.Unmarshal(thin.Text(), &plain))
				text, err := json.Marshal(documenttest.Mutator{Rand: g.Rand}.Mutate(plain))
				require.NoError(t, err)
				if doc, err := document.Parse(text); err == nil {
					schemas.check(t, release, doc)
				}
				if g.Chance(25) {
					documenttest.Spoil(g.Rand, written)
					schemas.check(t, release, parsed(t, g.Scramble(nil, written)))
				}
			}
		})
	}
}

func TestSchemaAcceptsSamples(t *testing.T) {
	releases := all(t)
	var schemas versionSchemas
	for _, example := range documents.Valid() {
		doc := parsed(t, example.Text)
		pinned, _ := doc.Root().Get("schema_version")
		require.True(t, schemas.check(t, releases[pinned.Text()], doc), example.Name)
	}
}

// expressible are the codes for which JSON Schema has words. A finding of any other
// code, and a parse_error that is about a date, is left to package validate.
var expressible = []issue.Code{
	codes.InstanceElementUnknown, codes.ContextTypeUnknown,
	codes.RequiredCategoryMissing, codes.ElementRequired, codes.InstanceCategoryTooMany, codes.InstanceElementTooMany,
	codes.InstanceRequiredVariableMissing, codes.InstanceVariableUnknown, codes.InstanceVariableValueShape,
	codes.InstanceVariableValueEmpty, codes.InstanceVariableValueDuplicate,
	codes.InstanceVariableOptionUnknown, codes.InstanceVariableOptionNotApplicable, codes.InstanceSubchainUnknown,
}

// TestSchemaOfCases runs the conformance cases: the schema rejects every case
// with a finding that it can express, and no valid one.
func TestSchemaOfCases(t *testing.T) {
	releases := all(t)
	var schemas versionSchemas
	rejected := map[issue.Code]bool{}
	files, err := filepath.Glob("../../validate/testdata/cases/*/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var c struct {
			Operation, Version string
			Document           json.RawMessage
			Wanted             []issue.Issue
		}
		require.NoError(t, json.Unmarshal(text, &c), file)
		if c.Operation == "validate_resolved" {
			continue
		}
		accepted := schemas.check(t, releases[c.Version], parsed(t, c.Document))
		if _, isResolved := parsed(t, c.Document).Root().Get("schema_snapshot"); isResolved {
			continue
		}
		for _, w := range c.Wanted {
			if slices.Contains(expressible, w.Code) && w.Severity == issue.SeverityError {
				require.False(t, accepted, "%s: the schema does not find %s", file, w.Code)
				rejected[w.Code] = true
			}
		}
	}
	for _, code := range expressible {
		require.True(t, rejected[code], "no case of %s", code)
	}
}
