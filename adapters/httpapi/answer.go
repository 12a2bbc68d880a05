package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
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

// answer is the body of a response with its headers. The values are lists, as
// [http.Header] has them, so that writing an answer allocates nothing.
type answer struct {
	contentType  []string
	cacheControl []string
	contentHash  []string // nil if it is not about a version
	location     []string
	etags        [encodings][]string // nil for an answer to POST
	bodies       [encodings]encoded
	expires      time.Time // zero is never
}

// newAnswer returns an answer to a read.
func newAnswer(contentType, cacheControl string, body []byte) *answer {
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:16])
	ans := &answer{contentType: []string{contentType}, cacheControl: []string{cacheControl}}
	ans.etags[identity] = []string{`"` + tag + `"`}
	for e := gzipped; e < encodings; e++ {
		ans.etags[e] = []string{`"` + tag + "-" + encodingNames[e][0] + `"`}
	}
	ans.bodies[identity].set(body)
	return ans
}

// cost estimates the memory of an answer, compressed bodies included.
func (ans *answer) cost() int64 {
	const fixed = 1 << 10
	return fixed + 2*int64(len(ans.bodies[identity].bytes))
}

// maxLocation is the length of the longest Content-Location. Proxies refuse
// headers that are too long, and the response with them.
const maxLocation = 4 << 10

// of sets the headers of an answer about a release.
func (ans *answer) of(a *api, release *taxonomy.Release, resource, query string) *answer {
	location := a.base + prefix + "/schemas/" + release.Version().String() + resource
	if query != "" {
		location += "?" + query
	}
	ans.contentHash = []string{release.ContentHash().String()}
	if len(location) <= maxLocation {
		ans.location = []string{location}
	}
	return ans
}

// A creator creates the answer to a read.
type creator func(a *api, ctx context.Context, res *response, q *reading) (*answer, error)

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
	if ok && !ans.expires.IsZero() && !time.Now().Before(ans.expires) {
		a.answers.Delete(key)
		ok = false
	}
	if !ok {
		var err error
		if ans, err = a.create(ctx, key, res, q, create); err != nil {
			return err
		}
	}
	return a.write(res, r, q.schema, ans)
}

// create creates an answer, once for all requests that wait for it. If the request
// that creates it gives up, another one takes over.
func (a *api) create(ctx context.Context, key answerKey, res *response, q reading, create creator) (*answer, error) {
	for {
		ans, err := a.answers.Do(ctx, key, func() (*answer, int64, error) {
			ans, err := create(a, ctx, res, &q)
			if err != nil {
				return nil, 0, err
			}
			return ans, a.cost(ans, key, &q), nil
		})
		if err == nil || ctx.Err() != nil || !gaveUp(err) {
			return ans, err
		}
	}
}

// cost returns the cost of an answer in the cache. One to a search is kept when it is
// asked for again: most never are, and would only take up memory.
func (a *api) cost(ans *answer, key answerKey, q *reading) int64 {
	if q.params.get("query") != "" && !a.searches.Seen(key) {
		return -1
	}
	return ans.cost() + 2*int64(len(key.id)+len(key.params))
}

var (
	varyEncoding = []string{"Accept-Encoding"}
	svgPolicy    = []string{"default-src 'none'; style-src 'unsafe-inline'; sandbox"}
)

// write sends an answer in the encoding that the client prefers, or 304 if the
// client has it already. It fails if the client requires another one. Conditions
// have no meaning for POST, whose answers are not stored.
func (a *api) write(res *response, r *http.Request, schema *datachain.Schema, ans *answer) error {
	h := res.Header()
	accepted := negotiate(r.Header["Accept-Encoding"])
	body, used := ans.encode(&a.compressors, accepted.best())
	if required := r.Header["If-Match"]; required != nil && ans.etags[used] != nil {
		if _, ok := ans.match(required, accepted, used, strong); !ok {
			return problem(issue.CodePreconditionFailed, "read it again without If-Match",
				"The resource has changed: If-Match names no current entity tag of it.")
		}
	}
	h["Cache-Control"] = ans.cacheControl
	h["Vary"] = varyEncoding
	if ans.contentHash != nil {
		h["Service-Content-Hash"] = ans.contentHash
	}
	if ans.location != nil {
		h["Content-Location"] = ans.location
	}
	if ans.etags[used] != nil {
		if a.AliasMaxAge > 0 && schema != nil && res.version != schema.Release().Version().String() {
			h["Cache-Control"] = a.aliasCaching(schema.Release(), ans.cacheControl)
		}
		h["ETag"] = ans.etags[used]
		if had, ok := ans.match(r.Header["If-None-Match"], accepted, used, weak); ok {
			h["ETag"] = ans.etags[had]
			res.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	h["Content-Type"] = ans.contentType
	if ans.contentType[0] == typeSVG {
		h["Content-Security-Policy"] = svgPolicy
	}
	if used != identity {
		h["Content-Encoding"] = encodingNames[used]
	}
	h["Content-Length"] = body.length
	res.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = res.Write(body.bytes) // fails only if the client disconnected
	}
	return nil
}

// comparison is how entity tags are compared (RFC 9110, section 8.8.3.2).
type comparison bool

const (
	weak   comparison = false // for If-None-Match
	strong comparison = true  // for If-Match
)

// match returns the encoding in which a client has the answer: one that its
// condition names and that it accepts, since a cache may ask on behalf of another
// client. A * names the one that would be used.
func (ans *answer) match(headers []string, accepted qualities, used encoding, how comparison) (encoding, bool) {
	for _, header := range headers {
		for tag := range strings.SplitSeq(header, ",") {
			tag = strings.TrimSpace(tag)
			if how == weak {
				tag = strings.TrimPrefix(tag, "W/")
			}
			if tag == "*" {
				return used, true
			}
			for e := range encodings {
				if tag == ans.etags[e][0] && (e == identity || accepted[e] > 0) {
					return e, true
				}
			}
		}
	}
	return identity, false
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
