package wording_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/stretchr/testify/require"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"äöü", 3, "äöü"},
		{"äöüß", 3, "äöü…"},
		{"🚲🚲", 1, "🚲…"},
		{"a", 0, "…"},
		{"\xff\xfe\xff", 2, "\xff\xfe…"},
	} {
		require.Equal(t, c.want, wording.Cut(c.text, c.most), "%q", c.text)
	}
}

func TestTail(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "abcd": "…bcd", "äöü": "äöü", "äöüß": "…öüß", "a\xff\xfe\xff": "…\xff\xfe\xff"} {
		require.Equal(t, want, wording.Tail(text, 3), "%q", text)
	}
}

func ExampleCut() {
	fmt.Println(wording.Cut("Überwachung", 4))
	// Output: Über…
}

func TestClip(t *testing.T) {
	require.Equal(t, "a\ufffdb\ufffd", wording.Plain("a\u202eb\xff"))
	require.Len(t, []rune(wording.Clip(strings.Repeat("é", 1000))), 81)
	require.Equal(t, `"a\tb"`, wording.Quote("a\tb"))
}

func TestOr(t *testing.T) {
	require.Empty(t, wording.Or(nil))
	require.Equal(t, "a", wording.Or([]string{"a"}))
	require.Equal(t, "a, b or c", wording.Or([]string{"a", "b", "c"}))
	require.Equal(t, "a and b", wording.And([]string{"a", "b"}))
}

func TestPrintable(t *testing.T) {
	require.Equal(t, "a\ufffdb\n\tc\ufffd", wording.Printable("a\x1bb\n\tc\u202e"))
	require.Equal(t, "a\ufffdb", wording.Line("a\nb"))
}

func TestCount(t *testing.T) {
	require.Equal(t, "0 files, 1 file, 2 files", wording.Count(0, "file")+", "+wording.Count(1, "file")+", "+wording.Count(2, "file"))
}

func TestSentence(t *testing.T) {
	require.Equal(t, "Écart", wording.Sentence("écart"))
	require.Equal(t, "Malformed", wording.Sentence("malformed"))
	require.Empty(t, wording.Sentence(""))
}

func TestSameWords(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"", "", true},
		{"No data is kept.", "No data is kept", true},
		{"保存しません。", "保存しません", true},
		{"No  data is\nkept ...", " No data is kept", true},
		{"No data is kept.", "No data is kept!", false},
		{"No data is kept.", "No data, is kept.", false},
		{"No data is kept", "no data is kept", false},
		{"1.5 m", "15 m", false},
	} {
		require.Equal(t, c.same, wording.SameWords(c.a, c.b), "%q and %q", c.a, c.b)
	}
}

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                   "plain",
		"*a* _b_ `c` [d](e) <f>":  "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\>",
		"a & b &amp; c":           "a & b \\&amp; c",
		"# heading\nnext\x1b[31m": "\\# heading next\ufffd\\[31m",
		"a|b~c!":                  "a\\|b\\~c\\!",
	} {
		require.Equal(t, want, wording.Markdown(text))
	}
}

func TestReason(t *testing.T) {
	require.Equal(t, "file does not exist", wording.Reason(fmt.Errorf("store: %w", &fs.PathError{Op: "open", Path: "a.json", Err: fs.ErrNotExist})))
	require.Equal(t, "no disk", wording.Reason(errors.New("no disk")))
}

func TestIndexLocale(t *testing.T) {
	locales := []string{"en", "zh-Hant"}
	require.Equal(t, 1, ident.IndexLocale(locales, "ZH-hant"))
	require.Equal(t, -1, ident.IndexLocale(locales, "zh"))
}

func TestIsDate(t *testing.T) {
	for text, want := range map[string]bool{"2028-02-29": true, "2026-02-29": false, "2026-2-1": false, "2026-01-01T00:00:00Z": false, "": false} {
		require.Equal(t, want, ident.IsDate(text), text)
	}
}

func TestIsURL(t *testing.T) {
	for text, want := range map[string]bool{
		"https://example.org": true, "http://example.org/a?b#c": true, "HTTPS://example.org": true,
		"ftp://example.org": false, "https:example.org": false, "//example.org": false, "example.org": false, "https://%": false, "": false,
		"https://bücher.example/é?q=ü": true, "https://[2001:db8::1]:8443/": true, "https://:80": false,
		"https://user@example.org": false, "https://example.org/a b": false, " https://example.org": false, "https://example.org/\u00a0": false,
		"https://example.org/\n": false, `https://example.org/"`: false, "https://example.org/<b>": false, `https://example.org\@b.example`: false,
	} {
		require.Equal(t, want, ident.IsURL(text), text)
	}
}
