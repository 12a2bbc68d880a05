package search_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

func textOf(e *taxonomy.Element, f search.Field, locale string) string {
	l := map[search.Field]taxonomy.Localized{
		search.Title: e.Title, search.Description: e.Description, search.Keywords: e.Keywords,
	}[f]
	text, _ := l.Get(locale)
	return text
}

// checkPlaces checks the guarantees of Places.
func checkPlaces(t testing.TB, x *search.Index, e *taxonomy.Element, places []search.Place) {
	t.Helper()
	order := []search.Field{search.Title, search.Description, search.Keywords}
	field, end := 0, 0
	for _, p := range places {
		for field < len(order) && order[field] != p.Field {
			field, end = field+1, 0
		}
		require.Less(t, field, len(order), "fields are out of order, or unknown: %v", places)
		text := textOf(e, p.Field, x.Locale())
		require.True(t, end <= p.Start && p.Start < p.End && p.End <= len(text), "%v in %q", places, text)
		require.True(t, utf8.RuneStart(text[p.Start]) && (p.End == len(text) || utf8.RuneStart(text[p.End])), "%v in %q", places, text)
		end = p.End
	}
}

// marked returns the texts of an element with places in brackets.
func marked(x *search.Index, e *taxonomy.Element, places []search.Place) string {
	var b strings.Builder
	for _, f := range []search.Field{search.Title, search.Description, search.Keywords} {
		text, at := textOf(e, f, x.Locale()), 0
		for _, p := range places {
			if p.Field == f {
				b.WriteString(text[at:p.Start] + "[" + text[p.Start:p.End] + "]")
				at = p.End
			}
		}
		b.WriteString(text[at:] + "|")
	}
	return strings.TrimSuffix(b.String(), "|")
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		name  string
		doc   doc
		query search.Query
		want  string
	}{
		{"every field", doc{title: "Camera", description: "A camera.", keywords: "camera video"}, search.Query{Text: "CAMERA"}, "[Camera]|A [camera].|[camera] video"},
		{"every word that says something", doc{title: "Who sees the video", description: "Staff"}, search.Query{Text: "video who"}, "Who sees the [video]|Staff|"},
		{"every word but function words", doc{title: "Where the camera is, and where not", description: "Staff sees it."}, search.Query{Text: "where is the staff camera"}, "Where the [camera] is, and where not|[Staff] sees it.|"},
		{"function words alone", doc{title: "Who they are"}, search.Query{Text: "who are"}, "[Who] they [are]||"},
		{"function words beside a word that is not found", doc{title: "Who they are"}, search.Query{Text: "who are zebras"}, "Who they are||"},
		{"function words of a plain query", doc{title: "Who films"}, search.Query{Text: "who films", WholeWords: true}, "[Who] [films]||"},
		{"the beginning of a word", doc{title: "Cameras on a cam"}, search.Query{Text: "cam"}, "[Cameras] on a [cam]||"},
		{"a whole word", doc{title: "Cameras on a cam"}, search.Query{Text: "cam", WholeWords: true}, "Cameras on a [cam]||"},
		{"only the last may be unfinished", doc{title: "Cameras, videos"}, search.Query{Text: "cam vid"}, "Cameras, [videos]||"},
		{"a typo", doc{title: "Surveillance camera"}, search.Query{Text: "survellance"}, "[Surveillance] camera||"},
		{"accents", doc{title: "L’ÉLÈVE, e\u0301le\u0300ve"}, search.Query{Text: "eleve"}, "L’[ÉLÈVE], [e\u0301le\u0300ve]||"},
		{"letters that overlap", doc{title: "個人情報を守る"}, search.Query{Text: "人情報"}, "個[人情報]を守る||"},
		{"words that a hyphen joins", doc{title: "By Wi-Fi"}, search.Query{Text: "wifi"}, "By [Wi-Fi]||"},
		{"the same, joined", doc{title: "By Wi-Fi and wifi"}, search.Query{Text: "wi\u2011fi"}, "By [Wi-Fi] and [wifi]||"},
		{"one of these", doc{title: "By Wi-Fi"}, search.Query{Text: "fi"}, "By Wi-[Fi]||"},
		{"the end of these, and a beginning that an apostrophe cuts off", doc{title: "Aujourd’hui-même"}, search.Query{Text: "aujourd hui-même"}, "[Aujourd]’[hui-même]||"},
		{"a letter of a pair", doc{title: "個人情報", keywords: "目 目的"}, search.Query{Text: "目"}, "個人情報||[目] [目的]"},
		{"the second letter of a pair", doc{title: "安全", keywords: "全"}, search.Query{Text: "全"}, "[安全]||[全]"},
		{"no variables", doc{title: "Seen", description: "By {{camera}} camera"}, search.Query{Text: "camera"}, "Seen|By {{camera}} [camera]|"},
		{"nothing", doc{title: "Camera"}, search.Query{Text: "zebra"}, "Camera||"},
		{"no words", doc{title: "Camera"}, search.Query{Text: " … "}, "Camera||"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := build(t, release(t, "en", c.doc))
			e := x.Release().Elements()[0]
			places := x.Places(e, c.query)
			checkPlaces(t, x, e, places)
			require.Equal(t, c.want, marked(x, e, places))
			require.Equal(t, len(places) > 0, must(x.Search(c.query)).Total > 0)
		})
	}
}
