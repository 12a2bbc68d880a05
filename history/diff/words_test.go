package diff_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/history/diff"
)

// marked writes spans as wdiff does.
func marked(spans []diff.Span) string {
	var b strings.Builder
	for _, s := range spans {
		switch s.Kind {
		case diff.Removed:
			b.WriteString("[-" + s.Text + "-]")
		case diff.Added:
			b.WriteString("{+" + s.Text + "+}")
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"equal", "the same", "the same", "the same"},
		{"both empty", "", "", ""},
		{"empty before", "", "new", "{+new+}"},
		{"empty after", "old", "", "[-old-]"},
		{"one word", "a red bike", "a blue bike", "a [-red-]{+blue+} bike"},
		{"two words that follow", "a red old bike", "a blue new bike", "a [-red old-]{+blue new+} bike"},
		{"an insertion", "taken and left", "taken, and where it was left", "taken{+,+} and{+ where it was+} left"},
		{"case matters", "The bike", "the bike", "[-The-]{+the+} bike"},
		{"part of a word", "bikes", "bike", "[-bikes-]{+bike+}"},
		{"elision", "l’IA de demain", "l’homme de demain", "[-l’IA-]{+l’homme+} de demain"},
		{"number", "kept 1.5 years", "kept 2.5 years", "kept [-1.5-]{+2.5+} years"},
		{"punctuation", "Why? Because.", "Why! Because.", "Why[-?-]{+!+} Because."},
		{"combining mark", "cafe\u0301 noir", "cafe noir", "[-cafe\u0301-]{+cafe+} noir"},
		{"Arabic", "من يستخدم البيانات", "من يحفظ البيانات", "من [-يستخدم-]{+يحفظ+} البيانات"},
		{"Japanese", "個人情報を保存", "個人情報を共有", "個人情報を[-保存-]{+共有+}"},
		{"Hindi", "यह डेटा है", "यह सूचना है", "यह [-डेटा-]{+सूचना+} है"},
		{"a placeholder", "Ask {{contact}}.", "Ask {{contact_person}}.", "Ask [-{{contact}}-]{+{{contact_person}}+}."},
		{"a brace that is no placeholder", "a {{ b", "a {{ c", "a {{ [-b-]{+c+}"},
		{"an emoji of several", "see 👩🏽‍🔬 here", "see 👩🏽‍🚀 here", "see [-👩🏽‍🔬-]{+👩🏽‍🚀+} here"},
		{"a flag", "🇫🇷🇩🇪", "🇫🇮🇩🇪", "[-🇫🇷-]{+🇫🇮+}🇩🇪"},
		{"directives are not split", "a \u202Eb c", "a \u202Eb d", "[-a \u202Eb c-]{+a \u202Eb d+}"},
		{"marks of direction are", "a\u200F b", "a\u200F c", "a\u200F [-b-]{+c+}"},
		{"spaces", "a  b", "a b", "a[-  -]{+ +}b"},
		{"only additions stay apart", "a b", "a1 a b b1", "{+a1 +}a b{+ b1+}"},
		{"invalid UTF-8", "a \xff b", "a \xfe b", "a [-\xff-]{+\xfe+} b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, marked(diff.Words(c.before, c.after)))
		})
	}
}

// Long texts take bounded time and memory.
func TestWordsBounded(t *testing.T) {
	before, after := strings.Repeat("x y ", 100_000), strings.Repeat("y z ", 100_000)
	spans := diff.Words("same "+before+"end", "same "+after+"end")
	checkWords(t, "same "+before+"end", "same "+after+"end", spans)
	require.Len(t, spans, 4)
}

func checkWords(t *testing.T, before, after string, spans []diff.Span) {
	t.Helper()
	var a, b strings.Builder
	last := diff.Kind("")
	for _, s := range spans {
		require.NotEmpty(t, s.Text)
		require.NotEqual(t, last, s.Kind)
		require.False(t, last == diff.Added && s.Kind == diff.Removed, "what was removed comes first")
		last = s.Kind
		switch s.Kind {
		case diff.Kept:
			a.WriteString(s.Text)
			b.WriteString(s.Text)
		case diff.Removed:
			a.WriteString(s.Text)
		case diff.Added:
			b.WriteString(s.Text)
		default:
			t.Fatalf("unexpected kind %q", s.Kind)
		}
	}
	require.Equal(t, before, a.String())
	require.Equal(t, after, b.String())
	if utf8.ValidString(before) && utf8.ValidString(after) {
		for _, s := range spans {
			require.True(t, utf8.ValidString(s.Text))
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("a red bike", "a blue bike")
	f.Add("l’IA {{x}} 🇫🇷 e\u0301", "l’A {{y}} 🇫🇮 e")
	f.Add("a \u202Eb\u202C c", "\u2067\xff")
	f.Add("' ' ", "'' . _a")
	f.Fuzz(func(t *testing.T, before, after string) {
		checkWords(t, before, after, diff.Words(before, after))
	})
}

func ExampleWords() {
	for _, s := range diff.Words("Kept for one year.", "Kept for two years.") {
		fmt.Printf("%-7s %q\n", s.Kind, s.Text)
	}
	// Output:
	// kept    "Kept for "
	// removed "one year"
	// added   "two years"
	// kept    "."
}
