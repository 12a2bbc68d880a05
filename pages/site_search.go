package pages

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain/internal/httpcache"
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
func (s *site) writeModule() (*siteModule, error) {
	if s.handler.options.Assets == nil {
		return nil, nil //nolint:nilnil // a site without it is not a failure
	}
	module, err := fs.ReadFile(s.handler.options.Assets, siteSearch)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // as above
	}
	loader, failed := fs.ReadFile(s.handler.options.Assets, moduleLoader)
	if err := errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	// Few static hosts compress a module, so the script unpacks it.
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // a valid level
	if _, err := w.Write(module); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	found := &siteModule{module: hashedName(siteSearch+".gz", module), loader: hashedName(moduleLoader, loader)}
	if err := s.write(assetPrefix[1:]+found.module, packed.Bytes()); err != nil {
		return nil, err
	}
	return found, s.write(assetPrefix[1:]+found.loader, loader)
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

func (l *siteLinks) search(s *scope) string {
	if p := s.request.page; l.finder == nil || len(p.parts) == 0 && !p.scripted {
		return ""
	}
	script, err := json.Marshal(siteScript{
		Script: l.asset("site.js"), Worker: l.asset("site-worker.js"),
		Module: l.to(assetPrefix[1:] + l.finder.module), Loader: l.to(assetPrefix[1:] + l.finder.loader), API: l.api("/schemas"), Base: l.handler.options.BaseURL,
		File: l.from, Lang: l.lang, Page: s.Path,
		Loading: s.Word("layout.searchloading"), Failed: s.Word("layout.searchfailed"),
	})
	if err != nil {
		return "" // strings can be marshalled
	}
	return string(script)
}

// SiteHandler answers requests of the scripts of a static site as a server does: for parts of
// pages, and for the form of /compose. The file is the page that shows the answer, such as
// en/compose.html: links are relative to it. Its language, lang, is that of the answer unless
// the request asks for another one. How elements differ from an earlier version is left out,
// since that would have to be loaded, too.
func (e *Handler) SiteHandler(file, lang string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		open := func() (*request, error) {
			q, err := e.sitePage(r.Context(), &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath}, cmp.Or(r.URL.Query().Get("lang"), lang))
			if err != nil {
				return nil, err
			}
			links := &siteLinks{handler: e, from: file, lang: q.asked, states: true, home: lang}
			if q.page.scripted {
				links.form = r.URL.Path
			}
			q.params, q.alone, q.links = q.page.parameters(r.URL.RawQuery), true, links
			return q, nil
		}
		if p, _ := e.find(r.URL); p != nil && p.scripted && r.Method == http.MethodPost {
			if err := e.answerPost(w, r, p, open); err != nil {
				e.fail(w, r, err)
			}
			return
		}
		ans, err := sitePart(open)
		if err == nil {
			err = e.send(w, r, ans)
		}
		if err != nil {
			e.fail(w, r, err)
		}
	})
}

// sitePart renders a page whose forms a script answers, or a part of another one.
func sitePart(open func() (*request, error)) (*httpcache.Answer, error) {
	q, err := open()
	if err != nil {
		return nil, err
	}
	c, err := q.page.build(q)
	if err != nil {
		return nil, err
	}
	if c.Part == "" && !q.page.scripted {
		return nil, refusal(issue.CodeBadRequest, "The page has no such part.", "ask for a part that the page has")
	}
	return q.answerPage(c)
}

// hashedName returns the name under which a file is served, which has its hash, so that it
// can be cached forever.
func hashedName(name string, body []byte) string {
	stem, extension, _ := strings.Cut(name, ".")
	sum := sha256.Sum256(body)
	return stem + "." + hex.EncodeToString(sum[:6]) + "." + extension
}
