package view_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestUnfinished shows that a finished document has the same page while it is written.
func TestUnfinished(t *testing.T) {
	s := samples(t)
	for _, e := range documents.Valid() {
		verdict, _, err := s.Present(t.Context(), e.Text)
		require.NoError(t, err)
		if datachain.IsResolved(verdict.Document()) {
			continue // it is shown by its own snapshot
		}
		for _, locale := range []string{"en", "fr"} {
			p, err := s.Preview(t.Context(), e.Text)
			require.NoError(t, err)
			page := strings.ReplaceAll(render(t, p, &view.Options{Locale: locale, Unfinished: true}), `"quiet gap"`, `"quiet"`) // of the summary
			assert.Equal(t, render(t, present(t, s, e.Text), &view.Options{Locale: locale}), page, e.Name)
		}
	}
}

// TestUnfinishedAny shows documents in which anything is missing, or something else: a page, or an
// error of the document.
func TestUnfinishedAny(t *testing.T) {
	s := samples(t)
	random := rand.New(rand.NewPCG(1, 2))
	others := []any{nil, "", "x", 1.5, true, []any{}, map[string]any{}, []any{"x"}, []any{map[string]any{"locale": "en", "value": ""}}}
	shown := 0
	for _, e := range documents.Valid() {
		for range 40 {
			var doc any
			require.NoError(t, json.Unmarshal(e.Text, &doc))
			for range 1 + random.IntN(3) {
				change(random, doc, others)
			}
			text, err := json.Marshal(doc)
			require.NoError(t, err)
			p, err := s.Preview(t.Context(), text)
			if known, ok := errors.AsType[*datachain.Error](err); ok {
				assert.NotEqual(t, issue.CodeInternalError, known.Issue.Code, "%s: %v", text, err)
				continue
			}
			require.NoError(t, err)
			shown++
			_, _, err = view.Append(nil, p, &view.Options{Unfinished: true, Languages: true})
			require.NoError(t, err, "%s", text)
			_, _, err = view.AppendText(nil, p, view.Markdown, nil)
			require.NoError(t, err, "%s", text)
		}
	}
	assert.Greater(t, shown, 100)
}

// change removes or replaces something below a value.
func change(random *rand.Rand, v any, others []any) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		if len(keys) == 0 {
			return
		}
		slices.Sort(keys)
		switch key := keys[random.IntN(len(keys))]; random.IntN(4) {
		case 0:
			delete(v, key)
		case 1:
			v[key] = others[random.IntN(len(others))]
		default:
			change(random, v[key], others)
		}
	case []any:
		if len(v) == 0 {
			return
		}
		if i := random.IntN(len(v)); random.IntN(4) == 0 {
			v[i] = others[random.IntN(len(others))]
		} else {
			change(random, v[i], others)
		}
	}
}
