package redisshare

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/redis/go-redis/v9"
)

// maxWaiting limits the bytes of pages that wait for Redis, with 512 more for each.
const maxWaiting = 64 << 20

// pages keeps the pages of sessions. The page of a session is the one that was written last.
// What can't be written waits in the memory of this server, which answers from it and writes
// it when Redis answers again.
type pages struct {
	share   *Share
	client  redis.UniversalClient
	encoder *zstd.Encoder
	decoder *zstd.Decoder

	mu      sync.Mutex
	waiting map[string]*waitingPage // by session
	bytes   int                     // of all of them
}

// waitingPage is a page that could not be written; nil if it is too large to keep.
type waitingPage struct {
	page []byte
	put  time.Time
}

func (w *waitingPage) size() int { return len(w.page) + 512 }

func (p *pages) open(s *Share, client redis.UniversalClient) error {
	p.share, p.client, p.waiting = s, client, make(map[string]*waitingPage)
	var err error
	if p.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithZeroFrames(true)); err != nil {
		return err
	}
	p.decoder, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(uint64(s.options.MaxPage)))
	return err
}

func (p *pages) close() error {
	p.decoder.Close()
	return errors.Join(p.encoder.Close(), p.client.Close())
}

// key is that of the page of a session, whatever its id contains.
func (p *pages) key(id string) string {
	sum := sha256.Sum256([]byte(id))
	return p.share.prefix + "page:{" + base64.RawURLEncoding.EncodeToString(sum[:]) + "}"
}

// keptLocally is the error of a Put whose page only this server has for now.
type keptLocally struct{ error }

func (e keptLocally) Unwrap() error { return e.error }

// Kept reports that the page was kept, though other servers do not have it.
func (keptLocally) Kept() bool { return true }

var (
	errUnreachable = errors.New("redisshare: Redis is unreachable")
	errWaiting     = errors.New("redisshare: too many pages were made while Redis was unreachable: try again later")
)

// Put keeps a page for all servers. If Redis does not answer, this server keeps it, and
// writes it when Redis answers again; the error then has a method Kept that returns true.
// Put also fails if ctx has ended, or if too many pages wait.
func (s *Share) Put(ctx context.Context, id string, page []byte) error {
	p := &s.pages
	if len(page) > s.options.MaxPage {
		page = nil
	}
	// A page that waits is written by catchUp alone, so that it never replaces this one.
	err := errUnreachable
	if p.find(id) == nil {
		err = p.do(ctx, id, func(ctx context.Context) error { return p.write(ctx, id, page, s.options.MaxPageAge) })
	}
	switch {
	case err == nil && page != nil:
		s.counts.stored.redis.Add(1)
		return nil
	case err == nil:
		s.counts.stored.none.Add(1)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.counts.stored.none.Add(1)
	if !p.wait(id, page) {
		return errWaiting
	}
	return keptLocally{err}
}

// Get returns a page. It fails only if ctx has ended: a page that can't be read is
// as good as none, and rendering it again brings it back.
func (s *Share) Get(ctx context.Context, id string) ([]byte, bool, error) {
	p := &s.pages
	if w := p.find(id); w != nil {
		return w.page, w.page != nil, ctx.Err()
	}
	var packed string
	err := p.do(ctx, id, func(ctx context.Context) (err error) {
		packed, err = p.client.Get(ctx, p.key(id)).Result()
		return err
	})
	var page []byte
	if err == nil {
		page, err = p.unpack(id, packed)
	}
	switch {
	case err == nil:
		s.counts.read.redis.Add(1)
		return page, true, nil
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	}
	s.counts.read.none.Add(1)
	return nil, false, nil
}

// write makes a page that of its session; nil removes the one before.
func (p *pages) write(ctx context.Context, id string, page []byte, age time.Duration) error {
	if page == nil {
		return p.client.Del(ctx, p.key(id)).Err()
	}
	return p.client.Set(ctx, p.key(id), p.encoder.EncodeAll(page, nil), max(age, time.Millisecond)).Err()
}

func (p *pages) unpack(id, packed string) ([]byte, error) {
	page, err := p.decoder.DecodeAll([]byte(packed), nil)
	if err != nil {
		err = &failure{Kind: errorKey, Err: fmt.Errorf("page of %d bytes: %w", len(packed), err), Advice: foreignKey}
		p.share.failed(err, []string{p.key(id)})
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

// find returns the page of a session that waits, or nil.
func (p *pages) find(id string) *waitingPage {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.waiting[id]
	if w != nil && time.Since(w.put) > p.share.options.MaxPageAge {
		p.drop(id)
		return nil
	}
	return w
}

// wait keeps a page until it can be written. It reports false if there are too many.
func (p *pages) wait(id string, page []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(id) // it is out of date, even if this one can't be kept
	w := &waitingPage{page, time.Now()}
	if p.bytes+w.size() > maxWaiting {
		return false
	}
	p.waiting[id] = w
	p.bytes += w.size()
	return true
}

// drop forgets a page that waits. The caller holds mu.
func (p *pages) drop(id string) {
	if w := p.waiting[id]; w != nil {
		p.bytes -= w.size()
		delete(p.waiting, id)
	}
}

// anyWaiting reports whether catchUp has something to do.
func (p *pages) anyWaiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting) > 0
}

// catchUp writes the pages that wait.
func (p *pages) catchUp() {
	p.mu.Lock()
	waiting := maps.Clone(p.waiting)
	p.mu.Unlock()
	for id, w := range waiting {
		age := p.share.options.MaxPageAge - time.Since(w.put)
		err := p.try(p.share.ctx, id, func(ctx context.Context) error { return p.write(ctx, id, w.page, age) })
		if err != nil && explain(err).Kind != errorKey {
			return
		}
		p.mu.Lock()
		if p.waiting[id] == w { // else a later one waits
			p.drop(id)
		}
		p.mu.Unlock()
	}
}
