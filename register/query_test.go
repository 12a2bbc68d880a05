package register_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/cputime"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
)

func TestFind(t *testing.T) {
	s := registertest.Town(t).State()
	require.Equal(t, []string{"en", "fr"}, s.Languages()[:2])
	for _, c := range []struct{ query, want string }{
		{"", "air-9 mill-street air-10 benefits chat"},
		{"sort=change", "air-9 mill-street air-10 benefits chat"},
		{"sort=title", "air-9 air-10 chat benefits mill-street"}, // numbers and accents as people read them
		{"sort=title&lang=fr", "air-9 air-10 benefits chat mill-street"},
		{"status=retired", "old-counter"},
		{"status=in_use,trial", "mill-street benefits chat"},
		{"status=in_use&status=trial&sort=title", "chat benefits mill-street"},
		{"type=ai", "benefits chat"},
		{"type=ai&status=trial", ""},
		{"type=unheard-of", ""},
		{"organisation=city+of+LINDENAU", "mill-street benefits"}, // one organisation, by a name that both have
		{"organisation=https://lindenau.example/", "mill-street benefits"},
		{"organisation=Ville de Lindenau", "mill-street benefits"},
		{"organisation=%3Dcmd()|Meteo, Ltd", "air-10"},
		{"theme=Logement", "benefits"},
		{"theme=housing&theme=traffic", "mill-street benefits"},
		{"place=rue du moulin", "mill-street"},
		{"element=device.camera", "mill-street"},
		{"element=device.camera,purpose.benefits", "mill-street benefits"},
		{"data=personal", "benefits chat"},
		{"data=could_identify_people,personal", "mill-street benefits chat"},
		{"risk=limited", "chat"},
		{"data=ai:personal", "benefits chat"},
		{"data=sensor:personal", ""},
		{"decision=decision.advised", "benefits"},
		{"decision=.not_known", "air-9 mill-street air-10"},
		{"organisation=City Library", "chat"}, // who answers for it, by the summary
		{"q=zebra", "mill-street"},
		{"q=crossing", "mill-street"},
		{"q=moulin&lang=fr", "mill-street"},      // a place
		{"q=meteo", "air-10"},                    // an organisation
		{"q=station&sort=title", "air-9 air-10"}, // a title
		{"q=station&sort=change", "air-9 air-10"},
		{"q=eclair", "benefits"}, // without the accent
		{"q=zzzzzz", ""},
		{"q=+++", "air-9 mill-street air-10 benefits chat"}, // no words
		{"q=station&type=ai", ""},
		{"q=webcams", "mill-street"},                        // a keyword of an element
		{"q=vid%C3%A9osurveillance&lang=fr", "mill-street"}, // in another language
		{"q=zebra+webcam", "mill-street"},                   // its own word and a keyword
		{"q=zebra+library", ""},                             // two documents have one each
		{"q=zebra+zzzzzz", ""},
		{"q=the+zebra", "mill-street"},
	} {
		t.Run(c.query, func(t *testing.T) {
			values, err := url.ParseQuery(c.query)
			require.NoError(t, err)
			q, err := register.ParseQuery(values)
			require.NoError(t, err)
			r, err := s.Find(q)
			require.NoError(t, err)
			require.Equal(t, c.want, registertest.Found(r))
		})
	}
}

// TestFindSynonym checks that a search also finds the synonyms of the taxonomy, in its
// language.
func TestFindSynonym(t *testing.T) {
	dir := t.TempDir()
	registertest.Sample(t, dir, "library-chat", "chat", 1, map[string]any{"title": registertest.Title("es", "Se puede apagar", "fr", "Bonjour")})
	s := registertest.OpenDir(t, dir).State()
	for locale, want := range map[string]string{"es": "chat", "fr": ""} {
		r, err := s.Find(register.Query{Text: "desconectar", Locale: locale})
		require.NoError(t, err)
		require.Equal(t, want, registertest.Found(r), locale)
	}
}

// TestFindOwnWords checks that own words count more than those of elements, and that a list says by
// which elements it found a document.
func TestFindOwnWords(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("Much else is said here. ", 200)
	registertest.Sample(t, dir, "crossing-camera", "camera", 1, nil)
	registertest.Sample(t, dir, "air-station", "own", 2, map[string]any{"title": registertest.Title("en", "Air"), "description": registertest.Title("en", long+"No webcam.")})
	registertest.Sample(t, dir, "wifi-counter", "old", 3, map[string]any{"title": registertest.Title("en", "Webcam"), "register": map[string]any{"status": "retired"}})
	s := registertest.OpenDir(t, dir).State()
	find := func(q register.Query) *register.Result {
		r, err := s.Find(q)
		require.NoError(t, err)
		return r
	}
	titles := func(r *register.Result, i int) (list []string) {
		for _, e := range r.MatchedBy(i) {
			list = append(list, e.Title.Pick("en"))
		}
		return list
	}
	r := find(register.Query{Text: "webcam"})
	require.Equal(t, "own camera", registertest.Found(r))
	require.Empty(t, titles(r, 0))
	require.Equal(t, []string{"Camera"}, titles(r, 1), "by a keyword")
	require.Equal(t, 1, r.Retired())
	require.Equal(t, []string{"Camera"}, titles(find(register.Query{Text: "webcam", Sort: register.ByTitle}), 1), "in any order")
	retired := find(register.Query{Text: "webcam", Values: map[register.Field][]string{register.ByStatus: {"retired"}}})
	require.Equal(t, "old", registertest.Found(retired))
	require.Zero(t, retired.Retired(), "it is in the list")
	require.Empty(t, retired.MatchedBy(0))
	require.Equal(t, 1, find(register.Query{}).Retired())
	require.Zero(t, find(register.Query{Text: "zzzzzz"}).Retired(), "it does not match")
	require.Empty(t, find(register.Query{}).MatchedBy(0))
}

// TestFindOverdue finds documents whose review is overdue on a day.
func TestFindOverdue(t *testing.T) {
	dir := t.TempDir()
	registertest.Sample(t, dir, "library-chat", "due", 1, map[string]any{"register": map[string]any{"review_by": "2026-05-31"}})
	registertest.Sample(t, dir, "crossing-camera", "camera", 3, nil)
	registertest.Sample(t, dir, "wifi-counter", "retired", 4, map[string]any{"register": map[string]any{"status": "retired", "review_by": "2020-01-01"}})
	s := registertest.OpenDir(t, dir).State()
	for day, want := range map[string]struct{ found, values string }{
		"2026-05-31": {"", "[]"}, "2026-06-01": {"due", "[review_overdue 1]"},
	} {
		values := func(q register.Query) (list []string) {
			q.Day = day
			r, err := s.Find(q)
			require.NoError(t, err)
			for _, f := range r.Facets() {
				for _, v := range f.Values {
					if f.Field == register.ByGap {
						list = append(list, fmt.Sprint(v.Value, " ", v.Count))
					}
				}
			}
			return list
		}
		r, err := s.Find(register.Query{Values: map[register.Field][]string{register.ByGap: {"review_overdue"}}, Day: day})
		require.NoError(t, err)
		require.Equal(t, want.found, registertest.Found(r))
		require.Equal(t, want.values, fmt.Sprint(values(register.Query{})), day)
		require.Len(t, values(register.Query{Text: "zzzzzz"}), len(want.found)/len("due"), "if nothing is found, what there is on that day")
		require.Empty(t, values(register.Query{Values: map[register.Field][]string{register.ByStatus: {"retired"}}}))
	}
}

// TestFindLevels: values of a taxonomy are those of a datachain type, and of several types if they have
// the same id.
func TestFindLevels(t *testing.T) {
	s := registertest.Town(t).State()
	r, err := s.Find(register.Query{})
	require.NoError(t, err)
	values := make(map[register.Field][]string)
	for _, f := range r.Facets() {
		for _, v := range f.Values {
			values[f.Field] = append(values[f.Field], fmt.Sprint(v.Type, " ", v.Value, " ", v.Count))
			if f.Field == register.ByData {
				require.Equal(t, v.Value, v.Level.ID)
				require.NotEmpty(t, v.Context.Order)
			}
		}
	}
	require.Equal(t, []string{"sensor does_not_identify_people 2", "ai personal 2", "sensor could_identify_people 1"}, values[register.ByData])
	require.Equal(t, []string{"ai decision.advised 1", "ai decision.information 1"}, values[register.ByDecision])
}

// TestFindByAnswered checks the order of who answers within the fewest days.
func TestFindByAnswered(t *testing.T) {
	dir := t.TempDir()
	for i, answered := range []map[string]any{
		{"answered": 3, "days": 9}, nil, {"answered": 1, "days": 0}, {"answered": 0, "days": 1}, {"answered": 2}, {"answered": 4, "days": 2},
	} {
		members := map[string]any{}
		if answered != nil {
			answered["from"], answered["to"], answered["asked"] = "2026-01-01", "2026-06-30", 4
			members["register"] = map[string]any{"answered": answered}
		}
		registertest.Sample(t, dir, "air-station", fmt.Sprint("doc-", i), 1+i, members)
	}
	s := registertest.OpenDir(t, dir).State()
	r, err := s.Find(register.Query{Sort: register.ByAnswered})
	require.NoError(t, err)
	require.Equal(t, "doc-2 doc-5 doc-0 doc-4 doc-3 doc-1", registertest.Found(r), "who does not say it is last, the newest first")
}

func TestFindRefuses(t *testing.T) {
	s := registertest.Town(t).State()
	for query, param := range map[string]string{
		"sort=best": "sort", "status=gone": "status", "lang=not+a+language": "locale",
		"gap=hole": "gap",
		"theme=" + strings.Repeat("a&theme=", 50) + "a": "theme",
	} {
		values, err := url.ParseQuery(query)
		require.NoError(t, err)
		_, err = register.ParseQuery(values)
		var known *datachain.Error
		require.ErrorAs(t, err, &known, query)
		require.Equal(t, param, known.Param)
		require.NotEmpty(t, known.Issue.FixHint)
	}
	_, err := s.Find(register.Query{Values: map[register.Field][]string{"colour": {"red"}}})
	require.Error(t, err)
}

// Each field is counted without its own filter, so that another value can be chosen.
func TestFacets(t *testing.T) {
	s := registertest.Town(t).State()
	facets := func(q register.Query) map[register.Field][]register.FacetValue {
		r, err := s.Find(q)
		require.NoError(t, err)
		all := make(map[register.Field][]register.FacetValue)
		for _, f := range r.Facets() {
			all[f.Field] = f.Values
		}
		return all
	}
	all := facets(register.Query{})
	require.Equal(t, []register.FacetValue{{Value: "sensor", Title: "sensor", Count: 3}, {Value: "ai", Title: "ai", Count: 2}}, all[register.ByType])
	require.Equal(t, []register.FacetValue{{Value: "trial", Title: "trial", Count: 1}, {Value: "in_use", Title: "in_use", Count: 2}, {Value: "retired", Title: "retired", Count: 1}}, all[register.ByStatus],
		"in the order of the life of a system")
	require.Equal(t, register.FacetValue{Value: "https://lindenau.example/", Title: "City of Lindenau", Count: 2}, all[register.ByOrganisation][0])
	french := facets(register.Query{Locale: "fr-CA", Values: map[register.Field][]string{register.ByType: {"ai"}}})
	require.Equal(t, []register.FacetValue{{Value: "ai", Title: "ai", Count: 2, Selected: true}, {Value: "sensor", Title: "sensor", Count: 3}}, french[register.ByType])
	require.Contains(t, french[register.ByOrganisation], register.FacetValue{Value: "https://lindenau.example/", Title: "Ville de Lindenau", Count: 1})
	require.Contains(t, french[register.ByTheme], register.FacetValue{Value: "Housing", Title: "Logement", Count: 1})
	require.NotContains(t, french, register.ByPlace)
	none := facets(register.Query{Text: "zebra", Values: map[register.Field][]string{register.ByType: {"ai"}}})
	require.Equal(t, []register.FacetValue{{Value: "ai", Title: "ai", Selected: true}, {Value: "sensor", Title: "sensor", Count: 1}}, none[register.ByType])
	// If nothing is found, all values remain.
	nothing := facets(register.Query{Text: "zzzzzz"})
	require.Len(t, nothing, len(all))
	for field, values := range all {
		for _, v := range values {
			v.Count = 0
			require.Contains(t, nothing[field], v, field)
		}
	}
}

// TestLanguages checks which language a register has if nothing asks for one, for lists and
// for each document.
func TestLanguages(t *testing.T) {
	for name, c := range map[string]struct {
		titles [][]string
		want   string
	}{
		"most titles":         {[][]string{{"es", "a"}, {"fr", "b", "en", "b"}, {"fr", "c", "es", "c"}}, "fr"},
		"the taxonomy's":      {[][]string{{"es", "a", "ar", "a"}, {"fr", "b", "en", "b"}, {"en", "c"}, {"ar", "d", "de", "d"}}, "en"},
		"not the alphabet's":  {[][]string{{"en", "a", "de", "a", "ar", "a"}, {"en", "b", "ar", "b"}}, "en"},
		"not in the taxonomy": {[][]string{{"nl", "a"}, {"nl", "b"}, {"en", "c"}}, "nl"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for i, texts := range c.titles {
				registertest.Sample(t, dir, "air-station", fmt.Sprintf("doc-%d", i), 1, map[string]any{"title": registertest.Title(texts...)})
			}
			s := registertest.OpenDir(t, dir).State()
			require.Empty(t, s.Refused())
			require.Equal(t, c.want, s.Languages()[0])
			r, err := s.Find(register.Query{Locale: "ja"})
			require.NoError(t, err)
			require.Equal(t, c.want, r.Query.Locale)
			for _, d := range s.Documents() {
				languages := s.LanguagesOf(d)
				require.ElementsMatch(t, d.Locales, languages)
				if slices.Contains(d.Locales, c.want) {
					require.Equal(t, c.want, languages[0], d.Slug)
				}
			}
		})
	}
}

// TestFacetCounts compares the counts with the lists that they promise, of few documents and
// of most.
func TestFacetCounts(t *testing.T) {
	s := registertest.OpenDir(t, registertest.Many(t, 60)).State()
	require.Empty(t, s.Refused())
	for _, query := range []string{"", "q=street", "q=harbour", "theme=water", "theme=water&status=in_use", "status=in_use&status=trial&status=paused&status=planned", "type=ai"} {
		values, err := url.ParseQuery(query)
		require.NoError(t, err)
		q, err := register.ParseQuery(values)
		require.NoError(t, err)
		r, err := s.Find(q)
		require.NoError(t, err)
		for _, f := range r.Facets() {
			for _, v := range f.Values {
				one := q
				one.Values = maps.Clone(q.Values)
				one.Values[f.Field] = []string{v.Value}
				found, err := s.Find(one)
				require.NoError(t, err)
				require.Equal(t, found.Len(), v.Count, "%s %s %s", query, f.Field, v.Value)
			}
		}
	}
}

func TestPages(t *testing.T) {
	s := registertest.Town(t).State()
	r, err := s.Find(register.Query{Sort: register.ByTitle})
	require.NoError(t, err)
	var all []*register.Document
	cursor := ""
	for range 3 {
		page, next, err := r.Page(2, cursor)
		require.NoError(t, err)
		all, cursor = append(all, page...), next
	}
	require.Empty(t, cursor)
	require.Equal(t, registertest.Found(r), registertest.Slugs(all))
	_, cursor, err = r.Page(2, "")
	require.NoError(t, err)
	other, err := s.Find(register.Query{Sort: register.ByChange})
	require.NoError(t, err)
	for _, wrong := range []string{"?", "AAAA", cursor[1:], strings.Repeat("A", 300), "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} {
		_, _, err := r.Page(2, wrong)
		require.Error(t, err, wrong)
	}
	_, _, err = other.Page(2, cursor)
	require.ErrorContains(t, err, "cursor")
	_, _, err = r.Page(0, "")
	require.ErrorContains(t, err, "The limit must be at least 1.")
	_, err = s.Find(register.Query{Values: map[register.Field][]string{"statsu": {"trial"}}})
	require.ErrorContains(t, err, `There is no field "statsu". (use type, status, `)
	// A change before the cursor neither repeats nor skips documents.
	dir := t.TempDir()
	for _, name := range []string{"b", "c", "d"} {
		registertest.Sample(t, dir, "air-station", name, 1, map[string]any{"title": registertest.Title("en", name)})
	}
	before, err := registertest.OpenDir(t, dir).State().Find(register.Query{Sort: register.ByTitle})
	require.NoError(t, err)
	_, cursor, err = before.Page(2, "")
	require.NoError(t, err)
	registertest.Sample(t, dir, "air-station", "a", 1, map[string]any{"title": registertest.Title("en", "a")})
	after, err := registertest.OpenDir(t, dir).State().Find(register.Query{Sort: register.ByTitle})
	require.NoError(t, err)
	page, next, err := after.Page(2, cursor)
	require.NoError(t, err)
	require.Equal(t, "d", registertest.Slugs(page))
	require.Empty(t, next)
}

// BenchmarkFind measures lists of 10,000 documents that were not asked for before. The
// index of a language is built once, which index measures.
func BenchmarkFind(b *testing.B) {
	r := registertest.OpenDir(b, registertest.Many(b, 10_000))
	s := r.State()
	require.Empty(b, s.Refused())
	begun := time.Now()
	_, err := s.Find(register.Query{})
	require.NoError(b, err)
	list := time.Since(begun)
	begun = time.Now()
	_, err = s.Find(register.Query{Text: "first"})
	require.NoError(b, err)
	b.Logf("first list %v, first search %v", list, time.Since(begun))
	for _, query := range []string{"", "sort=title", "q=harbour", "q=water+street", "q=suggests+which+requests&sort=title", "type=ai&status=in_use&theme=water", "organisation=Department+7"} {
		b.Run(query, func(b *testing.B) {
			values, _ := url.ParseQuery(query)
			q, err := register.ParseQuery(values)
			require.NoError(b, err)
			n := 0
			clock := cputime.Start() // other programs may be busy, too
			defer clock.Stop()
			for b.Loop() {
				r, err := s.Find(q)
				if err != nil {
					b.Fatal(err)
				}
				n = r.Len() + len(r.Facets())
			}
			b.ReportMetric(float64(clock.Used().Microseconds())/float64(b.N), "cpu-µs/op")
			b.ReportMetric(float64(n), "rows")
		})
	}
}

// TestFindAfterChange shows that a list follows a change, and that a state does not.
func TestFindAfterChange(t *testing.T) {
	dir := t.TempDir()
	registertest.Sample(t, dir, "air-station", "first", 1, map[string]any{"title": registertest.Title("en", "Weather vane")})
	origin, err := register.OpenDirectory(dir, nil)
	require.NoError(t, err)
	r, err := register.New(registertest.Service(t), []register.Origin{origin}, &register.Options{Refresh: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	find := func(s *register.State) string {
		result, err := s.Find(register.Query{Text: "vane", Sort: register.ByTitle})
		require.NoError(t, err)
		return registertest.Found(result)
	}
	old := r.State()
	require.Equal(t, "first", find(old))
	registertest.Sample(t, dir, "air-station", "second", 2, map[string]any{"title": registertest.Title("en", "Another vane")})
	require.Eventually(t, func() bool { return find(r.State()) == "second first" }, time.Minute, time.Millisecond)
	require.Equal(t, "first", find(old))
	require.NotEqual(t, old.Tag(), r.State().Tag())
}

// TestFacetOfMany checks that a list has the most frequent values of a field that has many,
// then the first ones by title, and the selected ones in any case.
func TestFacetOfMany(t *testing.T) {
	dir := t.TempDir()
	places := func(numbers ...int) map[string]any {
		var list []any
		for _, n := range numbers {
			list = append(list, map[string]any{"name": fmt.Sprintf("Place %d", n)})
		}
		return map[string]any{"register": map[string]any{"places": list}}
	}
	var all []int
	for i := range 1000 {
		all = append(all, (i*7+500)%1000)
	}
	registertest.Sample(t, dir, "benefits", "all", 1, places(all...))
	registertest.Sample(t, dir, "benefits", "some", 2, places(900, 901))
	s := registertest.OpenDir(t, dir).State()
	require.Empty(t, s.Refused())
	for name, test := range map[string]struct {
		selected []string
		want     []string
	}{
		"none":     {nil, []string{"Place 900", "Place 901", "Place 0"}},
		"selected": {[]string{"place 950"}, []string{"Place 950", "Place 900", "Place 901", "Place 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := s.Find(register.Query{Values: map[register.Field][]string{register.ByPlace: test.selected}})
			require.NoError(t, err)
			for _, f := range r.Facets() {
				if f.Field != register.ByPlace {
					continue
				}
				require.Len(t, f.Values, 100)
				require.Equal(t, 900, f.More)
				want := test.want
				for i := 1; len(want) < 100; i++ {
					want = append(want, fmt.Sprintf("Place %d", i))
				}
				for i, v := range f.Values {
					require.Equal(t, want[i], v.Title)
				}
				return
			}
			t.Fatal("there is no facet of places")
		})
	}
}
