package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
)

// TestFunctionWords checks what is found first if a function word is in only one title and
// the subject of the query in a description.
func TestFunctionWords(t *testing.T) {
	for _, c := range []struct {
		name, locale string
		query        search.Query
		function     string // the title
		first        string
	}{
		{"beside another word", "en", search.Query{Text: "are filming"}, "Who they are", "filming"},
		{"in a regional variant", "en-GB", search.Query{Text: "are filming"}, "Who they are", "filming"},
		{"beside one that many elements have", "en", search.Query{Text: "who often"}, "Who", "often"},
		{"beside one that is not found", "en", search.Query{Text: "are zebras"}, "Who they are", ""},
		{"alone", "en", search.Query{Text: "who are"}, "Who they are", "function"},
		{"plainly", "en", search.Query{Text: "are filming", WholeWords: true}, "Who they are", "function"},
		{"of another language", "en", search.Query{Text: "qui filming"}, "Qui", "function"},
		{"of a language without a list", "pl", search.Query{Text: "are filming"}, "Are", "function"},
		{"without its accent", "es", search.Query{Text: "quien filming"}, "Quién", "filming"},
		{"in capitals", "fr", search.Query{Text: "QUI FILMING"}, "Qui", "filming"},
		{"de", "de", search.Query{Text: "fur filming"}, "Für", "filming"},
		{"it", "it", search.Query{Text: "chi filming"}, "Chi", "filming"},
		{"pt", "pt-BR", search.Query{Text: "voce filming"}, "Você", "filming"},
		{"nl", "nl", search.Query{Text: "wie filming"}, "Wie", "filming"},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs := []doc{{title: c.function}, {title: "Other", description: "filming"}}
			for range 20 {
				docs = append(docs, doc{title: "Filler often", description: "filler"})
			}
			docs[2].description += strings.Repeat(" often", 3)
			first := map[string]string{"function": "e0", "filming": "e1", "often": "e2"}[c.first]
			found := ids(must(build(t, release(t, c.locale, docs...)).Search(c.query)))
			if c.first == "" {
				require.Empty(t, found)
				return
			}
			require.NotEmpty(t, found)
			require.Equal(t, first, found[0])
		})
	}
}

// TestFunctionWordsAreNoTypos checks that a function word is never a typo or a correction.
func TestFunctionWordsAreNoTypos(t *testing.T) {
	docs := []doc{{title: "Who you are"}, {title: "Thin ice"}, {title: "Arena"}}
	for _, c := range []struct {
		locale string
		query  search.Query
		want   []string
	}{
		{"en", search.Query{Text: "area"}, []string{"e2"}},
		{"en", search.Query{Text: "area", WholeWords: true}, []string{"e0", "e2"}},
		{"pl", search.Query{Text: "area"}, []string{"e0", "e2"}},
		{"en", search.Query{Text: "then"}, []string{"e1"}},
		{"en", search.Query{Text: "this"}, []string{}},
		{"pl", search.Query{Text: "this"}, []string{"e1"}},
	} {
		found := ids(must(build(t, release(t, c.locale, docs...)).Search(c.query)))
		require.ElementsMatch(t, c.want, found, "%s %v", c.locale, c.query)
	}
}

// TestFunctionWordLists checks that every function word is one term and listed once.
func TestFunctionWordLists(t *testing.T) {
	for locale, text := range search.FunctionWords() {
		seen := map[string]bool{}
		for word := range strings.FieldsSeq(text) {
			tokens := search.Tokens(word)
			require.Len(t, tokens, 1, "%s: %s", locale, word)
			require.False(t, seen[word], "%s: duplicate %s", locale, word)
			require.True(t, search.FunctionTerms(locale)[tokens[0].Term], "%s: %s", locale, word)
			seen[word] = true
		}
		require.GreaterOrEqual(t, len(seen), 80, locale)
	}
	for locale, words := range map[string]string{
		"en": "not no without why camera long data", "fr": "son pas sans pourquoi combien car été", "es": "sin no cuánto nada",
	} {
		for word := range strings.FieldsSeq(words) {
			require.False(t, search.FunctionTerms(locale)[search.Fold(word)], "%s: %s has a meaning", locale, word)
		}
	}
	require.Empty(t, search.FunctionTerms("ja"))
	require.Empty(t, search.FunctionTerms("not a locale"))
}

// TestHasWord checks that a text of punctuation has no word.
func TestHasWord(t *testing.T) {
	for _, text := range []string{"a", "!a!", "7", "個", "wi-fi", "the"} {
		require.True(t, search.HasWord(text), text)
	}
	for _, text := range []string{"", " ", "!!!", "-", "\u00ad", "\xff", strings.Repeat(" ", search.MaxText) + "a"} {
		require.False(t, search.HasWord(text), text)
	}
}
