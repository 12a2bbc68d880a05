package static

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"

	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/live"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The WebAssembly module that searches a static site and answers its form, which has this
// package, and what starts it. make web builds them.
const (
	siteSearch   = "site.wasm"
	moduleLoader = "wasm_exec.js"
)

// siteModule names the files of the module in a static site.
type siteModule struct{ module, loader string }

// writeModule writes the files of the module. It returns nil if they were not built.
func (w *writing) writeModule() (*siteModule, error) {
	if w.site.Built == nil {
		return nil, nil //nolint:nilnil // a site without it is not a failure
	}
	module, err := fs.ReadFile(w.site.Built, siteSearch)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // as above
	}
	loader, failed := fs.ReadFile(w.site.Built, moduleLoader)
	if err := errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	// Few static hosts compress a module, so the script unpacks it.
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // a valid level
	if _, err := z.Write(module); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	found := &siteModule{module: core.HashedName(siteSearch+".gz", module), loader: core.HashedName(moduleLoader, loader)}
	if err := w.write(core.AssetPrefix[1:]+found.module, packed.Bytes()); err != nil {
		return nil, err
	}
	return found, w.write(core.AssetPrefix[1:]+found.loader, loader)
}

// siteScript is what the scripts of a static page need to search and to answer its form.
// Addresses are relative to the page.
type siteScript struct {
	Script string `json:"script"`
	Worker string `json:"worker"`
	Module string `json:"module"`
	Loader string `json:"loader"`
	API    string `json:"api"`
	// Base is the address of the site, or "".
	Base string `json:"base"`
	// File is the page itself, and Page the path of what its search or form shows.
	File string `json:"file"`
	Lang string `json:"lang"`
	Page string `json:"page"`
	// Loading and Failed are what to say meanwhile.
	Loading string `json:"loading"`
	Failed  string `json:"failed"`
}

func (l *links) Search(s *core.Scope) string {
	if p := s.Request.Page; l.finder == nil || len(p.Parts) == 0 && !p.Scripted {
		return ""
	}
	script, err := json.Marshal(siteScript{
		Script: l.Asset("site.js"), Worker: l.Asset(core.WorkerScript),
		Module: l.to(core.AssetPrefix[1:] + l.finder.module), Loader: l.to(core.AssetPrefix[1:] + l.finder.loader), API: l.API("/schemas"), Base: l.site.BaseURL,
		File: l.from, Lang: l.lang, Page: s.Path,
		Loading: s.Word("layout.searchloading"), Failed: s.Word("layout.searchfailed"),
	})
	if err != nil {
		return "" // strings can be marshalled
	}
	return string(script)
}

// Handler answers requests of the scripts of a static site as a server does: for parts of
// pages, and for the form of /compose. The file is the page that shows the answer, such as
// en/compose.html: links are relative to it. Its language, lang, is that of the answer unless
// the request asks for another one. How elements differ from an earlier version is left out,
// since that would have to be loaded, too.
func Handler(h *live.Handler, file, lang string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		open := func() (*core.Request, error) {
			path := &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath}
			q, err := open(r.Context(), h.Site, path, r.URL.RawQuery, cmp.Or(r.URL.Query().Get("lang"), lang))
			if err != nil {
				return nil, err
			}
			links := &links{site: h.Site, from: file, lang: q.Asked, states: true, home: lang}
			if q.Page.Scripted {
				links.form = r.URL.Path
			}
			q.Alone, q.Links = true, links
			return q, nil
		}
		if p, _ := h.Find(r.URL); p != nil && p.Scripted && r.Method == http.MethodPost {
			if err := h.AnswerPost(w, r, p, open); err != nil {
				h.Fail(w, r, err)
			}
			return
		}
		ans, err := sitePart(open)
		if err == nil {
			err = h.Send(w, r, ans)
		}
		if err != nil {
			h.Fail(w, r, err)
		}
	})
}

// sitePart renders a page whose forms a script answers, or a part of another one.
func sitePart(open func() (*core.Request, error)) (*httpcache.Answer, error) {
	q, err := open()
	if err != nil {
		return nil, err
	}
	c, err := q.Page.Build(q)
	if err != nil {
		return nil, err
	}
	if c.Part == "" && !q.Page.Scripted {
		return nil, core.Refusal(issue.CodeBadRequest, "The page has no such part.", "ask for a part that the page has")
	}
	return q.AnswerPage(c)
}
