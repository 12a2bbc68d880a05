// Package answer holds HTTP responses that are built once and sent often: with
// compressed forms, entity tags and headers that need not be built again. Sending an
// answer allocates nothing.
package answer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

// Answer is the body of a response with its headers. The values of headers are lists,
// as [http.Header] has them. Once it is sent or cached, an answer must not be changed.
type Answer struct {
	// Expires is when the answer must be made again; zero is never.
	Expires time.Time
	// Status is the status code; 0 means 200. Conditions have no meaning for others.
	Status int

	contentType, cacheControl, vary []string
	fields                          [maxFields]field
	count                           int
	etags                           [encodings][]string // nil for an answer that is not stored
	bodies                          [encodings]encoded
	packed                          bool // only the body in gzip is kept
}

// maxFields is the number of further headers that an answer can have.
const maxFields = 6

// field is a further header.
type field struct {
	name   string
	values []string
	whole  bool // only with the body, not with 304
}

var varyEncoding = []string{"Accept-Encoding"}

// New returns an answer that clients and caches may store.
func New(contentType, cacheControl string, body []byte) *Answer {
	sum := sha256.Sum256(body)
	ans := newAnswer(contentType, cacheControl, hex.EncodeToString(sum[:16]))
	ans.bodies[identity].set(body)
	return ans
}

// newAnswer returns an answer without a body, whose tag is given.
func newAnswer(contentType, cacheControl, tag string) *Answer {
	ans := &Answer{contentType: []string{contentType}, cacheControl: []string{cacheControl}, vary: varyEncoding}
	ans.etags[identity] = []string{`"` + tag + `"`}
	for e := gzipped; e < encodings; e++ {
		ans.etags[e] = []string{`"` + tag + "-" + encodingNames[e][0] + `"`}
	}
	return ans
}

// NewResult returns an answer to POST, which is not stored and has no entity tags.
func NewResult(contentType string, body []byte) *Answer {
	ans := &Answer{contentType: []string{contentType}, cacheControl: noStore, vary: varyEncoding}
	ans.bodies[identity].set(body)
	return ans
}

var noStore = []string{"no-store"}

// Tag returns what the entity tags of the answer have in common, or "" if it has none.
func (ans *Answer) Tag() string {
	if ans.etags[identity] == nil {
		return ""
	}
	return strings.Trim(ans.etags[identity][0], `"`)
}

// Had returns an answer without a body that is only good to send 304: If-None-Match names one
// of its entity tags, in an encoding that the client accepts, and known says that the answer
// with this [Answer.Tag] is the one that is asked for.
func Had(r *http.Request, cacheControl string, known func(tag string) bool) (*Answer, bool) {
	accepted := negotiate(r.Header["Accept-Encoding"])
	for _, header := range r.Header["If-None-Match"] {
		for tag := range strings.SplitSeq(header, ",") {
			tag, _, _ = strings.Cut(strings.Trim(strings.TrimPrefix(strings.TrimSpace(tag), "W/"), `"`), "-")
			ans := newAnswer("", cacheControl, tag)
			if _, ok := ans.match([]string{header}, accepted, identity, weak); ok && tag != "*" && known(tag) {
				return ans, true
			}
		}
	}
	return nil, false
}

// With adds a header, whose name must be canonical.
func (ans *Answer) With(name string, values ...string) *Answer {
	return ans.add(field{name, values, false})
}

// WithBody adds a header that describes the body: a client that has it already need not
// get it again.
func (ans *Answer) WithBody(name string, values ...string) *Answer {
	return ans.add(field{name, values, true})
}

func (ans *Answer) add(f field) *Answer {
	ans.fields[ans.count] = f
	ans.count++
	return ans
}

// Varying says which request headers the answer depends on, besides Accept-Encoding.
func (ans *Answer) Varying(header string) *Answer {
	ans.vary = []string{varyEncoding[0] + ", " + header}
	return ans
}

// CacheControl returns the Cache-Control of the answer as a header value.
func (ans *Answer) CacheControl() []string { return ans.cacheControl }

// Private returns a Cache-Control that lets only the cache of the client store an answer;
// if cacheControl is nil, that of the answer.
func Private(cacheControl []string, ans *Answer) []string {
	if cacheControl == nil {
		cacheControl = ans.cacheControl
	}
	switch rest, public := strings.CutPrefix(cacheControl[0], "public"); {
	case public:
		return []string{"private" + rest}
	case cacheControl[0] == noStore[0]:
		return cacheControl
	}
	return []string{"private, " + cacheControl[0]}
}

// Body returns the body without compression, or nil if [Write] found it large. It must not
// be changed.
func (ans *Answer) Body() []byte { return ans.bodies[identity].bytes }

// cost estimates the memory of an answer, compressed bodies included.
func (ans *Answer) cost() int64 {
	const fixed = 1 << 10
	if ans.packed {
		return fixed + int64(len(ans.bodies[gzipped].bytes))
	}
	return fixed + 2*int64(len(ans.bodies[identity].bytes))
}

// ErrChanged means that If-Match names no current entity tag.
var ErrChanged = errors.New("the resource has changed: If-Match names no current entity tag of it")

// Send sends the answer in the encoding that the client prefers, or 304 if the client
// has it already. It returns [ErrChanged], and sends nothing, if the client requires
// another answer. Conditions have no meaning for POST, whose answers are not stored.
// A cacheControl that is not nil is sent instead of that of the answer.
func (ans *Answer) Send(w http.ResponseWriter, r *http.Request, cacheControl []string) error {
	h := w.Header()
	accepted := negotiate(r.Header["Accept-Encoding"])
	body, used := ans.encode(accepted)
	if required := r.Header["If-Match"]; required != nil && ans.etags[used] != nil && ans.Status == 0 {
		if _, ok := ans.match(required, accepted, used, strong); !ok {
			return ErrChanged
		}
	}
	if cacheControl == nil {
		cacheControl = ans.cacheControl
	}
	h["Cache-Control"] = cacheControl
	h["Vary"] = ans.vary
	for i := range ans.count {
		if f := &ans.fields[i]; !f.whole {
			h[f.name] = f.values
		}
	}
	if ans.etags[used] != nil && ans.Status == 0 {
		h["ETag"] = ans.etags[used]
		if had, ok := ans.match(r.Header["If-None-Match"], accepted, used, weak); ok {
			h["ETag"] = ans.etags[had]
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	h["Content-Type"] = ans.contentType
	for i := range ans.count {
		if f := &ans.fields[i]; f.whole {
			h[f.name] = f.values
		}
	}
	if used != identity {
		h["Content-Encoding"] = encodingNames[used]
	}
	h["Content-Length"] = body.length
	w.WriteHeader(cmp.Or(ans.Status, http.StatusOK))
	switch {
	case r.Method == http.MethodHead:
	case ans.packed && used == identity:
		_, _ = io.Copy(w, ans.unpacked()) // fails only if the client disconnected
	default:
		_, _ = w.Write(body.bytes) // likewise
	}
	return nil
}

// Prepare compresses the body as the client of a request prefers it, so that Send need
// not.
func (ans *Answer) Prepare(r *http.Request) {
	ans.encode(negotiate(r.Header["Accept-Encoding"]))
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
func (ans *Answer) match(headers []string, accepted qualities, used encoding, how comparison) (encoding, bool) {
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
