package explorer

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// SiteAssets are the files of [Options.Assets] by which a static site is searched: this
// package as a WebAssembly module, and what starts it. make web builds them.
func SiteAssets() []string { return []string{siteSearch, moduleLoader} }

const (
	siteSearch   = "site.wasm"
	moduleLoader = "wasm_exec.js"
)

// siteModule names the files of a WebAssembly module in a static site.
type siteModule struct{ module, loader string }

// writeModule writes the files of a module. It returns nil if they were not built.
func (s *site) writeModule(name string) (*siteModule, error) {
	if s.explorer.options.Assets == nil {
		return nil, nil //nolint:nilnil // a site without it is not a failure
	}
	module, err := fs.ReadFile(s.explorer.options.Assets, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // as above
	}
	loader, failed := fs.ReadFile(s.explorer.options.Assets, moduleLoader)
	if err := errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
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
	found := &siteModule{module: hashedName(name+".gz", module), loader: hashedName(moduleLoader, loader)}
	if err := s.write(assetPrefix[1:]+found.module, packed.Bytes()); err != nil || s.seen[found.loader] {
		return found, err
	}
	s.seen[found.loader] = true // several modules have it
	return found, s.write(assetPrefix[1:]+found.loader, loader)
}

// siteScript is what the script of a static page needs to search. Addresses are relative
// to the page.
type siteScript struct {
	Script string `json:"script"`
	Worker string `json:"worker"`
	Module string `json:"module"`
	Loader string `json:"loader"`
	API    string `json:"api"`
	// File is the page itself, and Page and Palette are the paths of what its
	// search and its palette show.
	File    string `json:"file"`
	Lang    string `json:"lang"`
	Page    string `json:"page"`
	Palette string `json:"palette"`
	// Loading and Failed are what to say meanwhile.
	Loading string `json:"loading"`
	Failed  string `json:"failed"`
}

func (l *siteLinks) search(s *scope) string {
	if l.finder == nil {
		return ""
	}
	script, err := json.Marshal(siteScript{
		Script: l.asset("site.js"), Worker: l.asset("site-worker.js"),
		Module: l.to(assetPrefix[1:] + l.finder.module), Loader: l.to(assetPrefix[1:] + l.finder.loader), API: l.api("/schemas"),
		File: l.from, Lang: l.lang, Page: s.Path, Palette: s.palettePath(),
		Loading: s.W.Layout.SearchLoading, Failed: s.W.Layout.SearchFailed,
	})
	if err != nil {
		return "" // strings can be marshalled
	}
	return string(script)
}

// SitePart is a part of a page of a static site that a script asks for.
type SitePart struct {
	// File is the page that shows the part: its links are relative to it.
	File string
	// Path and Query are the address of the part on a server, such as /t/{version}
	// and q=privacy&part=results.
	Path, Query string
	Lang        string
}

// SitePart renders a part of a page as a server does, with links between static files.
// How elements differ from an earlier version is left out, since that would have to be
// loaded, too.
func (e *Explorer) SitePart(ctx context.Context, part SitePart) ([]byte, error) {
	u, err := url.Parse(part.Path)
	if err != nil {
		return nil, err
	}
	q, err := e.sitePage(ctx, u, part.Lang)
	if err != nil {
		return nil, err
	}
	q.params, q.alone = q.page.parameters(part.Query), true
	q.links = &siteLinks{explorer: e, from: part.File, lang: part.Lang, states: true}
	c, err := q.page.build(q)
	if err != nil {
		return nil, err
	}
	if c.Part == "" {
		return nil, &datachain.Error{Issue: issue.Issue{
			Code: issue.CodeBadRequest, Message: "The page has no such part.", FixHint: "ask for a part that the page has",
		}}
	}
	return q.render(c)
}

// hashedName returns the name under which a file is served, which has its hash, so that it
// can be cached forever.
func hashedName(name string, body []byte) string {
	stem, extension, _ := strings.Cut(name, ".")
	sum := sha256.Sum256(body)
	return stem + "." + hex.EncodeToString(sum[:6]) + "." + extension
}
