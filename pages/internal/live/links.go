package live

import (
	"maps"
	"net/url"

	"github.com/datachain-go/datachain/pages/internal/core"
)

// links are the links of pages that a server sends. A language that was asked for
// is kept; otherwise the browser chooses on each page.
type links struct {
	site *core.Site
	lang string // the one that was asked for, or ""
}

func (l *links) Page(path string, state url.Values, lang string) string {
	if lang == "" {
		lang = l.lang
	}
	query := state
	if lang != "" {
		query = url.Values{"lang": {lang}}
		maps.Copy(query, state)
	}
	return l.site.Base + path + core.Encoded(query)
}

func (l *links) Asset(name string) string {
	return l.site.Base + core.AssetPrefix + l.site.Assets().Names[name]
}

func (l *links) Editor() string {
	if l.site.Editor == nil {
		return ""
	}
	return l.site.Base + core.AssetPrefix + core.EditorPrefix + core.EditorFile
}

func (l *links) API(path string) string { return l.site.Base + l.site.Options.API + path }

func (l *links) Canonical(path string, state url.Values, lang string) string {
	if lang != "" {
		state = core.With(state, "lang", lang)
	}
	return l.site.PublicURL() + path + core.Encoded(state)
}

func (l *links) Live() bool { return true }

func (l *links) Forms() bool { return true }

func (l *links) Search(*core.Scope) string { return "" }
