package answer

import (
	"bytes"
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

// encode returns the body in an encoding, or unencoded if that is as small.
func (ans *Answer) encode(e encoding) (*encoded, encoding) {
	plain := &ans.bodies[identity]
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
