package validate_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	peer "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/export/editorschema"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// The schemas of versions (package editorschema) must accept what the rules accept.

// versionSchemas compiles the schema of each release once.
type versionSchemas struct{ compiled sync.Map }

func (s *versionSchemas) of(t testing.TB, r *taxonomy.Release) *peer.Schema {
	t.Helper()
	if known, ok := s.compiled.Load(r); ok {
		return known.(*peer.Schema)
	}
	schema, err := peer.UnmarshalJSON(bytes.NewReader(editorschema.New(r, "")))
	require.NoError(t, err)
	c := peer.NewCompiler()
	c.UseLoader(peer.SchemeURLLoader{}) // loads nothing
	require.NoError(t, c.AddResource("version.json", schema))
	compiled, err := c.Compile("version.json")
	require.NoError(t, err)
	s.compiled.Store(r, compiled)
	return compiled
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

// TestVersionSchemaAcceptsValidDocuments generates documents, thin and resolved, and
// broken ones.
func TestVersionSchemaAcceptsValidDocuments(t *testing.T) {
	var schemas versionSchemas
	generated(t, func(t *testing.T, g generator) {
		written := g.document()
		thin := parsed(t, g.scramble(nil, written))
		require.True(t, schemas.check(t, g.release, thin))
		if g.chance(25) {
			bundle, err := resolve.Resolve(g.release, thin, nil)
			require.NoError(t, err)
			require.True(t, schemas.check(t, g.release, parsed(t, bundle.AppendJSON(nil))))
		}
		text, err := json.Marshal(mutator{g.Rand}.mutate(plain(t, written)))
		require.NoError(t, err)
		if doc, err := document.Parse(text); err == nil {
			schemas.check(t, g.release, doc)
		}
		if g.chance(25) {
			spoil(g.Rand, written)
			schemas.check(t, g.release, parsed(t, g.scramble(nil, written)))
		}
	})
}

func TestVersionSchemaAcceptsSamples(t *testing.T) {
	all := releases(t)
	var schemas versionSchemas
	for _, example := range documents.Valid() {
		doc := parsed(t, example.Text)
		pinned, _ := doc.Root().Get("schema_version")
		require.True(t, schemas.check(t, all[pinned.Text()], doc), example.Name)
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

// TestVersionSchemaOfCases runs the conformance cases: the schema rejects every case
// with a finding that it can express, and no valid one.
func TestVersionSchemaOfCases(t *testing.T) {
	all := trail(t)
	var schemas versionSchemas
	rejected := map[issue.Code]bool{}
	for _, c := range conformanceCases(t) {
		if c.Operation == "validate_resolved" {
			continue
		}
		accepted := schemas.check(t, all[c.Version], parsed(t, c.Document))
		if _, isResolved := parsed(t, c.Document).Root().Get("schema_snapshot"); isResolved {
			continue
		}
		for _, w := range c.Wanted {
			if slices.Contains(expressible, w.Code) && w.Severity == issue.SeverityError {
				require.False(t, accepted, "%s: the schema does not find %s", c.file, w.Code)
				rejected[w.Code] = true
			}
		}
	}
	for _, code := range expressible {
		require.True(t, rejected[code], "no case of %s", code)
	}
}
