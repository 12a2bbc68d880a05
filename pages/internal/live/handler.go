// Package live serves pages over HTTP: it caches them, limits the work that they cost, reads forms and
// says what failed.
package live

import (
	"embed"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/lru"
	"github.com/datachain-go/datachain/pages/internal/core"
)

// Options are how pages are served. They have been completed: there are no defaults here.
type Options struct {
	Private bool
	// Timeout limits the time to make a page, and the time that it waits for MaxWork.
	Timeout time.Duration
	// MaxWork limits what costs work at the same time.
	MaxWork    int
	CacheBytes int64
	Logger     *slog.Logger
}

// Handler serves the pages of a site.
type Handler struct {
	*core.Site

	options     Options
	answers     *httpcache.Cache[answerKey]
	preferences *lru.Cache[preferenceKey, string]
	forms, work gate // forms that are read, and what costs work
}

// Bounds of the caches, and of forms that are read at the same time.
const (
	maxPreferences = 4096
	maxForms       = 64
)

//go:embed error.html
var files embed.FS

// New returns the handler of a site.
func New(s *core.Site, o Options) *Handler {
	return &Handler{
		Site: s, options: o, answers: httpcache.NewCache[answerKey](o.CacheBytes), preferences: lru.New[preferenceKey, string](maxPreferences),
		forms: make(gate, maxForms), work: make(gate, o.MaxWork),
	}
}

// Version returns the version that a request is about, which is empty for pages about
// all of them, and whether it needs the store at all: scripts, styles and addresses
// without a page do not.
func (h *Handler) Version(r *http.Request) (ref string, needed bool) {
	if strings.HasPrefix(r.URL.Path, core.AssetPrefix) {
		return "", false
	}
	p, of := h.Find(r.URL)
	return of.Version, p != nil
}

// Bucket returns the bucket that a request is charged to: forms with a document and drawings
// have one, other pages another. Files that are cached for ever, since their names have their
// hash, are free.
func (h *Handler) Bucket(r *http.Request) ratelimit.Bucket {
	if file, ok := strings.CutPrefix(r.URL.Path, core.AssetPrefix); ok && h.Assets().Answers[file] != nil {
		return ratelimit.Free
	}
	p, _ := h.Find(r.URL)
	if p != nil && (r.Method == http.MethodPost && p.Post != nil || p.Heavy && (p.Extension == ".svg" || p.Extension == ".pdf")) {
		return ratelimit.Forms
	}
	return ratelimit.Pages
}
