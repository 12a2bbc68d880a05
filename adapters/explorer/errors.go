package explorer

import (
	"errors"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// errorPage is the page of all failures. It has no path of its own.
var errorPage = page{name: "error"}

// failure is the data of a page that says what went wrong.
type failure struct {
	Status int
	// Title and Advice are in the words of the page, Message and Hint in English.
	Title, Advice string
	Message, Hint string
	// Near are pages that may have been meant, or that say what to use instead.
	Near      []choice
	NearTitle string
	// Next is where to go on.
	Next choice
	// Gone says that an element was removed, and Note why.
	Gone string
	Note text
}

// Refuse answers a request that is not served, because of a limit or a panic: see
// httpapi.Refuser.
func (e *Explorer) Refuse(w http.ResponseWriter, r *http.Request, status int, finding issue.Issue) {
	h := w.Header()
	h["Content-Security-Policy"] = policy
	h["Referrer-Policy"] = noReferrer
	e.refuse(w, r, status, finding, nil)
}

// refuse sends a failure: as a page to browsers, as JSON to programs.
func (e *Explorer) refuse(w http.ResponseWriter, r *http.Request, status int, finding issue.Issue, cause error) {
	h := w.Header()
	for _, name := range []string{"ETag", "Link", "Content-Language", "Content-Encoding", "Content-Length"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept, Accept-Language")
	body, contentType := []byte(nil), typeHTML
	known, _ := errors.AsType[*datachain.Error](cause)
	gone, _ := errors.AsType[*goneError](cause)
	if wantsHTML(r.Header["Accept"]) {
		var err error
		if body, err = e.failurePage(r, status, finding, known, gone); err != nil {
			e.Logger.Error("page failed", "path", r.URL.Path, "error", err)
		}
	}
	if body == nil {
		contentType = "application/json; charset=utf-8"
		if finding.Code == issue.CodeNotFound && finding.FixHint == "" {
			finding.FixHint = "see " + e.base + "/ for what is published, or " + e.base + e.API + "/openapi.json for the API"
		}
		body = envelope(finding)
	}
	h.Set("Content-Type", contentType)
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // fails only if the client disconnected
	}
}

// wantsHTML reports whether a client is a browser, which names HTML in Accept. Others,
// such as curl, get what the API would answer.
func wantsHTML(accept []string) bool {
	for _, header := range accept {
		for item := range strings.SplitSeq(header, ",") {
			kind, _, _ := strings.Cut(item, ";")
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case "text/html", "application/xhtml+xml":
				return true
			}
		}
	}
	return false
}

// envelope returns a failure as the API does.
func envelope(finding issue.Issue) []byte {
	body, _ := json.Marshal(struct {
		OK     bool         `json:"ok"`
		Errors issue.Issues `json:"errors"`
	}{Errors: issue.Issues{finding}}) // of strings only
	return body
}

// failurePage makes the page of a failure. It depends on nothing that may have failed.
func (e *Explorer) failurePage(r *http.Request, status int, finding issue.Issue, cause *datachain.Error, gone *goneError) ([]byte, error) {
	q := &request{explorer: e, ctx: r.Context(), page: &errorPage, locales: ownLocales()}
	q.choose(r.URL.RawQuery, "")
	if q.asked == "" {
		for _, want := range accepted(clip(r.Header.Get("Accept-Language"), maxHeader)) {
			if match := matching(q.locales, want); match != "" {
				q.locale, q.words = match, wordsFor(match)
				break
			}
		}
	}
	q.links = &serverLinks{explorer: e, lang: q.asked}
	shown := &failure{Status: status, Message: texts.Clean(finding.Message), Hint: texts.Clean(prose.Sentence(finding.FixHint))}
	shown.Title, shown.Advice = q.words.Errors.of(status, finding.Code)
	shown.Next = choice{Name: q.words.Errors.Start, URL: q.to("/", nil)}
	if finding.Code == issue.CodePayloadTooLarge {
		shown.Advice = q.words.Fill(shown.Advice, q.words.Size(e.MaxBody))
		shown.Next = choice{Name: q.words.Play.Title, URL: q.to(playPath, nil)}
	}
	if cause != nil && cause.Kind == datachain.KindUnknown {
		shown.Near, shown.NearTitle = q.near(r, cause), q.words.Errors.Meant
	}
	if gone != nil {
		shown.Gone = q.words.Fill(q.words.Errors.Gone, gone.removal.ID, gone.removal.Since.String())
		shown.Note, shown.NearTitle = q.text(gone.removal.Note), q.words.Errors.Instead
	}
	return q.render(&content{Title: shown.Title, Path: "/", Data: shown, Unlisted: true})
}

// near returns the pages that a failure suggests.
func (q *request) near(r *http.Request, cause *datachain.Error) []choice {
	_, version, _ := q.explorer.find(r.URL)
	ref, err := taxonomy.ParseRef(version)
	var list []choice
	for _, known := range cause.Known {
		switch {
		case cause.Param == "version":
			list = append(list, choice{Name: known, URL: q.to("/t/"+known, nil)})
		case cause.Param == "code":
			list = append(list, choice{Name: known, URL: q.codeURL(issue.Code(known))})
		case cause.Param == "element_id" && err == nil:
			list = append(list, choice{Name: known, URL: q.to("/t/"+ref.String()+"/e/"+known, nil)})
		case cause.Param == "category_id" && err == nil:
			list = append(list, choice{Name: known, URL: q.to("/t/"+ref.String()+"/c/"+known, nil)})
		}
	}
	return list
}

// clip cuts a text that is too long.
func clip(s string, most int) string { return s[:min(len(s), most)] }
