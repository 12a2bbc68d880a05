package explorer

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/address"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
)

// request is what a page is made of.
type request struct {
	explorer *Explorer
	ctx      context.Context //nolint:containedctx // a request is one call of build
	page     *page
	// index is what is published. schema is the version in the path, or nil.
	index  *taxonomy.Index
	schema *datachain.Schema
	id     string // the wildcard of the pattern
	// pinned reports whether the path has the id of the version, not an alias.
	pinned bool
	params url.Values
	links  links
	// documents are those of a static site.
	documents []SiteDocument
	// alone means that no other version is opened to compare with.
	alone bool

	// locales are the languages in which the page can be shown, locale is the one
	// that was chosen, and asked is it if the address names it.
	locales       []string
	locale, asked string
	texts         texts.Chooser // see chooser
	words         *words

	icons int // drawn so far, for their ids
}

// answerKey identifies a page. Pages name other versions, too, so they depend on the
// index: stores return the same one until it changes.
type answerKey struct {
	page          *page
	index         *taxonomy.Index
	version       taxonomy.Version
	content       taxonomy.Hash
	id, params    string
	locale, asked string
	pinned        bool // of mute pages, which are cached longer then
}

// key returns the key of the page.
func (q *request) key() answerKey {
	k := answerKey{page: q.page, index: q.index, id: q.id, locale: q.locale, asked: q.asked}
	if q.page.mute {
		k.index, k.locale, k.asked, k.pinned = nil, "", "", q.pinned
	}
	if q.schema != nil {
		k.version, k.content = q.schema.Release().Version(), q.schema.Release().ContentHash()
	}
	if len(q.params) > 0 {
		k.params = q.params.Encode()
	}
	return k
}

// find returns the page of a path, and the values of its wildcards.
func (e *Explorer) find(u *url.URL) (p *page, version, id string) {
	var room [maxSegments]string
	segments, ok := address.Segments(u, room[:0])
	if !ok {
		return nil, "", ""
	}
	for _, p := range e.pages {
		if version, id, ok := p.match(segments); ok {
			return p, version, id
		}
	}
	return nil, "", ""
}

// maxSegments is the number of segments of the longest pattern.
const maxSegments = 5

// maxQuery is the length of the longest query string that is read.
const maxQuery = 8 << 10

// parameters returns the parameters that a page depends on. Others are ignored.
func (p *page) parameters(query string) url.Values {
	if query == "" || len(query) > maxQuery {
		return nil
	}
	all, _ := url.ParseQuery(query) // what is malformed is left out
	for name, values := range all {
		values = slices.DeleteFunc(values, func(v string) bool { return v == "" || name == "part" && !slices.Contains(p.parts, v) })
		if len(values) == 0 || !p.knows(name) {
			delete(all, name)
			continue
		}
		if !strings.Contains(name, ".") {
			values = values[:1] // only fields of variables have several
		}
		all[name] = values
	}
	return all
}

func (p *page) knows(name string) bool {
	return name == "part" || slices.ContainsFunc(p.params, func(known string) bool {
		return known == name || strings.HasSuffix(known, ".") && strings.HasPrefix(name, known)
	})
}

// release returns the release of the version in the path.
func (q *request) release() *taxonomy.Release { return q.schema.Release() }
