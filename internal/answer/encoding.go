package answer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// encoding is a Content-Encoding. Of those that a client accepts equally well, the
// highest is used.
type encoding int

const (
	identity encoding = iota
	gzipped
	zstandard
	encodings
)

// encodingNames are the values of Content-Encoding.
var encodingNames = [encodings][]string{gzipped: {"gzip"}, zstandard: {"zstd"}}

// smallest is the size below which compressing a body does not save a packet.
const smallest = 1024

// encoded is a body in one encoding, which is made when it is first needed.
type encoded struct {
	once   sync.Once
	bytes  []byte
	length []string // the value of Content-Length
}

func (b *encoded) set(body []byte) {
	b.once.Do(func() { b.bytes, b.length = body, []string{strconv.Itoa(len(body))} })
}

// encode returns the body in the encoding that a client prefers, or unencoded if that is
// as small.
func (ans *Answer) encode(accepted qualities) (*encoded, encoding) {
	e, plain := accepted.best(), &ans.bodies[identity]
	if ans.packed {
		if accepted[gzipped] > 0 {
			return &ans.bodies[gzipped], gzipped
		}
		return plain, identity
	}
	if e == identity || len(plain.bytes) < smallest {
		return plain, identity
	}
	c := thorough
	if ans.etags[identity] == nil {
		c = fast
	}
	b := &ans.bodies[e]
	b.once.Do(func() {
		if packed := c().compress(e, plain.bytes); len(packed) < len(plain.bytes) {
			b.bytes, b.length = packed, []string{strconv.Itoa(len(packed))}
		}
	})
	if b.bytes == nil {
		return plain, identity
	}
	return b, e
}

// Answers that are stored are compressed thoroughly, since they are compressed once and
// sent often, and others fast. Compressors need some megabytes and can be used by many
// goroutines, so all servers of a process share them.
var (
	thorough = opened(gzip.DefaultCompression, zstd.SpeedDefault)
	fast     = opened(gzip.BestSpeed, zstd.SpeedFastest)
)

// compressor compresses bodies at one level. Writers need many times the memory of a
// body, so they are reused; the encoder does that by itself.
type compressor struct {
	gzips sync.Pool // of *gzip.Writer
	zstd  *zstd.Encoder
}

// opened returns a compressor, which is made when it is first needed.
func opened(gzipLevel int, zstdLevel zstd.EncoderLevel) func() *compressor {
	return sync.OnceValue(func() *compressor {
		encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstdLevel), zstd.WithWindowSize(1<<20))
		if err != nil {
			panic(err) // the options are valid
		}
		return &compressor{zstd: encoder, gzips: sync.Pool{New: func() any {
			w, err := gzip.NewWriterLevel(nil, gzipLevel)
			if err != nil {
				panic(err) // the level is valid
			}
			return w
		}}}
	})
}

// compress returns the body in an encoding.
func (c *compressor) compress(e encoding, body []byte) []byte {
	if e == zstandard {
		return c.zstd.EncodeAll(body, make([]byte, 0, len(body)/4))
	}
	w := c.gzips.Get().(*gzip.Writer) //nolint:errcheck // the pool holds nothing else
	defer c.gzips.Put(w)
	var b bytes.Buffer
	b.Grow(len(body) / 2)
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// large is the size from which the body of an answer that is written is kept in gzip only.
const large = 1 << 20

// Write returns an answer like [New], whose body is written. A large one is compressed
// meanwhile and never in memory as a whole; clients that do not accept gzip get what is
// decompressed again.
func Write(contentType, cacheControl string, write func(io.Writer) error) (*Answer, error) {
	p := &packer{sum: sha256.New()}
	if err := write(p); err != nil {
		return nil, err
	}
	if p.zip == nil {
		return New(contentType, cacheControl, bytes.Clone(p.buffer.Bytes())), nil
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

// qualities are the weights that a client gives each encoding, in thousandths; 0
// means that it does not accept it.
type qualities [encodings]int

// negotiate parses Accept-Encoding. An unencoded body is always accepted, so that
// there is a response in any case.
func negotiate(headers []string) qualities {
	const missing = -1
	accepted := qualities{gzipped: missing, zstandard: missing}
	others := 0
	for _, header := range headers {
		for item := range strings.SplitSeq(header, ",") {
			name, params, _ := strings.Cut(item, ";")
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
				accepted[gzipped] = quality(params)
			case strings.EqualFold(name, "zstd"):
				accepted[zstandard] = quality(params)
			case strings.EqualFold(name, "identity"):
				accepted[identity] = quality(params)
			case name == "*":
				others = quality(params)
			}
		}
	}
	if accepted[gzipped] == missing {
		accepted[gzipped] = others // a * means gzip, which every client knows
	}
	accepted[zstandard] = max(accepted[zstandard], 0)
	return accepted
}

// best returns the preferred encoding.
func (q qualities) best() encoding {
	best := identity
	for e := gzipped; e < encodings; e++ {
		if q[e] > 0 && q[e] >= q[best] {
			best = e
		}
	}
	return best
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
