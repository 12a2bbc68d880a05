package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
)

const (
	typeJSON = "application/json; charset=utf-8"
	typeSVG  = "image/svg+xml; charset=utf-8"
)

// cacheShards is how many locks share the load of the cache of answers.
const cacheShards = 16

// answerKey identifies an answer about a release. The same content may be
// published under two versions, and is then answered differently.
type answerKey struct {
	version taxonomy.Version
	content taxonomy.Hash
	route   *route
	// id is the element, symbol or file that is asked for, and params what
	// else decides the answer, in one fixed spelling.
	id, params string
}

// answer is the body of a read with its header fields, made once. The fields are
// lists as [http.Header] has them, so that writing an answer makes nothing.
type answer struct {
	contentType  []string
	cacheControl []string
	contentHash  []string // nil where the answer is of no version
	location     []string
	etags        [encodings][]string
	bodies       [encodings]encoded
	// expires is when the answer must be made anew; zero is never.
	expires time.Time
}

// newAnswer returns an answer with the fields that follow from the body.
func newAnswer(contentType, cacheControl string, body []byte) *answer {
	sum := sha256.Sum256(body)
	tag := hex.EncodeToString(sum[:16])
	ans := &answer{contentType: []string{contentType}, cacheControl: []string{cacheControl}}
	for e := range ans.etags {
		ans.etags[e] = []string{`"` + tag + encoding(e).suffix() + `"`}
	}
	ans.bodies[identity].set(body)
	return ans
}

// cost is about how many bytes an answer takes, its compressed forms included.
func (ans *answer) cost() int64 {
	const fixed = 1 << 10
	return fixed + 2*int64(len(ans.bodies[identity].bytes))
}

// of makes the answer one about a part of a release.
func (ans *answer) of(a *api, release *taxonomy.Release, resource, params string) *answer {
	location := a.base + prefix + "/schemas/" + release.Version().String() + resource
	if params != "" {
		location += "?" + params
	}
	ans.contentHash = []string{release.ContentHash().String()}
	if len(location) <= maxLocation {
		ans.location = []string{location}
	}
	return ans
}

// maxLocation is the longest address that is told in Content-Location. Proxies do
// not take header fields of any length, and lose the answer with them.
const maxLocation = 4 << 10

// cached answers a read with an answer that is there, or is made now and kept.
// The release is nil where the answer is of none.
func (a *api) cached(ctx context.Context, res *response, r *http.Request, release *taxonomy.Release, id, params string, create func() (*answer, error)) error {
	key := answerKey{route: res.route, id: id, params: params}
	if release != nil {
		key.version, key.content = release.Version(), release.ContentHash()
	}
	ans, ok := a.kept(key)
	if !ok {
		var err error
		if ans, err = a.keep(ctx, key, create); err != nil {
			return err
		}
	}
	a.write(res, r, release, ans)
	return nil
}

// kept returns an answer that is there, unless it has expired.
func (a *api) kept(key answerKey) (*answer, bool) {
	ans, ok := a.answers.Get(key)
	if ok && !ans.expires.IsZero() && !time.Now().Before(ans.expires) {
		a.answers.Delete(key)
		return nil, false
	}
	return ans, ok
}

// keep makes an answer, once for all requests that ask for it meanwhile. Where the
// one gave up that was at it, another goes on.
func (a *api) keep(ctx context.Context, key answerKey, create func() (*answer, error)) (*answer, error) {
	for {
		ans, err := a.answers.Do(ctx, key, func() (*answer, int64, error) {
			made, err := create()
			if err != nil {
				return nil, 0, err
			}
			return made, made.cost() + 2*int64(len(key.id)+len(key.params)), nil
		})
		if err == nil || ctx.Err() != nil || !gaveUp(err) {
			return ans, err
		}
	}
}

// write sends an answer in the encoding that the client likes best, or tells it
// that it has the answer already.
func (a *api) write(res *response, r *http.Request, release *taxonomy.Release, ans *answer) {
	h := res.Header()
	likes := negotiate(r.Header["Accept-Encoding"])
	body, used := ans.encode(&a.compressor, likes.best())
	h["Cache-Control"] = ans.cacheControl
	if a.AliasMaxAge > 0 && release != nil && res.version != release.Version().String() {
		h["Cache-Control"] = a.aliasCaching(release, ans.cacheControl)
	}
	h["Vary"] = varyEncoding
	h["ETag"] = ans.etags[used]
	if ans.contentHash != nil {
		h["Service-Content-Hash"] = ans.contentHash
	}
	if ans.location != nil {
		h["Content-Location"] = ans.location
	}
	if fields := r.Header["If-None-Match"]; len(fields) > 0 {
		if had, ok := ans.match(fields, likes, used); ok {
			h["ETag"] = ans.etags[had]
			res.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h["Content-Type"] = ans.contentType
	if ans.contentType[0] == typeSVG {
		h["Content-Security-Policy"] = picturePolicy
	}
	if used != identity {
		h["Content-Encoding"] = used.field()
	}
	h["Content-Length"] = body.length
	res.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = res.Write(body.bytes) // a client that went away is nobody's failure
	}
}

var (
	varyEncoding  = []string{"Accept-Encoding"}
	picturePolicy = []string{"default-src 'none'; style-src 'unsafe-inline'; sandbox"}
)

// match returns the encoding in which a client has the answer, if one of its
// If-None-Match fields names the answer in an encoding that the client takes:
// a cache may ask for one client and hold what it got for another. A * names the
// one that would be used.
func (ans *answer) match(fields []string, likes takes, used encoding) (encoding, bool) {
	for _, field := range fields {
		for candidate := range strings.SplitSeq(field, ",") {
			candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
			if candidate == "*" {
				return used, true
			}
			for e := range encodings {
				if candidate == ans.etags[e][0] && (e == identity || likes[e] > 0) {
					return e, true
				}
			}
		}
	}
	return identity, false
}

// maxAge begins the Cache-Control of what may be kept.
const maxAge = "public, max-age="

// aliasCaching is the Cache-Control of an answer that was asked for by an alias.
func (a *api) aliasCaching(release *taxonomy.Release, usual []string) []string {
	most := int(a.AliasMaxAge.Seconds())
	if release.Version().Status() == taxonomy.Beta {
		age, kept := strings.CutPrefix(usual[0], maxAge)
		if n, err := strconv.Atoi(age); !kept || err == nil && n <= most {
			return usual
		}
	}
	return []string{maxAge + strconv.Itoa(most)}
}

// jsonCaching is the Cache-Control of JSON of a release.
func jsonCaching(release *taxonomy.Release) string {
	if release.Version().Status() == taxonomy.Stable {
		return "public, max-age=86400, immutable"
	}
	return "no-store"
}

// pictureCaching is that of pictures; age is how long one of a beta may be kept.
func pictureCaching(release *taxonomy.Release, age string) string {
	if release.Version().Status() == taxonomy.Stable {
		return "public, max-age=31536000, immutable"
	}
	return maxAge + age
}
