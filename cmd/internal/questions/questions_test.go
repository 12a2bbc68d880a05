package questions_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/questions"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/examples/published"
)

// TestText asks the questions of the required categories, lists the choices, and says what to run.
func TestText(t *testing.T) {
	t.Parallel()
	samples, err := published.Store()
	require.NoError(t, err)
	r, err := stores.NewSet(samples).Release(t.Context(), "ai@latest")
	require.NoError(t, err)
	text := questions.Text(r, "en", "chat.json", []string{"--schemas", "my s"}, 60)
	require.True(t, strings.HasPrefix(text, "Wrote chat.json for "+r.Version().String()+". Answer"), text)
	require.True(t, strings.HasSuffix(text, "\nThen run\n  datachain validate chat.json --schemas \"my s\""), text)
	require.Contains(t, text, "\n1. What it is for: ")
	require.Contains(t, text, "   element_id: purpose.")
	require.Contains(t, text, "\nOptional categories: ")
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, report.Width(strings.TrimSuffix(line, "\n")), 60, line)
	}
	unsaved := questions.Text(r, "en", "", nil, 80)
	require.True(t, strings.HasPrefix(unsaved, "A starter document for "))
	require.True(t, strings.HasSuffix(unsaved, "\nSave it in a file.\n\nThen run\n  datachain validate FILE"), unsaved)
}
