package validate_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// maxFuzzed is the size of the largest input: what a larger one finds, a small one
// finds in a fraction of the time.
const maxFuzzed = 6 << 10

// addCases adds a document of the conformance cases of each code to a fuzz target.
// All of them would take longer than a short run has, before anything new is tried.
func addCases(f *testing.F) {
	added := map[string]bool{}
	for _, c := range conformanceCases(f) {
		if code := filepath.Dir(c.file); !added[code] && len(c.Document) <= maxFuzzed {
			added[code] = true
			f.Add([]byte(c.Document))
		}
	}
}

// FuzzInstance validates any text. The verdict is the same for the canonical form of
// the text, and every path exists.
func FuzzInstance(f *testing.F) {
	addCases(f)
	release := trail(f)[stable]
	f.Fuzz(func(t *testing.T, text []byte) {
		checkVerdict(t, text, func(d *document.Document) (*validate.Result, error) {
			return validate.Instance(release, d, &validate.Options{Strict: true})
		})
	})
}

// FuzzResolved is FuzzInstance for resolved documents, with and without the live
// version.
func FuzzResolved(f *testing.F) {
	addCases(f)
	release := trail(f)[stable]
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, live := range []*taxonomy.Release{release, nil} {
			checkVerdict(t, text, func(d *document.Document) (*validate.Result, error) {
				return validate.Resolved(live, d, &validate.Options{Strict: true})
			})
		}
	})
}

// FuzzUnfinished validates any text, as editors do. Every finding has a place, and the fixes of all
// make no new syntax error.
func FuzzUnfinished(f *testing.F) {
	addCases(f)
	f.Add([]byte(`{"elements": [{"element_id": "access.pulbic", "authoring_provenance": {"element_provenance": {"x":`))
	release := trail(f)[stable]
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > maxFuzzed {
			return
		}
		read := func(text []byte) *document.Document {
			doc, err := document.ParseWith(text, &document.Options{Recover: true})
			require.NoError(t, err)
			return doc
		}
		doc, o := read(text), &validate.Options{Strict: true, Partial: true}
		for _, judge := range []func() (*validate.Result, error){
			func() (*validate.Result, error) { return validate.Instance(release, doc, o) },
			func() (*validate.Result, error) { return validate.Resolved(release, doc, o) },
		} {
			result, err := judge()
			require.NoError(t, err)
			require.False(t, result.OK() && !doc.Strict())
			for _, i := range result.Issues {
				require.LessOrEqual(t, validate.Mark(doc, i).End.Offset, len(text))
			}
			edits, _ := validate.Edits(doc, result.Issues)
			fixed, err := document.ApplyEdits(doc.Text(), edits)
			require.NoError(t, err)
			require.LessOrEqual(t, len(read(fixed).SyntaxErrors()), len(doc.SyntaxErrors()))
		}
	})
}

func checkVerdict(t *testing.T, text []byte, judge func(*document.Document) (*validate.Result, error)) {
	if len(text) > maxFuzzed {
		return
	}
	doc, err := document.Parse(text)
	if err != nil {
		return
	}
	result, err := judge(doc)
	require.NoError(t, err)
	for _, i := range result.Issues {
		printed, err := issue.ParsePath(i.Path.String())
		require.NoError(t, err)
		require.Equal(t, i.Path, printed)
	}
	if len(result.Issues) > validate.MaxFindings {
		return // the order decides which of them are listed
	}
	canonical, err := document.Canonical(text)
	require.NoError(t, err)
	require.Equal(t, verdictOf(t, doc, judge), verdictOf(t, parsed(t, canonical), judge))
}
