package httpapi

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// encoding is how a body is sent. The higher, the better, if the client takes
// both equally well.
type encoding int

const (
	identity encoding = iota
	gzipped
	zstandard
	encodings
)

var (
	gzipField = []string{"gzip"}
	zstdField = []string{"zstd"}
)

// field is the value of Content-Encoding.
func (e encoding) field() []string {
	if e == gzipped {
		return gzipField
	}
	return zstdField
}

// suffix tells the entity tags of encodings apart.
func (e encoding) suffix() string { return [...]string{"", "-gzip", "-zstd"}[e] }

// smallest is the length below which compressing a body saves no packet.
const smallest = 1024

// encoded is a body in one encoding, made when it is first asked for.
type encoded struct {
	once   sync.Once
	bytes  []byte
	length []string // as Content-Length
}

func (b *encoded) set(body []byte) {
	b.once.Do(func() { b.bytes, b.length = body, []string{strconv.Itoa(len(body))} })
}

// encode returns the body in an encoding, or as it is where that is no smaller.
func (ans *answer) encode(c *compressor, e encoding) (*encoded, encoding) {
	plain := &ans.bodies[identity]
	if e == identity || len(plain.bytes) < smallest {
		return plain, identity
	}
	b := &ans.bodies[e]
	b.once.Do(func() {
		if packed := c.compress(e, plain.bytes); len(packed) < len(plain.bytes) {
			b.bytes, b.length = packed, []string{strconv.Itoa(len(packed))}
		}
	})
	if b.bytes == nil {
		return plain, identity
	}
	return b, e
}

// compressor compresses bodies. What it needs for that is large, many times a
// body, and so kept for the next one.
type compressor struct {
	gzips, zstds sync.Pool // of *gzip.Writer and *zstd.Encoder
}

// compress returns the body in an encoding, or nil where that fails.
func (c *compressor) compress(e encoding, body []byte) []byte {
	if e == zstandard {
		return c.zstd(body)
	}
	w, ok := c.gzips.Get().(*gzip.Writer)
	if !ok {
		w = gzip.NewWriter(nil)
	}
	defer c.gzips.Put(w)
	var b bytes.Buffer
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes all
	if w.Close() != nil {
		return nil
	}
	return b.Bytes()
}

func (c *compressor) zstd(body []byte) []byte {
	w, ok := c.zstds.Get().(*zstd.Encoder)
	if !ok {
		var err error
		if w, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20)); err != nil {
			return nil // can't be: the options are right
		}
	}
	defer c.zstds.Put(w)
	return w.EncodeAll(body, make([]byte, 0, len(body)/4))
}

// takes is how much a client likes each encoding, in thousandths; 0 is not at
// all.
type takes [encodings]int

// negotiate reads what a client likes. As it is, it takes every body, so that
// there is always an answer.
func negotiate(fields []string) takes {
	const unsaid = -1
	likes := takes{gzipped: unsaid, zstandard: unsaid}
	others := 0
	for _, field := range fields {
		for item := range strings.SplitSeq(field, ",") {
			name, params, _ := strings.Cut(item, ";")
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
				likes[gzipped] = quality(params)
			case strings.EqualFold(name, "zstd"):
				likes[zstandard] = quality(params)
			case strings.EqualFold(name, "identity"):
				likes[identity] = quality(params)
			case name == "*":
				others = quality(params)
			}
		}
	}
	if likes[gzipped] == unsaid {
		likes[gzipped] = others // anything goes: then what everybody knows
	}
	likes[zstandard] = max(likes[zstandard], 0)
	return likes
}

// best returns the encoding that the client likes best.
func (t takes) best() encoding {
	best := identity
	for e := gzipped; e < encodings; e++ {
		if t[e] > 0 && t[e] >= t[best] {
			best = e
		}
	}
	return best
}

// quality reads the weight of an item, in thousandths: ;q=0.8 is 800.
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
