package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/answer"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const (
	typeJSON   = "application/json; charset=utf-8"
	typeSchema = "application/schema+json; charset=utf-8"
	typeSVG    = "image/svg+xml; charset=utf-8"
	typeHTML   = "text/html; charset=utf-8"
)

// cacheShards is the number of locks of the cache of answers.
const cacheShards = 16

// reading is what a read asks for.
type reading struct {
	schema *datachain.Schema // nil if it is not about a version
	id     string            // of an element, symbol, shape or JSON Schema
	params params
	icon   string // its variant
}

// answerKey identifies an answer. It has both version and content, because the
// same content may be published as two versions.
type answerKey struct {
	version    taxonomy.Version
	content    taxonomy.Hash
	route      *route
	id, params string
}

// maxLocation is the length of the longest Content-Location. Proxies refuse
// headers that are too long, and the response with them.
const maxLocation = 4 << 10

// about sets the headers of an answer about a release.
func (a *api) about(ans *answer.Answer, release *taxonomy.Release, resource, query string) *answer.Answer {
	location := a.base + prefix + "/schemas/" + release.Version().String() + resource
	if query != "" {
		location += "?" + query
	}
	ans.With("Service-Content-Hash", release.ContentHash().String())
	if len(location) <= maxLocation {
		ans.With("Content-Location", location)
	}
	return ans
}

// A creator creates the answer to a read.
type creator func(a *api, ctx context.Context, res *response, q *reading) (*answer.Answer, error)

// respond answers a read from the cache, or with a new answer that it caches.
func (a *api) respond(ctx context.Context, res *response, r *http.Request, q reading, create creator) error {
	key := answerKey{route: res.route, id: q.id, params: q.icon}
	if q.params.values != nil {
		key.params = q.params.String()
	}
	if q.schema != nil {
		key.version, key.content = q.schema.Release().Version(), q.schema.Release().ContentHash()
	}
	ans, ok := a.answers.Get(key)
	if !ok {
		var err error
		if ans, err = a.create(ctx, key, res, q, create); err != nil {
			return err
		}
	}
	return a.write(res, r, q.schema, ans)
}

// create creates an answer and caches it. One to a search is kept when it is asked for
// again.
func (a *api) create(ctx context.Context, key answerKey, res *response, q reading, create creator) (*answer.Answer, error) {
	wanted := answer.Request[answerKey]{Key: key, KeySize: len(key.id) + len(key.params), Rare: q.params.get("query") != ""}
	return a.answers.Make(ctx, wanted, func() (*answer.Answer, error) { return create(a, ctx, res, &q) })
}

// newSVG returns an answer that is a picture.
func newSVG(caching string, svg []byte) *answer.Answer {
	return answer.New(typeSVG, caching, svg).WithBody("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
}

// write sends an answer. It fails if the client requires another one.
func (a *api) write(res *response, r *http.Request, schema *datachain.Schema, ans *answer.Answer) error {
	var caching []string
	if a.AliasMaxAge > 0 && schema != nil && res.version != schema.Release().Version().String() {
		caching = a.aliasCaching(schema.Release(), ans.CacheControl())
	}
	if a.Private {
		caching = answer.Private(caching, ans)
	}
	if err := ans.Send(res, r, caching); err != nil {
		return problem(issue.CodePreconditionFailed, "read it again without If-Match",
			"The resource has changed: If-Match names no current entity tag of it.")
	}
	return nil
}

// aliasCaching returns the Cache-Control of an answer that was requested by an
// alias.
func (a *api) aliasCaching(release *taxonomy.Release, usual []string) []string {
	const maxAge = "public, max-age="
	most := int(a.AliasMaxAge.Seconds())
	if release.Version().Status() == taxonomy.Beta {
		age, cached := strings.CutPrefix(usual[0], maxAge)
		if n, err := strconv.Atoi(age); !cached || err == nil && n <= most {
			return usual
		}
	}
	return []string{maxAge + strconv.Itoa(most)}
}

// forever is the Cache-Control of images that never change.
const forever = "public, max-age=31536000, immutable"

// caching returns the Cache-Control of a release, which depends on its status.
func caching(release *taxonomy.Release, stable, beta string) string {
	if release.Version().Status() == taxonomy.Stable {
		return stable
	}
	return beta
}
