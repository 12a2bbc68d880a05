// Package pages serves taxonomies and a register of documents as web pages: what is published,
// the catalog of a version, a page for each category and element, and for each document. [New]
// returns an [http.Handler] for the root of a server, or below a prefix with [http.StripPrefix]. It
// leaves /api and /mcp to others.
//
//	GET /                        what is published: the register, if there are documents
//	GET /d                       the register of documents; .json, .csv, .geojson, .atom and .jsonld, too
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
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/limit"
	"github.com/datachain-go/datachain/internal/lru"
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

// Handler serves the pages. Make one with [New].
type Handler struct {
	options     Options // with the defaults
	service     *datachain.Service
	register    *register.Register // nil for none
	base        string             // the path of BaseURL
	pages       []*page
	templates   map[*page]templates
	assets      func() *assets // read when the first page is made
	answers     *httpcache.Cache[answerKey]
	overviews   atomic.Pointer[overview]
	stats       atomic.Pointer[registerStats]
	preferences *lru.Cache[preferenceKey, string] // by Accept-Language
	reports     *lru.Cache[reportKey, *diff.Report]
	playPolicy  string
	built       built // the editor
	forms, work gate  // forms that are read, and what costs work
	maxSitemap  int   // addresses in a file
}

// Bounds of the caches.
const (
	maxPreferences = 4096
	maxForms       = 64
	maxReports     = 8 << 20 // bytes
)

// New returns the pages of a service. It fails if an option is invalid.
func New(service *datachain.Service, o *Options) (*Handler, error) {
	if service == nil {
		return nil, errors.New("pages: the service is nil")
	}
	e := &Handler{
		pages:       pages(),
		preferences: lru.New[preferenceKey, string](maxPreferences),
		reports:     lru.New[reportKey, *diff.Report](maxReports),
		maxSitemap:  maxSitemap,
	}
	if o != nil {
		e.options, e.register = *o, o.Documents
	}
	var err error
	if e.base, err = httpcache.BasePath(e.options.BaseURL); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	e.options.BaseURL = strings.TrimSuffix(e.options.BaseURL, "/")
	e.options.API = cmp.Or(e.options.API, "/api/v2")
	if e.options.API[0] != '/' || e.options.MCP != "" && e.options.MCP[0] != '/' {
		return nil, fmt.Errorf("pages: API %q and MCP %q must be paths that begin with /", e.options.API, e.options.MCP)
	}
	// What is more than can be reached stands for no limit.
	e.options.Timeout = limit.Of(e.options.Timeout, 5*time.Second, 100*365*24*time.Hour)
	e.options.MaxBody = limit.Of(e.options.MaxBody, 1<<20, 1<<50)
	if e.service, err = service.WithMaxInput(int(min(e.options.MaxBody, math.MaxInt))).WithRules(rule.All()...); err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	e.options.MaxWork = limit.Of(e.options.MaxWork, max(1, runtime.GOMAXPROCS(0)-1), 1<<24)
	e.forms, e.work = make(gate, maxForms), make(gate, e.options.MaxWork)
	e.built = newBuilt(e.options.Assets)
	e.playPolicy = playPolicy(e.built != nil)
	if e.options.Logger == nil {
		e.options.Logger = slog.Default()
	}
	e.answers = httpcache.NewCache[answerKey](cmp.Or(e.options.CacheBytes, 16<<20))
	e.assets = sync.OnceValue(newAssets)
	e.templates = newTemplates(e.pages)
	return e, nil
}

// Version returns the version that a request is about, which is empty for pages about
// all of them, and whether it needs the store at all: scripts, styles and addresses
// without a page do not.
func (e *Handler) Version(r *http.Request) (ref string, needed bool) {
	if strings.HasPrefix(r.URL.Path, assetPrefix) {
		return "", false
	}
	p, of := e.find(r.URL)
	return of.version, p != nil
}

// Bucket returns the bucket that a request is charged to: forms with a document and drawings
// have one, other pages another. Files that are cached for ever, since their names have their
// hash, are free. It is the Bucket of an httpapi.Mount.
func (e *Handler) Bucket(r *http.Request) ratelimit.Bucket {
	if file, ok := strings.CutPrefix(r.URL.Path, assetPrefix); ok && e.assets().answers[file] != nil {
		return ratelimit.Free
	}
	p, _ := e.find(r.URL)
	if p != nil && (r.Method == http.MethodPost && p.post != nil || p.heavy && (p.extension == ".svg" || p.extension == ".pdf")) {
		return ratelimit.Forms
	}
	return ratelimit.Pages
}
