package datachain_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
)

// TestVerdictsOutliveOthers shows that everything that judging a document returned
// remains valid while its memory is used for other documents.
func TestVerdictsOutliveOthers(t *testing.T) {
	text := read(t, "benefits.json")
	s := open(t, pinned(t, text))
	wrong := []byte(strings.Replace(string(text), `"purpose.`, `"purposse.`, 1))
	v, err := s.Validate(t.Context(), wrong, nil)
	require.NoError(t, err)
	require.NotEmpty(t, v.Issues)
	fixed, err := s.Validate(t.Context(), wrong, &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	unfixed, err := s.Validate(t.Context(), text, &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	_, bundle, err := s.Resolve(t.Context(), text, nil)
	require.NoError(t, err)
	resolved := bundle.AppendJSON(nil)
	_, shown, err := s.Present(t.Context(), resolved)
	require.NoError(t, err)
	title := shown.Datachain.Title.Pick()
	findings, after := fixed.Findings(), string(fixed.Fixed.Document.Text())

	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 10 {
				_, err := s.Validate(t.Context(), []byte(`{"id": "of another client", "elements": [{}]}`), nil)
				again, resolvedErr := s.ValidateResolved(t.Context(), resolved, nil)
				if assert.NoError(t, errors.Join(err, resolvedErr)) {
					assert.Empty(t, again.Issues)
				}
				assert.Equal(t, findings, v.Findings(), "the document is parsed again when it is needed")
			}
		})
	}
	group.Wait()

	assert.Equal(t, string(wrong), string(v.Document().Text()))
	first := v.Document()
	assert.Same(t, first, v.Document())
	assert.Equal(t, after, string(fixed.AfterFix().Document().Text()))
	assert.Equal(t, findings, fixed.Findings())
	assert.Same(t, unfixed, unfixed.AfterFix())
	assert.Equal(t, string(text), string(unfixed.Fixed.Document.Text()))
	assert.Equal(t, string(resolved), string(bundle.AppendJSON(nil)))
	assert.Equal(t, title, shown.Datachain.Title.Pick())
}
