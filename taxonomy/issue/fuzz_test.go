package issue_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"", "elements[3].category_id", `a["b.c"][0]["\n\u0000"]`, `["é"]`, "[01]", "a..b", `["a"]`, `["\ud800"]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := issue.ParsePath(s)
		if err != nil {
			require.ErrorContains(t, err, "malformed path")
		} else {
			require.Equal(t, s, p.String(), "each place has one spelling")
		}
		if utf8.ValidString(s) {
			// Any key can be printed and read again.
			p := issue.Root.Key("a").Key(s).Index(len(s)).Key(s)
			again, err := issue.ParsePath(p.String())
			require.NoError(t, err)
			require.True(t, p.Equal(again))
		}
	})
}
