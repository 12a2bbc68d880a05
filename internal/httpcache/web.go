// Package httpcache provides what the HTTP servers of this module share: responses that are built
// once and sent often ([Answer]), with their compressed forms, entity tags and headers, a [Cache]
// of them, and functions for the paths of requests. Sending an answer allocates nothing.
package httpcache

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/internal/lru"
)

// SVGPolicy is the Content-Security-Policy of an SVG picture, which can be opened as a page.
const SVGPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// Answer is the body of a response with its headers. The values of headers are lists,
// as [http.Header] has them. Once it is sent or cached, an answer must not be changed.
type Answer struct {
	// Expires is when the answer must be made again; zero is never.
	Expires time.Time
	// Status is the status code; 0 means 200. Conditions have no meaning for others.
	Status int

	contentType, cacheControl, vary []string
	fields                          []field
	etags                           [encodings][]string // nil for an answer that is not stored
	bodies                          [encodings]encodedBody
	packed                          bool // only the body in gzip is kept
}

// field is a further header.
type field struct {
	name     string
	values   []string
	bodyOnly bool // only with the body, not with 304
}

var varyEncoding = []string{"Accept-Encoding"}

// NewAnswer returns an answer that clients and caches may store.
func NewAnswer(contentType, cacheControl string, body []byte) *Answer {
	sum := sha256.Sum256(body)
	ans := newAnswer(contentType, cacheControl, hex.EncodeToString(sum[:16]))
	ans.bodies[identity].set(body)
	return ans
}

// newAnswer returns an answer without a body, whose tag is given.
func newAnswer(contentType, cacheControl, tag string) *Answer {
	ans := &Answer{contentType: []string{contentType}, cacheControl: []string{cacheControl}, vary: varyEncoding}
	ans.etags[identity], ans.etags[gzipped] = []string{`"` + tag + `"`}, []string{`"` + tag + `-gzip"`}
	return ans
}

// NewResult returns an answer to POST, which is not stored and has no entity tags.
func NewResult(contentType string, body []byte) *Answer {
	ans := &Answer{contentType: []string{contentType}, cacheControl: noStore, vary: varyEncoding}
	ans.bodies[identity].set(body)
	return ans
}

var noStore = []string{"no-store"}

// With adds a header, whose name must be canonical.
func (ans *Answer) With(name string, values ...string) *Answer {
	ans.fields = append(ans.fields, field{name, values, false})
	return ans
}

// WithBody adds a header that describes the body: a client that has it already need not
// get it again.
func (ans *Answer) WithBody(name string, values ...string) *Answer {
	ans.fields = append(ans.fields, field{name, values, true})
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

// Body returns the body without compression, or nil if [WriteAnswer] found it large. It must not
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
	for _, f := range ans.fields {
		if !f.bodyOnly {
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
	for _, f := range ans.fields {
		if f.bodyOnly {
			h[f.name] = f.values
		}
	}
	if used == gzipped {
		h["Content-Encoding"] = gzipName
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
func (ans *Answer) match(headers []string, accepted acceptance, used encoding, how comparison) (encoding, bool) {
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
				if tag == ans.etags[e][0] && (e == identity || accepted.gzip) {
					return e, true
				}
			}
		}
	}
	return identity, false
}

// Cache keeps answers by key, up to a bound, and makes each one once however many
// requests ask for it at the same time.
type Cache[K comparable] struct{ answers *lru.Cache[K, *Answer] }

// NewCache returns a cache of answers of a total size. A bound of 0 keeps nothing.
func NewCache[K comparable](maxBytes int64) *Cache[K] {
	return &Cache[K]{lru.New[K, *Answer](max(0, maxBytes))}
}

// Get returns an answer that is kept and has not expired.
func (c *Cache[K]) Get(key K) (*Answer, bool) {
	ans, ok := c.answers.Get(key)
	if ok && !ans.Expires.IsZero() && !time.Now().Before(ans.Expires) {
		c.answers.Delete(key)
		return nil, false
	}
	return ans, ok
}

// Make makes the answer of a key and keeps it, once for all requests that wait for it. If the
// request that makes it gives up, another one takes over. The size of the key counts, too.
func (c *Cache[K]) Make(ctx context.Context, key K, keySize int, create func() (*Answer, error)) (*Answer, error) {
	return c.answers.Do(ctx, key, func() (*Answer, int64, error) {
		ans, err := create()
		if err != nil {
			return nil, 0, err
		}
		return ans, ans.cost() + 2*int64(keySize), nil
	})
}

// encoding is a Content-Encoding.
type encoding int

const (
	identity encoding = iota
	gzipped
	encodings
)

var gzipName = []string{"gzip"}

// smallest is the size below which compressing a body does not save a packet.
const smallest = 1024

// encodedBody is a body in one encoding, which is made when it is first needed.
type encodedBody struct {
	once   sync.Once
	bytes  []byte
	length []string // the value of Content-Length
}

func (b *encodedBody) set(body []byte) {
	b.once.Do(func() { b.bytes, b.length = body, []string{strconv.Itoa(len(body))} })
}

// encode returns the body in the encoding that a client prefers, or unencoded if that is
// as small.
func (ans *Answer) encode(accepted acceptance) (*encodedBody, encoding) {
	plain, packed := &ans.bodies[identity], &ans.bodies[gzipped]
	if ans.packed {
		if accepted.gzip {
			return packed, gzipped
		}
		return plain, identity
	}
	if !accepted.preferred || len(plain.bytes) < smallest {
		return plain, identity
	}
	writers := thorough
	if ans.etags[identity] == nil {
		writers = fast
	}
	packed.once.Do(func() {
		if body := compress(writers, plain.bytes); len(body) < len(plain.bytes) {
			packed.bytes, packed.length = body, []string{strconv.Itoa(len(body))}
		}
	})
	if packed.bytes == nil {
		return plain, identity
	}
	return packed, gzipped
}

// Answers that are stored are compressed thoroughly, since they are compressed once and sent often,
// and others fast. A writer needs about a megabyte, so all servers of a process reuse the same.
var (
	thorough = gzipWriters(gzip.DefaultCompression)
	fast     = gzipWriters(gzip.BestSpeed)
)

// gzipWriters returns a pool of *gzip.Writer.
func gzipWriters(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		w, err := gzip.NewWriterLevel(nil, level)
		if err != nil {
			panic(err) // the level is valid
		}
		return w
	}}
}

// compress returns the body in gzip.
func compress(writers *sync.Pool, body []byte) []byte {
	w := writers.Get().(*gzip.Writer) //nolint:errcheck // the pool holds nothing else
	defer writers.Put(w)
	var b bytes.Buffer
	b.Grow(len(body) / 2)
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// large is the size from which the body of an answer that is written is kept in gzip only.
const large = 1 << 20

// WriteAnswer returns an answer like [NewAnswer], whose body is written. A large one is compressed
// meanwhile and never in memory as a whole; clients that do not accept gzip get what is
// decompressed again.
func WriteAnswer(contentType, cacheControl string, write func(io.Writer) error) (*Answer, error) {
	p := &packer{sum: sha256.New()}
	if err := write(p); err != nil {
		return nil, err
	}
	if p.zip == nil {
		return NewAnswer(contentType, cacheControl, bytes.Clone(p.buffer.Bytes())), nil
	}
	_ = p.zip.Close() // a buffer takes everything
	ans := newAnswer(contentType, cacheControl, hex.EncodeToString(p.sum.Sum(nil)[:16]))
	ans.packed = true
	ans.bodies[identity].length = []string{strconv.FormatInt(p.size, 10)}
	ans.bodies[gzipped].set(bytes.Clone(p.buffer.Bytes()))
	return ans, nil
}

// packer compresses a body as soon as it is large.
type packer struct {
	sum    hash.Hash
	size   int64
	buffer bytes.Buffer
	zip    *gzip.Writer // to the buffer, or nil
}

func (p *packer) Write(b []byte) (int, error) {
	_, _ = p.sum.Write(b) // a hash does not fail
	p.size += int64(len(b))
	if p.zip != nil {
		return p.zip.Write(b)
	}
	n, err := p.buffer.Write(b)
	if p.size >= large {
		begin := bytes.Clone(p.buffer.Bytes())
		p.buffer.Reset()
		p.zip = gzip.NewWriter(&p.buffer)
		_, err = p.zip.Write(begin)
	}
	return n, err
}

// unpacked returns the body of a packed answer without compression.
func (ans *Answer) unpacked() io.Reader {
	r, err := gzip.NewReader(bytes.NewReader(ans.bodies[gzipped].bytes))
	if err != nil {
		panic(err) // we compressed it
	}
	return r
}

// acceptance says whether a client accepts gzip, and whether at least as well as no encoding.
type acceptance struct{ gzip, preferred bool }

// negotiate parses Accept-Encoding. An unencoded body is always accepted, so that
// there is a response in any case.
func negotiate(headers []string) acceptance {
	const missing = -1
	zipped, plain, others := missing, 0, 0
	for _, header := range headers {
		for item := range strings.SplitSeq(header, ",") {
			name, params, _ := strings.Cut(item, ";")
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
				zipped = quality(params)
			case strings.EqualFold(name, "identity"):
				plain = quality(params)
			case name == "*":
				others = quality(params)
			}
		}
	}
	if zipped == missing {
		zipped = others // a * means gzip, which every client knows
	}
	return acceptance{gzip: zipped > 0, preferred: zipped > 0 && zipped >= plain}
}

// quality parses the weight of an item, in thousandths: ;q=0.8 is 800.
func quality(params string) int {
	for param := range strings.SplitSeq(params, ";") {
		name, value, ok := strings.Cut(strings.TrimSpace(param), "=")
		if !ok || !strings.EqualFold(name, "q") {
			continue
		}
		q, err := strconv.ParseFloat(value, 64)
		if err != nil || !(0 <= q && q <= 1) {
			return 0
		}
		return int(q * 1000)
	}
	return 1000
}

// Segments appends the segments of the path of a URL, each decoded by itself: an encoded
// slash does not end a segment, so that a segment can be ../x, which is a malformed name like any
// other. The root has none. It fails if a segment is empty, . or .., if the path ends with a slash,
// or if it has more segments than the slice has room for. It does not allocate unless the path has
// encoded characters.
func Segments(u *url.URL, segments []string) ([]string, bool) {
	p, encoded := u.Path, u.RawPath != ""
	if encoded {
		p = u.EscapedPath()
	}
	rest, absolute := strings.CutPrefix(p, "/")
	if !absolute {
		return nil, false
	}
	for more := rest != ""; more; {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if encoded {
			segment, _ = url.PathUnescape(segment) // the whole path has been decoded before
		}
		if segment == "" || segment == "." || segment == ".." || len(segments) == cap(segments) {
			return nil, false
		}
		segments = append(segments, segment)
	}
	return segments, true
}

// Clean reports whether a path is absolute and has no empty or dot segments. Only the last
// segment may be empty.
func Clean(p string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	return !strings.Contains(p, "//") && !strings.Contains(p, "/.") || p == path.Clean(p)
}
