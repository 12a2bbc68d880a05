package explorer

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// preferenceKey identifies what a browser prefers among the languages of a page.
type preferenceKey struct {
	index   *taxonomy.Index
	version taxonomy.Version // zero for pages about all versions
	header  string
}

// choose chooses the language of a request: the one that its address names, else the one
// that its browser prefers, else the first one of the version.
func (q *request) choose(query, header string) {
	if strings.Contains(query, "lang=") {
		values, _ := url.ParseQuery(query)
		if match := matching(q.locales, values.Get("lang")); match != "" {
			q.locale, q.asked = match, match
		}
	}
	if q.locale == "" {
		q.locale = q.preferred(header)
	}
	q.words = wordsFor(q.locale)
}

// chooser returns what chooses among the languages of texts. Cached pages need none.
func (q *request) chooser() *texts.Chooser {
	if q.texts.Locale == "" {
		q.texts = texts.NewChooser(q.locales, q.locale)
	}
	return &q.texts
}

// maxHeader is the length of the longest Accept-Language that is read, and maxPreferred
// how many of its languages are.
const (
	maxHeader    = 256
	maxPreferred = 16
)

// preferred returns the language that a browser prefers. Matching languages takes longer
// than sending a page, so the results are kept.
func (q *request) preferred(header string) string {
	if header == "" || len(header) > maxHeader {
		return q.locales[0]
	}
	key := preferenceKey{index: q.index, header: header}
	if q.schema != nil {
		key.version = q.release().Version()
	}
	kept := q.explorer.preferences
	if locale, ok := kept.Get(key); ok {
		return locale
	}
	locale, _ := kept.Do(q.ctx, key, func() (string, int64, error) { // creating it can't fail
		for _, want := range accepted(header) {
			if match := matching(q.locales, want); match != "" {
				return match, 1, nil
			}
		}
		return q.locales[0], 1, nil
	})
	return cmp.Or(locale, q.locales[0])
}

// matching returns the locale that matches a wanted one, or "".
func matching(locales []string, want string) string {
	if !texts.Valid(want) {
		return ""
	}
	match, _ := search.Match(locales, want) // "" if it is malformed
	return match
}

// accepted parses Accept-Language: the languages, the preferred one first.
func accepted(header string) []string {
	type weighted struct {
		tag     string
		quality float64
	}
	var list []weighted
	for item := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(strings.TrimSpace(item), ";")
		quality := 1.0
		if value, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			quality, _ = strconv.ParseFloat(value, 64) // 0 if it is malformed
		}
		if quality > 0 && texts.Valid(tag) && len(list) < maxPreferred {
			list = append(list, weighted{tag, quality})
		}
	}
	slices.SortStableFunc(list, func(a, b weighted) int { return cmp.Compare(b.quality, a.quality) })
	tags := make([]string, len(list))
	for i, w := range list {
		tags[i] = w.tag
	}
	return tags
}
