package live

import (
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/pages/internal/core"
)

// askedLanguage returns the language that an address names, or "".
func askedLanguage(locales []string, query string) string {
	if !strings.Contains(query, "lang=") {
		return ""
	}
	values, _ := url.ParseQuery(query) // what is malformed is left out
	return core.Matching(locales, values.Get("lang"))
}

// preferenceKey identifies what a browser prefers among some languages.
type preferenceKey struct{ locales, header string }

// maxHeader is the length of the longest Accept-Language that is read.
const maxHeader = 256

// preferred returns the language that a browser prefers. Matching languages takes longer
// than sending a page, so the results are kept.
func (h *Handler) preferred(q *core.Request, header string) string {
	if header == "" || len(header) > maxHeader {
		return q.Locales[0]
	}
	key := preferenceKey{strings.Join(q.Locales, ","), header}
	locale, ok := h.preferences.Get(key)
	if !ok {
		locale, _ = h.preferences.Do(q.Ctx, key, func() (string, int64, error) { return core.Accepted(q.Locales, header), 1, nil })
	}
	return locale
}
