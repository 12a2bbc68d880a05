package datachain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
)

// TestFree shows that what was made of a document remains valid when its memory is used
// for another one.
func TestFree(t *testing.T) {
	text := read(t, "benefits.json")
	s := openIn(t, datachain.New(sampleStore(t), nil), pinned(t, text))
	wrong := []byte(strings.Replace(string(text), `"purpose.`, `"purposse.`, 1))
	before, err := s.Validate(t.Context(), wrong, &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	require.NotEmpty(t, before.Issues)
	issues := before.Issues
	v, bundle, err := s.Resolve(t.Context(), text)
	require.NoError(t, err)
	resolved := string(bundle.AppendJSON(nil))

	before.Free()
	v.Free()
	assert.Nil(t, v.Document)
	v.Free() // has no effect
	require.NotNil(t, before.Fixed)
	before.Fixed.Verdict.Free()
	assert.NotNil(t, before.Fixed.Verdict.Document, "it has its own memory")
	for range 3 {
		v, err = s.Validate(t.Context(), wrong, nil)
		require.NoError(t, err)
		assert.Equal(t, issues, v.Issues)
		again, err := s.ValidateResolved(t.Context(), []byte(resolved), nil)
		require.NoError(t, err)
		assert.Empty(t, again.Issues)
		v.Free()
		again.Free()
	}
	assert.Equal(t, resolved, string(bundle.AppendJSON(nil)))
	(&datachain.Verdict{}).Free() // has no effect
}

// TestFreeUnfixed shows that a document without anything to fix stays as long as Fixed has
// it.
func TestFreeUnfixed(t *testing.T) {
	text := read(t, "benefits.json")
	s := openIn(t, datachain.New(sampleStore(t), nil), pinned(t, text))
	v, err := s.Validate(t.Context(), text, &datachain.ValidateOptions{Fix: true})
	require.NoError(t, err)
	v.Free()
	for range 3 {
		other, err := s.Validate(t.Context(), []byte(`{"id": "of another client"}`), nil)
		require.NoError(t, err)
		other.Free()
	}
	assert.Equal(t, string(text), string(v.Fixed.Verdict.Document.Text()))
	assert.Empty(t, v.Fixed.Verdict.Findings())
}
