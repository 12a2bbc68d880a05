// Package pages serves taxonomies and a register of documents as web pages: what is published,
// the catalog of a version, a page for each category and element, and for each document. [New]
// returns an [http.Handler] for the root of a server, or below a prefix with [http.StripPrefix]. It
// leaves /api and /mcp to others.
//
//	GET /                        what is published: the register, if there are documents
//	GET /d                       the register of documents; .json, .csv, .geojson, .atom and .jsonld, too
//	GET /changes                 what changed in the register, the newest first
//	GET /d/{slug}                a document; .json, .resolved.json, .jsonld and .md, too
//	GET /d/{slug}/history        its editions, and what has changed
//	GET /d/{slug}/sign.html      prints what hangs beside a system; sign.svg, sign.pdf, card and qr.svg, too
//	GET /t                       the taxonomies, if there are documents
//	GET /t/{version}             the catalog of a version
//	GET /t/{version}/c/{id}      a category
//	GET /t/{version}/e/{id}      an element
//	GET /t/{version}/s/{id}      a scheme, such as a law: what answers to its entries
//	GET /compare?old=&new=       the changes between two versions; .json and .md, too
//	GET /compare?documents=a,b   documents side by side; .json, too
//	GET /play                    checks a document; POST answers its form
//	GET /compose                 describes a system by a form; POST answers it
//	GET /codes                   the codes of findings
//	GET /codes/{code}            what a code means and how to fix it
//	GET /docs                    the REST API, and how to connect assistants
//	GET /assets/{file}           style sheet and script
//
// Pages work without scripts, at any width, by keyboard and in right-to-left languages;
// the script only makes them quicker to use. Everything worth sharing is in the URL. The
// query parameter lang chooses the language of texts, else Accept-Language does. The
// words of the pages themselves are in the languages of words.csv.
//
// Nothing in a taxonomy is executed: texts are escaped, symbols are sanitized, links lead
// to http and https addresses only, and the Content-Security-Policy allows no scripts and
// styles but our own.
//
// [Handler.WriteSite] writes the same pages as static files.
//
// # Experimental
//
// This package may change in a minor version.
package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/limit"
	"github.com/datachain-go/datachain/pages/internal/catalog"
	"github.com/datachain-go/datachain/pages/internal/check"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/internal/documents"
	"github.com/datachain-go/datachain/pages/internal/form"
	"github.com/datachain-go/datachain/pages/internal/live"
	"github.com/datachain-go/datachain/pages/internal/reference"
	"github.com/datachain-go/datachain/pages/internal/static"
	"github.com/datachain-go/datachain/pages/internal/versions"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/rule"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options configure the pages. Nil and the zero value mean the defaults, and a negative
// limit or timeout means none.
type Options struct {
	// BaseURL is where people reach the pages, such as
	// https://example.org/datachain, or only its path. Canonical links begin with
	// it, other links with its path. The default is the root of the host.
	BaseURL string
	// Private is for pages behind authentication: only the cache of the browser may
	// store them.
	Private bool
	// API is the path of the REST API below BaseURL, to which pages link: serve package httpapi
	// there. "" means /api/v2.
	API string
	// MCP is the path of the MCP server below BaseURL, or "" if there is none.
	MCP string
	// Assets are the scripts and modules that make web builds, which make some pages
	// livelier and let visitors search a static site; nil means that there are
	// none.
	Assets fs.FS
	// OpenAPI is the description of the API, and Tools and Prompts are what the MCP
	// server offers, for the documentation: those that mcp.Operations returns.
	OpenAPI        []byte
	Tools, Prompts []manual.Operation
	// Signs draws the signs of documents as SVG and PDF files; nil means that they are only
	// HTML pages. The command datachain sets it.
	Signs sheet.Drawer
	// Documents is the register whose documents have pages; nil means none. As long as
	// it has none, the start page lists the taxonomies.
	Documents *register.Register
	// Languages are those of a static site; nil means all that its texts have.
	Languages []string
	// Findings returns what is wrong with the schema source that the service follows, which
	// the start page shows to its author; nil means that it does not follow one.
	Findings func() issue.Issues
	// Samples are documents to start from.
	Samples []Sample
	// Timeout limits the time to make a page, and the time that it waits for MaxWork; 0
	// means 5 seconds.
	Timeout time.Duration
	// MaxBody is the size of the largest document that is checked; 0 means 1 MiB.
	MaxBody int64
	// MaxWork limits the documents that are checked, the versions that are compared
	// and the signs that are drawn at the same time; 0 means one fewer
	// than there are processors, but at least 1. Others wait.
	MaxWork int
	// CacheBytes limits the size of cached pages; 0 means 16 MiB, and a negative
	// number turns the cache off.
	CacheBytes int64
	// Logger receives failures that are not the client's; nil means
	// [slog.Default].
	Logger *slog.Logger
}

// Sample is a document to start from. It is offered while the version that it pins is published.
type Sample struct {
	// Name identifies the sample in addresses.
	Name string
	Text []byte
	// Code is what the document is an example of, or "" for a valid one. Such a
	// document is offered on the page about the code only.
	Code issue.Code
}

// Handler serves the pages. Make one with [New].
type Handler struct {
	live   *live.Handler
	static *static.Static
}

// New returns the pages of a service. It fails if an option is invalid.
func New(service *datachain.Service, o *Options) (*Handler, error) {
	if service == nil {
		return nil, errors.New("pages: the service is nil")
	}
	var with Options
	if o != nil {
		with = *o
	}
	if err := with.complete(); err != nil {
		return nil, err
	}
	service, err := service.WithMaxInput(int(min(with.MaxBody, math.MaxInt))).WithRules(rule.All()...)
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	h := &Handler{static: static.New()}
	site, err := core.New(service, core.Options{
		BaseURL: with.BaseURL, API: with.API, MCP: with.MCP, Register: with.Documents, Languages: with.Languages, MaxBody: with.MaxBody, Built: with.Assets,
	}, rooms(&with, h.static)...)
	if err != nil {
		return nil, err
	}
	h.live = live.New(site, live.Options{
		Private: with.Private, Timeout: with.Timeout, MaxWork: with.MaxWork, CacheBytes: with.CacheBytes, Logger: with.Logger,
	})
	return h, nil
}

// complete sets the defaults.
func (o *Options) complete() error {
	o.BaseURL = strings.TrimSuffix(o.BaseURL, "/")
	o.API = cmp.Or(o.API, "/api/v2")
	if o.API[0] != '/' || o.MCP != "" && o.MCP[0] != '/' {
		return fmt.Errorf("pages: API %q and MCP %q must be paths that begin with /", o.API, o.MCP)
	}
	// Very large limits mean unlimited.
	o.Timeout = limit.Of(o.Timeout, 5*time.Second, 100*365*24*time.Hour)
	o.MaxBody = limit.Of(o.MaxBody, 1<<20, 1<<50)
	o.MaxWork = limit.Of(o.MaxWork, max(1, runtime.GOMAXPROCS(0)-1), 1<<24)
	o.CacheBytes = cmp.Or(o.CacheBytes, 16<<20)
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return nil
}

// rooms are the pages, by subject. Each gets what only it needs.
func rooms(o *Options, search *static.Static) []core.Room {
	samples := make([]check.Sample, len(o.Samples))
	for i, s := range o.Samples {
		samples[i] = check.Sample(s)
	}
	reports, register, checker := core.NewReports(), documents.New(o.Signs), check.New(samples)
	return []core.Room{
		register.Room(),
		catalog.Room(reports, o.Findings),
		versions.Room(reports, register),
		checker.Room(),
		form.Room(checker),
		reference.Room(reference.Options{OpenAPI: o.OpenAPI, Tools: o.Tools, Prompts: o.Prompts, Sample: checker.SampleOf}),
		search.Room(),
	}
}

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.live.ServeHTTP(w, r) }

// Version returns the version that a request is about, which is empty for pages about
// all of them, and whether it needs the store at all: scripts, styles and addresses
// without a page do not.
func (h *Handler) Version(r *http.Request) (ref string, needed bool) { return h.live.Version(r) }

// Bucket returns the bucket that a request is charged to: forms with a document and drawings
// have one, other pages another. Files that are cached for ever, since their names have their
// hash, are free. It is the Bucket of an httpapi.Mount.
func (h *Handler) Bucket(r *http.Request) ratelimit.Bucket { return h.live.Bucket(r) }

// Refuse answers a request that is not served, because of a limit or a panic. It is the Refuse of
// an httpapi.Mount.
func (h *Handler) Refuse(w http.ResponseWriter, r *http.Request, status int, finding issue.Issue) {
	h.live.Refuse(w, r, status, finding)
}

// WriteSite writes the pages as static files, for any web host or bucket. Links are
// relative, and the language is in the path: en/index.html, en/t/{version}.html,
// en/t/{version}/e/{id}.html, en/d/{slug}.html. Documents also have d/{slug}/index.html,
// without a language, for printed codes. Everything that a page links to is written, too, and
// checking documents as text is left out, since it needs a server. A script filters the list of
// documents by the words that it shows. If [Options.Assets] has site.wasm, another one searches
// taxonomies and answers the form of /compose as the server does, and loads it when a visitor
// does.
//
// The names that write gets are relative and separated by slashes. The files and their
// content depend only on what is published; write is called by one goroutine at a time. The
// API answers requests for what pages link to besides other pages: JSON and pictures.
func (h *Handler) WriteSite(ctx context.Context, api http.Handler, write func(name string, body []byte) error) error {
	return h.static.Write(ctx, h.live.Site, api, write)
}

// SiteHandler answers requests of the scripts of a static site as a server does: for parts of
// pages, and for the form of /compose. The file is the page that shows the answer, such as
// en/compose.html: links are relative to it. Its language, lang, is that of the answer unless
// the request asks for another one. How elements differ from an earlier version is left out,
// since that would have to be loaded, too.
func (h *Handler) SiteHandler(file, lang string) http.Handler {
	return static.Handler(h.live, file, lang)
}
