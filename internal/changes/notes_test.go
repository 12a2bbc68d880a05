package changes

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                   "plain",
		"*a* _b_ `c` [d](e) <f>":  "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\>",
		"a & b &amp; c":           "a & b \\&amp; c",
		"# heading\nnext\x1b[31m": "\\# heading next\ufffd\\[31m",
		"a|b~c!":                  "a\\|b\\~c\\!",
	} {
		require.Equal(t, want, markdown(text))
	}
	require.Equal(t, "`a'b`", code("a`b"))
}
