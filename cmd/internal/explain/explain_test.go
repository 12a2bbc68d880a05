package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/explain"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/examples/published"
)

// TestExplain explains every code, and shows the finding in its document.
func TestExplain(t *testing.T) {
	t.Parallel()
	store, err := published.Store()
	require.NoError(t, err)
	samples := stores.NewSet(store)
	all := explain.All().Codes
	require.Len(t, explain.All().Table(), len(all)+1)
	for _, c := range all {
		e := explain.Find(string(c.Code))
		require.NotNil(t, e, c.Code)
		require.NoError(t, e.Validate(t.Context(), samples), c.Code)
		text, err := e.Text(report.Style(false), 80)
		require.NoError(t, err)
		require.Contains(t, text, "\nHow to fix it: ")
		if e.Document != "" {
			require.Contains(t, text, "["+string(c.Code)+"]\n", "the document has the finding")
		}
	}
}

// TestFind ignores case, and suggests codes.
func TestFind(t *testing.T) {
	t.Parallel()
	require.NotNil(t, explain.Find("context_type_unknown"))
	require.Nil(t, explain.Find("context"))
	require.Equal(t, []string{"CONTEXT_TYPE_UNKNOWN"}, explain.Near("CONTEXT_TYPE_UNKNOWM")[:1])
	require.NotEmpty(t, explain.Near("context_"))
	require.Empty(t, explain.Near("xyzzy"))
}
