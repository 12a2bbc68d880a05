package live

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/words"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Refuse answers a request that is not served, because of a limit or a panic. It is the Refuse of
// an httpapi.Mount.
func (h *Handler) Refuse(w http.ResponseWriter, r *http.Request, status int, finding issue.Issue) {
	header := w.Header()
	header["Content-Security-Policy"] = core.Policy
	header["Referrer-Policy"] = core.NoReferrer
	h.refuse(w, r, status, finding, nil)
}

// refuse sends a failure: as a page to browsers, as JSON to programs.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, status int, finding issue.Issue, cause error) {
	header := w.Header()
	for _, name := range []string{"ETag", "Link", "Content-Language", "Content-Encoding", "Content-Length"} {
		header.Del(name)
	}
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Accept, Accept-Language")
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "1")
	}
	body, contentType := []byte(nil), core.TypeHTML
	if wantsHTML(r.Header["Accept"]) {
		var err error
		if body, err = h.failurePage(r, status, finding, cause); err != nil {
			h.options.Logger.Error("page failed", "path", r.URL.Path, "error", err)
		}
	}
	if body == nil {
		contentType = "application/json; charset=utf-8"
		if finding.Code == issue.CodeNotFound && finding.FixHint == "" {
			finding.FixHint = "see " + h.Base + "/ for what is published, or " + h.Base + h.API + "/openapi.json for the API"
		}
		body = core.Envelope(finding)
	}
	header.Set("Content-Type", contentType)
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

// The page of all failures, which has no path of its own.
var (
	errorPage     core.Page
	errorTemplate = core.NewTemplates(files, "error.html")
)

// failurePage makes the page of a failure. It depends on nothing that may have failed.
func (h *Handler) failurePage(r *http.Request, status int, finding issue.Issue, cause error) ([]byte, error) {
	q := h.NewRequest(r.Context(), &errorPage)
	if index, err := h.Service.Versions(q.Ctx); err == nil {
		q.Index = index
	}
	citizen := q.Register != nil && !isTool(r.URL)
	if q.Locales = words.Languages().Languages; citizen {
		q.Locales = q.Register.Languages()
	}
	asked, header := askedLanguage(q.Locales, r.URL.RawQuery), r.Header.Get("Accept-Language")
	q.Speak(cmp.Or(asked, core.Accepted(q.Locales, header[:min(len(header), maxHeader)])), asked)
	q.Links = &links{h.Site, asked}
	f := &core.Failure{Status: status, Message: i18n.Clean(finding.Message), Hint: i18n.Clean(wording.Sentence(finding.FixHint))}
	f.Title, f.Advice = inWords(q, status, finding.Code)
	f.Next = core.Choice{Name: q.Word("errors.start"), URL: q.To("/", nil)}
	if finding.Code == issue.CodePayloadTooLarge {
		f.Next = core.Choice{Name: q.Word("play.title"), URL: q.To(core.PlayPath, nil)}
	}
	if known, _ := errors.AsType[*datachain.Error](cause); known != nil && known.Kind == datachain.KindUnknown {
		_, of := h.Find(r.URL)
		f.Near, f.NearTitle = near(q, of, known), q.Word("errors.meant")
		retired(q, of, f)
	}
	c := &core.Content{Title: f.Title, Path: "/", Template: errorTemplate, Data: f, Unlisted: true}
	if citizen {
		c.Section = core.RegisterPath
		if f.Next = (core.Choice{Name: q.Word("register.all"), URL: q.To(core.RegisterPath, nil)}); status == http.StatusNotFound {
			f.Address = i18n.Clean(r.URL.Path)
		}
	}
	if says, ok := errors.AsType[core.Explainer](cause); ok {
		says.Explain(q, f)
	}
	return q.Render(c)
}

// isTool reports whether an address is that of a tool for authors, or below it. Without versions,
// citizens compare documents.
func isTool(u *url.URL) bool {
	path := u.Path
	if path == core.ComparePath && (u.Query().Has(core.BoardParam) || !u.Query().Has("old") && !u.Query().Has("new")) {
		return false
	}
	return slices.ContainsFunc([]string{core.TaxonomiesPath, core.ComposePath, core.PlayPath, core.CodesPath, core.DocsPath, core.ComparePath, core.AssetPrefix}, func(tool string) bool {
		return path == tool || strings.HasPrefix(path, strings.TrimSuffix(tool, "/")+"/")
	})
}

// retired says of a version that is not there that it was retired, when and why, as the API
// does. The pages that are suggested are its successor then, or other versions.
func retired(q *core.Request, of core.Wildcards, f *core.Failure) {
	ref, err := taxonomy.ParseRef(of.Version)
	if err != nil {
		return
	}
	v, _ := ref.Version()
	gone, ok := q.Index.LookupRetired(v)
	if !ok {
		return
	}
	f.Title = v.String()
	f.Gone = q.Word("catalog.retired", q.Day(cmp.Or(gone.At, v.Date()))) + "."
	f.Note = q.Raw(gone.Reason)
	if _, known := q.Index.Successor(v); known {
		f.NearTitle = q.Word("errors.instead")
	}
}

// near returns the pages that a failure suggests.
func near(q *core.Request, of core.Wildcards, cause *datachain.Error) []core.Choice {
	ref, err := taxonomy.ParseRef(of.Version)
	var list []core.Choice
	for _, known := range cause.Known {
		part, ok := map[string]string{"element_id": "/e/", "category_id": "/c/", "scheme": "/s/"}[cause.Param]
		switch {
		case cause.Param == "version":
			list = append(list, core.Choice{Name: known, URL: q.To("/t/"+known, nil)})
		case cause.Param == "slug":
			list = append(list, core.Choice{Name: known, URL: q.To(core.DocumentPrefix+known, nil)})
		case cause.Param == "path":
			list = append(list, core.Choice{Name: known, URL: q.To(known, nil)})
		case cause.Param == "code":
			list = append(list, core.Choice{Name: known, URL: q.CodeURL(issue.Code(known))})
		case ok && err == nil:
			list = append(list, core.Choice{Name: known, URL: q.To("/t/"+ref.String()+part+known, nil)})
		}
	}
	return list
}

// inWords returns the title and the advice for a failure. A balancer that tries another server
// does so by the status, so the code says more about the cause.
func inWords(q *core.Request, status int, code issue.Code) (title, advice string) {
	switch {
	case code == codes.RateLimited || code == codes.Overloaded:
		return q.Word("errors.limit"), q.Word("errors.limitadvice")
	case code == issue.CodeUpstreamError || status == http.StatusServiceUnavailable:
		return q.Word("errors.unread"), q.Word("errors.unreadadvice")
	case code == issue.CodePayloadTooLarge:
		return q.Word("errors.toolarge"), q.Word("errors.toolargeadvice", q.Size(q.Site.MaxBody))
	case status == http.StatusNotFound:
		return q.Word("errors.notfound"), q.Word("errors.notfoundadvice")
	case status < http.StatusInternalServerError:
		return q.Word("errors.wrong"), q.Word("errors.wrongadvice")
	}
	return q.Word("errors.failed"), q.Word("errors.failedadvice")
}
