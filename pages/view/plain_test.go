package view_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/pages/view"
)

// TestText: a document as text says what its page says, without markup.
func TestText(t *testing.T) {
	s := samples(t)
	for _, e := range documents.Valid() {
		p := present(t, s, e.Text)
		for _, format := range []view.Format{view.Markdown, view.Text} {
			text, summary, err := view.AppendText(nil, p, format, nil)
			require.NoError(t, err, e.Name)
			assert.Equal(t, len(p.Datachain.Elements), summary.Elements)
			assert.Contains(t, string(text), p.Datachain.ID)
			assert.NotContains(t, string(text), "<bdi")
			assert.NotContains(t, string(text), "{{")
			for line := range strings.SplitSeq(string(text), "\n") {
				assert.Equal(t, strings.TrimRight(line, " "), line)
			}
		}
	}
}

// TestTextHeadings: the text of a document names the highest value as its page does.
func TestTextHeadings(t *testing.T) {
	text, _, err := view.AppendText(nil, present(t, samples(t), sample(t, "crossing-camera.json")), view.Markdown, nil)
	require.NoError(t, err)
	assert.Contains(t, string(text), "- **Most sensitive data:** ")
	assert.NotContains(t, string(text), "At most:")
}

// TestTextWithoutRoles: the text of a document says what its page says, also if no role says which
// variable is the name of an organisation.
func TestTextWithoutRoles(t *testing.T) {
	text, _, err := view.AppendText(nil, present(t, samples(t), withoutRoles(sample(t, "benefits.json"))), view.Text, nil)
	require.NoError(t, err)
	assert.Contains(t, string(text), "- Who answers for it: Organisation that uses it – Town of Lindenau · ")
	text, _, err = view.AppendText(nil, present(t, samples(t), sample(t, "benefits.json")), view.Text, nil)
	require.NoError(t, err)
	assert.Contains(t, string(text), "- Who answers for it: Town of Lindenau")
}

func TestTextIsEscaped(t *testing.T) {
	p := present(t, samples(t), sample(t, "crossing-camera.json"))
	p.Datachain.Title[0].Value = "# A *bold* <script>\u202e title"
	p.Datachain.Description = p.Datachain.Title
	text, _, err := view.AppendText(nil, p, view.Markdown, nil)
	require.NoError(t, err)
	assert.Contains(t, string(text), `\# A \*bold\* \<script\> title`)
	text, _, err = view.AppendText(nil, p, view.Text, nil)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(text), "# A *bold* <script> title\n====="), "%.80s", text)
}

func TestTextLimits(t *testing.T) {
	p := present(t, samples(t), sample(t, "crossing-camera.json"))
	_, _, err := view.AppendText(nil, p, view.Text, &view.Options{MaxBytes: 100})
	require.ErrorIs(t, err, view.ErrTooLarge)
	_, _, err = view.AppendText(nil, p, "pdf", nil)
	require.ErrorContains(t, err, `"pdf"`)
	_, _, err = view.AppendText(nil, nil, view.Text, nil)
	require.ErrorIs(t, err, view.ErrNothing)
}
