package pages

import (
	"cmp"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes/remedy"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const codesPath = "/codes"

// codeList is the data of the list of codes.
type codeList struct {
	Query  string
	Total  int
	Groups []*codeGroup
}

// codeGroup is the codes that one operation reports.
type codeGroup struct {
	RaisedBy string
	Codes    []issue.CodeInfo
}

// ID returns the id of the group on the page.
func (c *codeGroup) ID() string { return strings.ReplaceAll(c.RaisedBy, " ", "-") }

func buildCodes(q *request) (*content, error) {
	d := &codeList{Query: strings.TrimSpace(q.params.Get("q"))}
	c := &content{
		Title: q.words.Word("codes.title"), Description: q.words.Word("codes.lead"), Path: codesPath, Section: codesPath, Data: d,
		Part: q.params.Get("part"), Styles: toolStyles,
	}
	if d.Query != "" {
		c.State, c.Unlisted = url.Values{"q": {d.Query}}, true
	}
	groups := make(map[string]*codeGroup)
	for _, info := range issue.Codes() {
		if !mentions(info, d.Query) {
			continue
		}
		g := groups[info.RaisedBy]
		if g == nil {
			g = &codeGroup{RaisedBy: info.RaisedBy}
			groups[info.RaisedBy], d.Groups = g, append(d.Groups, g)
		}
		g.Codes = append(g.Codes, info)
		d.Total++
	}
	return c, nil
}

// mentions reports whether a code or its meaning has all words of a query.
func mentions(info issue.CodeInfo, query string) bool {
	in := strings.ToLower(string(info.Code) + " " + info.Meaning)
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(in, word) {
			return false
		}
	}
	return true
}

// CodeURL, SeverityName and RaisedBy describe a code, and English is a text in English.
func (s *scope) CodeURL(c issue.Code) string           { return s.request.codeURL(c) }
func (s *scope) SeverityName(of issue.Severity) string { return s.severity(of) }
func (s *scope) RaisedBy(name string) string           { return s.raisedBy(name) }
func (s *scope) English(t string) text                 { return s.request.english(t) }

// codeURL returns the address of the page about a code, or "" if a custom rule reports it.
func (q *request) codeURL(c issue.Code) string {
	if _, known := issue.LookupCode(c); !known {
		return ""
	}
	return q.to(codesPath+"/"+url.PathEscape(string(c)), nil)
}

// english returns a text of the program itself, such as a message, which exists in English
// only. It is marked for programs that read pages aloud; readers can tell by themselves.
func (q *request) english(s string) text {
	t := q.in("en", s)
	t.mark = ""
	return t
}

// codeDetail is the data of the page about a code.
type codeDetail struct {
	issue.CodeInfo
	Group  *codeGroup
	Advice string
	// Bad and Good are a part before and after the fix, with the difference marked.
	Bad, Good      []diff.Span
	Sample         *choice // a document with the finding
	Previous, Next *issue.CodeInfo
}

// buildCode explains one code. Findings everywhere link to it.
func buildCode(q *request) (*content, error) {
	all := issue.Codes()
	at := slices.IndexFunc(all, func(info issue.CodeInfo) bool { return string(info.Code) == q.id })
	if at < 0 {
		var names []string
		for _, known := range all {
			names = append(names, string(known.Code))
		}
		return nil, &datachain.Error{
			Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no such code.", FixHint: "see the list of codes"},
			Kind:  datachain.KindUnknown, Param: "code", Known: similar.AllNearest(q.id, slices.Values(names), 3),
		}
	}
	info := all[at]
	remedy, _ := remedy.Lookup(string(info.Code)) // every code has one
	d := &codeDetail{CodeInfo: info, Group: &codeGroup{RaisedBy: info.RaisedBy}, Advice: remedy.Advice, Sample: q.sampleOf(info.Code)}
	d.Bad, d.Good = sides(remedy.Bad, remedy.Good)
	if at > 0 {
		d.Previous = &all[at-1]
	}
	if at+1 < len(all) {
		d.Next = &all[at+1]
	}
	return &content{
		Title: q.id, Description: info.Meaning, Path: codesPath + "/" + url.PathEscape(q.id), Section: codesPath, Data: d, Styles: toolStyles,
	}, nil
}

// sides compares two texts: the first has what is kept and what was removed, the second
// what is kept and what was added. A second text that is empty is nothing to compare with.
func sides(before, after string) (a, b []diff.Span) {
	if after == "" {
		return []diff.Span{{Kind: diff.Kept, Text: before}}, nil
	}
	for _, s := range diff.Words(before, after) {
		if s.Kind != diff.Added {
			a = append(a, s)
		}
		if s.Kind != diff.Removed {
			b = append(b, s)
		}
	}
	return a, b
}

// errorPage is the page of all failures. It has no path of its own.
var errorPage = page{name: "error"}

// failure is the data of a page that says what went wrong.
type failure struct {
	// Address is the path of a page for citizens that is not there, and Rows the documents
	// whose addresses are like it.
	Address string
	Rows    []*register.Document
	Status  int
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

// Refuse answers a request that is not served, because of a limit or a panic. It is the Refuse of
// an httpapi.Mount.
func (e *Handler) Refuse(w http.ResponseWriter, r *http.Request, status int, finding issue.Issue) {
	h := w.Header()
	h["Content-Security-Policy"] = policy
	h["Referrer-Policy"] = noReferrer
	e.refuse(w, r, status, finding, nil)
}

// refuse sends a failure: as a page to browsers, as JSON to programs.
func (e *Handler) refuse(w http.ResponseWriter, r *http.Request, status int, finding issue.Issue, cause error) {
	h := w.Header()
	for _, name := range []string{"ETag", "Link", "Content-Language", "Content-Encoding", "Content-Length"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "Accept, Accept-Language")
	if status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	body, contentType := []byte(nil), typeHTML
	known, _ := errors.AsType[*datachain.Error](cause)
	gone, _ := errors.AsType[*goneError](cause)
	if wantsHTML(r.Header["Accept"]) {
		var err error
		if body, err = e.failurePage(r, status, finding, known, gone); err != nil {
			e.options.Logger.Error("page failed", "path", r.URL.Path, "error", err)
		}
	}
	if body == nil {
		contentType = "application/json; charset=utf-8"
		if finding.Code == issue.CodeNotFound && finding.FixHint == "" {
			finding.FixHint = "see " + e.base + "/ for what is published, or " + e.base + e.options.API + "/openapi.json for the API"
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
func (e *Handler) failurePage(r *http.Request, status int, finding issue.Issue, cause *datachain.Error, gone *goneError) ([]byte, error) {
	q := &request{handler: e, ctx: r.Context(), page: &errorPage, locales: dictionary().Languages, state: e.state(), icons: new(int)}
	var err error
	if q.index, err = e.service.Versions(q.ctx); err != nil {
		q.index = new(taxonomy.Index)
	}
	citizen := q.state != nil && !isTool(r.URL)
	if citizen {
		q.locales = q.state.Languages()
	}
	q.choose(r.URL.RawQuery, "")
	if q.asked == "" {
		q.locale = accepted(q.locales, clip(r.Header.Get("Accept-Language"), maxHeader))
		q.words = wordsIn(q.locale)
	}
	q.links = &serverLinks{handler: e, lang: q.asked}
	shown := &failure{Status: status, Message: i18n.Clean(finding.Message), Hint: i18n.Clean(wording.Sentence(finding.FixHint))}
	shown.Title, shown.Advice = q.words.failure(status, finding.Code, e.options.MaxBody)
	shown.Next = choice{Name: q.words.Word("errors.start"), URL: q.to("/", nil)}
	if finding.Code == issue.CodePayloadTooLarge {
		shown.Next = choice{Name: q.words.Word("play.title"), URL: q.to(playPath, nil)}
	}
	if cause != nil && cause.Kind == datachain.KindUnknown {
		shown.Near, shown.NearTitle = q.near(r, cause), q.words.Word("errors.meant")
		q.retired(r, shown)
	}
	if gone != nil {
		shown.Gone = q.words.Word("errors.gone", gone.removal.ID, gone.removal.Since.String())
		shown.Note, shown.NearTitle = q.text(gone.removal.Note), q.words.Word("errors.instead")
	}
	c := &content{Title: shown.Title, Path: "/", Data: shown, Unlisted: true}
	if citizen {
		c.Section = registerPath
		if shown.Next = (choice{Name: q.words.Word("register.all"), URL: q.to(registerPath, nil)}); status == http.StatusNotFound {
			shown.Address = i18n.Clean(r.URL.Path)
		}
		if cause != nil && cause.Param == "slug" {
			if absent, ok := errors.AsType[*absentError](cause); ok {
				shown.Address = i18n.Clean(documentPrefix + absent.slug)
			}
			shown.Near = nil
			for _, slug := range cause.Known {
				if d, ok := q.state.Document(slug); ok {
					shown.Rows = append(shown.Rows, d)
				}
			}
		}
	}
	return q.render(c)
}

// isTool reports whether an address is that of a tool for authors, or below it. Without versions,
// citizens compare documents.
func isTool(u *url.URL) bool {
	path := u.Path
	if path == comparePath && (u.Query().Has(boardParam) || !u.Query().Has("old") && !u.Query().Has("new")) {
		return false
	}
	return slices.ContainsFunc([]string{taxonomiesPath, composePath, playPath, codesPath, docsPath, comparePath, assetPrefix}, func(tool string) bool {
		return path == tool || strings.HasPrefix(path, strings.TrimSuffix(tool, "/")+"/")
	})
}

// retired says of a version that is not there that it was retired, when and why, as the API
// does. The pages that are suggested are its successor then, or other versions.
func (q *request) retired(r *http.Request, shown *failure) {
	_, of := q.handler.find(r.URL)
	ref, err := taxonomy.ParseRef(of.version)
	if err != nil {
		return
	}
	v, _ := ref.Version()
	gone, ok := q.index.LookupRetired(v)
	if !ok {
		return
	}
	shown.Title = v.String()
	shown.Gone = q.words.Word("catalog.retired", q.words.Day(cmp.Or(gone.At, v.Date()))) + "."
	shown.Note = q.raw(gone.Reason)
	if _, known := q.index.Successor(v); known {
		shown.NearTitle = q.words.Word("errors.instead")
	}
}

// near returns the pages that a failure suggests.
func (q *request) near(r *http.Request, cause *datachain.Error) []choice {
	_, of := q.handler.find(r.URL)
	ref, err := taxonomy.ParseRef(of.version)
	var list []choice
	for _, known := range cause.Known {
		part, ok := map[string]string{"element_id": "/e/", "category_id": "/c/", "scheme": "/s/"}[cause.Param]
		switch {
		case cause.Param == "version":
			list = append(list, choice{Name: known, URL: q.to("/t/"+known, nil)})
		case cause.Param == "slug":
			list = append(list, choice{Name: known, URL: q.to(documentPrefix+known, nil)})
		case cause.Param == "path":
			list = append(list, choice{Name: known, URL: q.to(known, nil)})
		case cause.Param == "code":
			list = append(list, choice{Name: known, URL: q.codeURL(issue.Code(known))})
		case ok && err == nil:
			list = append(list, choice{Name: known, URL: q.to("/t/"+ref.String()+part+known, nil)})
		}
	}
	return list
}

// clip cuts a text that is too long.
func clip(s string, most int) string { return s[:min(len(s), most)] }

// Code is the address that is not there, as it is shown.
func (f *failure) Code() template.HTML {
	return template.HTML("<code>" + template.HTMLEscapeString(f.Address) + "</code>") //nolint:gosec // escaped
}
