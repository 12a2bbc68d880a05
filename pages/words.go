package pages

import (
	"cmp"
	_ "embed" // of the table of words
	"html/template"
	"net/http"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// words are the fixed texts of the pages in one language, by their keys in words.csv.
type words struct{ *wordtable.Words }

//go:embed words.csv
var table string

// dictionary has the words in all languages.
var dictionary = wordtable.Read(table)

// wordsIn returns the words in a language, or in English.
func wordsIn(locale string) words { return words{dictionary().In(locale)} }

// Size writes a number of bytes.
func (w words) Size(n int64) string {
	switch {
	case n%(1<<20) == 0:
		return w.Word("layout.mebibytes", w.Number(int(n>>20)))
	case n%(1<<10) == 0:
		return w.Word("layout.kibibytes", w.Number(int(n>>10)))
	}
	return w.Count("layout.bytes", int(n))
}

// Day writes a date, or returns it as it is if it is not valid.
func (w words) Day(date string) string {
	if day, ok := i18n.Day(w.Lang, date); ok {
		return day
	}
	return date
}

// WordHTML is Word for HTML.
func (w words) WordHTML(key string, values ...template.HTML) template.HTML {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return template.HTML(wordtable.Fill(template.HTMLEscapeString(w.Word(key)), list...)) //nolint:gosec // escaped
}

// failure returns the title and the advice for a failure. A balancer that tries another server
// does so by the status, so the code says more about the cause.
func (w words) failure(status int, code issue.Code, maxBody int64) (title, advice string) {
	switch {
	case code == codes.RateLimited || code == codes.Overloaded:
		return w.Word("errors.limit"), w.Word("errors.limitadvice")
	case code == issue.CodeUpstreamError || status == http.StatusServiceUnavailable:
		return w.Word("errors.unread"), w.Word("errors.unreadadvice")
	case code == issue.CodePayloadTooLarge:
		return w.Word("errors.toolarge"), w.Word("errors.toolargeadvice", w.Size(maxBody))
	case status == http.StatusNotFound:
		return w.Word("errors.notfound"), w.Word("errors.notfoundadvice")
	case status < http.StatusInternalServerError:
		return w.Word("errors.wrong"), w.Word("errors.wrongadvice")
	}
	return w.Word("errors.failed"), w.Word("errors.failedadvice")
}

// severity names a severity.
func (w words) severity(s issue.Severity) string {
	if s == issue.SeverityWarning {
		return w.Word("codes.warning")
	}
	return w.Word("codes.error")
}

// raisedBy names what reports a code.
func (w words) raisedBy(name string) string { return cmp.Or(w.Word("codes.groups."+name), name) }
