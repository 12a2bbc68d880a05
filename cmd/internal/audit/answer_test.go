package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/audit"
)

// TestAnswer shows that a release full of problems does not fill the screen, and what a summary
// says.
func TestAnswer(t *testing.T) {
	t.Parallel()
	var v audit.Checked
	for range 1000 {
		v.Problems = append(v.Problems, "a problem")
	}
	text := (&audit.Answer{Versions: []audit.Checked{v}}).Text(80)
	require.Contains(t, text, "1000 problems\n")
	require.Contains(t, text, ": and 980 more\n1 version, 1 with problems\n")

	good := []audit.Checked{{}}
	for want, a := range map[string]audit.Answer{
		"no versions\n":              {},
		"The log is older.\n":        {Problems: []string{"The log is older."}},
		"\n1 version, no problems\n": {OK: true, Versions: good},

		"\n1 version, 2 documents, 1 edition, no problems\n":         {OK: true, Versions: good, Documents: 2, Editions: 1},
		"\n1 version without problems; others do not compile\n":      {Versions: good},
		"\nThe index goes back.\n1 version, no problems\n":           {OK: true, Versions: good, Accepted: "The index goes back."},
		"\nX.\n1 version without problems, but the store has some\n": {Versions: good, Problems: []string{"X."}},
	} {
		require.Contains(t, a.Text(80), want)
	}
}
