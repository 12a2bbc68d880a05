package redisshare

import (
	"bytes"
	"compress/gzip"
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// maxCopies limits the bytes of the copies of pages, with 512 more for each.
const maxCopies = 64 << 20

// pages keeps the pages of sessions in Redis, each after the time at which it was put. What Redis
// does not take stays in the memory of this server, for as long as there is no later page in Redis,
// by the clocks of the servers.
type pages struct {
	share  *Share
	client redis.UniversalClient

	mu     sync.Mutex
	copies map[string]*list.Element // by session
	order  list.List                // of *pageCopy, the oldest first
	bytes  int                      // of all of them
}

// pageCopy is a page that Redis did not take; nil if it is too large to keep.
type pageCopy struct {
	session string
	page    []byte
	putAt   time.Time
}

func (p *pageCopy) size() int { return len(p.page) + 512 }

func (p *pages) open(s *Share, client redis.UniversalClient) {
	p.share, p.client, p.copies = s, client, make(map[string]*list.Element)
}

// key is that of the page of a session, whatever its id contains.
func (p *pages) key(id string) string {
	sum := sha256.Sum256([]byte(id))
	return p.share.prefix + "page:{" + base64.RawURLEncoding.EncodeToString(sum[:]) + "}"
}

// keptLocally is the error of a Put whose page only this server has.
type keptLocally struct{ error }

func (k keptLocally) Unwrap() error { return k.error }

// Kept reports that the page was kept, though other servers do not have it.
func (keptLocally) Kept() bool { return true }

var (
	errUnreachable = errors.New("redisshare: Redis is unreachable")
	errFull        = errors.New("redisshare: too many pages were made while Redis was unreachable: try again later")
)

// Put keeps a page for all servers. If Redis does not take it, this server keeps it; the error then
// has a method Kept that returns true. Put also fails if ctx has ended, or if this server keeps too
// many pages.
func (s *Share) Put(ctx context.Context, id string, page []byte) error {
	p, put := &s.pages, time.Now()
	if len(page) > s.options.MaxPage {
		page = nil
	}
	err := p.do(ctx, id, func(ctx context.Context) error { return p.write(ctx, id, page, put) })
	if err == nil && page != nil {
		s.counts.stored.redis.Add(1)
	} else {
		s.counts.stored.none.Add(1)
	}
	switch {
	case err == nil && p.find(id) == nil:
		return nil
	case err == nil: // a write of an earlier page that got no reply may still arrive
		p.keep(&pageCopy{id, page, put})
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case !p.keep(&pageCopy{id, page, put}):
		return errFull
	}
	return keptLocally{err}
}

// Get returns a page. It fails only if ctx has ended: a page that can't be read is
// as good as none, and rendering it again brings it back.
func (s *Share) Get(ctx context.Context, id string) ([]byte, bool, error) {
	p := &s.pages
	var packed string
	err := p.do(ctx, id, func(ctx context.Context) (err error) {
		packed, err = p.client.Get(ctx, p.key(id)).Result()
		return err
	})
	var page []byte
	var put time.Time
	if err == nil {
		page, put, err = p.unpack(id, packed)
	}
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if c := p.find(id); c != nil && put.After(c.putAt) {
		p.drop(c)
	} else if c != nil {
		return c.page, c.page != nil, nil
	}
	if err != nil {
		s.counts.read.none.Add(1)
		return nil, false, nil //nolint:nilerr // as good as none
	}
	s.counts.read.redis.Add(1)
	return page, true, nil
}

// write makes a page that of its session; nil removes the one before.
func (p *pages) write(ctx context.Context, id string, page []byte, put time.Time) error {
	if page == nil {
		return p.client.Del(ctx, p.key(id)).Err()
	}
	return p.client.Set(ctx, p.key(id), pack(page, put), p.share.options.MaxPageAge).Err()
}

// writers compress pages. One needs about a megabyte, so they are reused.
var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	return w
}}

// pack returns what Redis keeps of a page: when it was put, and its text in gzip.
func pack(page []byte, put time.Time) []byte {
	var b bytes.Buffer
	b.Grow(len(page) / 2)
	b.Write(binary.BigEndian.AppendUint64(nil, uint64(put.UnixNano())))
	w := writers.Get().(*gzip.Writer) //nolint:errcheck // the pool holds nothing else
	defer writers.Put(w)
	w.Reset(&b)
	_, _ = w.Write(page) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// unpack returns a page and when it was put.
func (p *pages) unpack(id, packed string) (page []byte, put time.Time, err error) {
	err = io.ErrUnexpectedEOF
	if len(packed) > 8 {
		put = time.Unix(0, int64(binary.BigEndian.Uint64([]byte(packed[:8]))))
		page, err = p.unzip(strings.NewReader(packed[8:]))
	}
	if err != nil {
		err = &failure{Kind: errorKey, Err: fmt.Errorf("page of %d bytes: %w", len(packed), err), Advice: foreignKey}
		p.share.failed(err, []string{p.key(id)})
		return nil, time.Time{}, err
	}
	return page, put, nil
}

// unzip returns the text of a page, which is not larger than this server takes.
func (p *pages) unzip(packed *strings.Reader) ([]byte, error) {
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	page, err := io.ReadAll(io.LimitReader(r, int64(p.share.options.MaxPage)+1))
	if err == nil && len(page) > p.share.options.MaxPage {
		err = errors.New("it is too large")
	}
	return page, err
}

// do calls Redis, unless it is unreachable. A call that gets no reply is repeated once, on
// another connection.
func (p *pages) do(ctx context.Context, id string, call func(context.Context) error) error {
	err := ctx.Err()
	for range 2 {
		switch {
		case ctx.Err() != nil || isRedis(err):
			return err
		case !p.share.health.reached.Load():
			return errUnreachable
		}
		if err = p.try(ctx, id, call); err == nil {
			break
		}
	}
	return err
}

func (p *pages) try(ctx context.Context, id string, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	err := call(ctx)
	if err != nil && !errors.Is(err, redis.Nil) && !errors.Is(err, context.Canceled) {
		p.share.failed(err, []string{p.key(id)})
	}
	return err
}

// find returns the copy of the page of a session, or nil.
func (p *pages) find(id string) *pageCopy {
	p.expire()
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.copies[id]; e != nil {
		return copyOf(e)
	}
	return nil
}

// keep keeps a copy in place of the one before. It reports false if there are too many.
func (p *pages) keep(c *pageCopy) bool {
	p.expire()
	p.mu.Lock()
	defer p.mu.Unlock()
	before, size := p.copies[c.session], p.bytes+c.size()
	if before != nil {
		size -= copyOf(before).size()
	}
	if size > maxCopies {
		return false
	}
	if before != nil {
		p.remove(before)
	}
	p.copies[c.session] = p.order.PushBack(c)
	p.bytes += c.size()
	return true
}

// drop removes a copy, unless there is another one in its place.
func (p *pages) drop(c *pageCopy) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.copies[c.session]; e != nil && copyOf(e) == c {
		p.remove(e)
	}
}

// expire removes the copies that are too old.
func (p *pages) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	age := p.share.options.MaxPageAge
	for e := p.order.Front(); e != nil && age > 0 && time.Since(copyOf(e).putAt) > age; e = p.order.Front() {
		p.remove(e)
	}
}

// remove removes a copy. The caller holds mu.
func (p *pages) remove(e *list.Element) {
	c := copyOf(e)
	p.order.Remove(e)
	delete(p.copies, c.session)
	p.bytes -= c.size()
}

func copyOf(e *list.Element) *pageCopy {
	return e.Value.(*pageCopy) //nolint:errcheck // the list holds nothing else
}
