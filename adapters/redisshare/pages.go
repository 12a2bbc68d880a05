package redisshare

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/redis/go-redis/v9"
)

//go:embed pages.lua
var pagesScript string

const (
	// maxLost limits the sessions that are remembered because a Put was lost.
	maxLost = 1 << 14
	// pollPage is the time between two looks for a page that is being put.
	pollPage = 10 * time.Millisecond
	// beginWithin is how long after it was sent a Put may begin.
	beginWithin = pageTimeout * 3 / 4
)

// pages keeps the pages of sessions.
//
// A Put asks Redis for a ticket first, which makes the page before it out of date on all
// servers, and then stores its page under the ticket. So a command that arrives late, even
// after its Put has given up, never replaces a later page. No server keeps pages for itself:
// without Redis it can't know whether another one has a later page.
type pages struct {
	share   *Share
	client  redis.UniversalClient
	script  *redis.Script
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	skew    atomic.Int64 // from the time since the Share was opened to the clock of Redis, in µs

	mu   sync.Mutex
	lost map[string]time.Time // by session, when a Put began that Redis does not know of
}

func (p *pages) open(s *Share, client redis.UniversalClient) error {
	p.share, p.client, p.script, p.lost = s, client, redis.NewScript(pagesScript), make(map[string]time.Time)
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

// keys are those of the order and the page of a session, whatever its id contains. They are
// in one slot of a cluster.
func (p *pages) keys(id string) []string {
	sum := sha256.Sum256([]byte(id))
	page := p.share.script.prefix + "page:{" + base64.RawURLEncoding.EncodeToString(sum[:]) + "}"
	return []string{page + ":order", page}
}

// Put keeps a page for all servers. If Redis does not answer, the page is lost, and so is
// the one before it as soon as Redis can be told. Put fails if ctx has ended, or if too many
// pages were lost.
func (s *Share) Put(ctx context.Context, id string, page []byte) error {
	p, count, began, ticket := &s.pages, &s.counts.stored, time.Now(), ""
	err := p.do(ctx, id, func(ctx context.Context) (err error) {
		ticket, err = p.begin(ctx, id)
		return err
	})
	if err := cmp.Or(ended(ctx, err), p.note(id, began, err != nil)); err != nil {
		return err
	}
	packed, outcome := []byte{}, &count.none
	if err == nil {
		if len(page) <= s.options.MaxPage {
			packed, outcome = p.encoder.EncodeAll(page, nil), &count.redis
		}
		err = p.do(ctx, id, func(ctx context.Context) error { return p.run(ctx, id, "keep", ticket, packed).Err() })
	}
	if err != nil {
		outcome = &count.none
	}
	outcome.Add(1)
	return ended(ctx, err)
}

// Get returns a page. It fails only if ctx has ended: a page that can't be read is
// as good as none, and rendering it again brings it back.
func (s *Share) Get(ctx context.Context, id string) ([]byte, bool, error) {
	page, err := s.pages.get(ctx, id)
	switch {
	case err == nil:
		s.counts.read.redis.Add(1)
		return page, true, nil
	case ended(ctx, err) != nil:
		return nil, false, ctx.Err()
	}
	s.counts.read.none.Add(1)
	return nil, false, nil
}

// begin returns the ticket of a Put.
func (p *pages) begin(ctx context.Context, id string) (ticket string, err error) {
	for range 2 { // the first one may only learn the time
		sent := time.Since(p.share.start).Microseconds()
		reply, err := p.run(ctx, id, "begin", sent+p.skew.Load()+beginWithin.Microseconds()).Int64Slice()
		if err != nil {
			return "", err
		}
		p.skew.Store(reply[1] - sent)
		if reply[0] == 1 {
			return strconv.FormatInt(reply[1], 10), nil
		}
	}
	return "", errors.New("the clock of Redis was changed")
}

// get returns the page of the last Put that had begun when it was called, or of a later one.
// If that Put is under way, get waits for it.
func (p *pages) get(ctx context.Context, id string) ([]byte, error) {
	if p.isLost(id) {
		return nil, errAway
	}
	want := ""
	for giveUp := time.Now().Add(pageTimeout); ; {
		order, packed, err := p.look(ctx, id)
		if err != nil {
			return nil, err
		}
		last, kept, _ := strings.Cut(order, " ") // both have 16 digits
		if want = cmp.Or(want, last); kept >= want {
			return p.unpack(id, packed)
		}
		if time.Now().After(giveUp) {
			return nil, errAway // the server that began it has lost it
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pollPage):
		}
	}
}

// look reads the order of a session, and then its page, which may be a later one.
func (p *pages) look(ctx context.Context, id string) (order, packed string, err error) {
	err = p.do(ctx, id, func(ctx context.Context) error {
		pipe, keys := p.client.Pipeline(), p.keys(id)
		first, second := pipe.Get(ctx, keys[0]), pipe.Get(ctx, keys[1])
		_, _ = pipe.Exec(ctx) // each reply has its error
		order, packed = first.Val(), second.Val()
		return cmp.Or(first.Err(), second.Err())
	})
	return order, packed, err
}

// run runs the script.
func (p *pages) run(ctx context.Context, id, operation string, args ...any) *redis.Cmd {
	age := max(1, p.share.options.MaxPageAge.Milliseconds())
	return p.script.Run(ctx, p.client, p.keys(id), append([]any{operation, age}, args...)...)
}

func (p *pages) unpack(id, packed string) ([]byte, error) {
	page, err := p.decoder.DecodeAll([]byte(packed), nil)
	if err != nil {
		err = &failure{Kind: errorKey, Err: fmt.Errorf("page of %d bytes: %w", len(packed), err), Advice: foreignKey}
		p.share.failed(err, p.keys(id))
	}
	return page, err
}

var (
	errAway = errors.New("redisshare: Redis is unreachable")
	errLost = errors.New("redisshare: too many pages were made while Redis was unreachable: try again later")
)

// do calls Redis, unless it is unreachable. A call that gets no reply is repeated once, on
// another connection.
func (p *pages) do(ctx context.Context, id string, call func(context.Context) error) error {
	err := ctx.Err()
	for range 2 {
		switch {
		case ctx.Err() != nil || isRedis(err):
			return err
		case !p.share.health.reached.Load():
			return errAway
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
		p.share.failed(err, p.keys(id))
	}
	return err
}

// ended returns the error of a context that has ended, else nil.
func ended(ctx context.Context, err error) error {
	if err != nil {
		return ctx.Err()
	}
	return nil
}

// note remembers a Put that was lost, or forgets those before one that was not.
func (p *pages) note(id string, began time.Time, lost bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !lost && !p.lost[id].After(began):
		delete(p.lost, id)
	case lost && len(p.lost) >= maxLost:
		return errLost
	case lost && began.After(p.lost[id]):
		p.lost[id] = began
	}
	return nil
}

func (p *pages) isLost(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, lost := p.lost[id]
	return lost
}

// anyLost reports whether catchUp has something to do.
func (p *pages) anyLost() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.lost) > 0
}

// catchUp tells Redis of the lost ones, so that no server returns a page from before.
func (p *pages) catchUp() {
	p.mu.Lock()
	lost := maps.Clone(p.lost)
	p.mu.Unlock()
	for id, began := range lost {
		err := p.try(p.share.ctx, id, func(ctx context.Context) error {
			return p.run(ctx, id, "late", time.Since(began).Microseconds()).Err()
		})
		if err != nil && explain(err).Kind != errorKey {
			return
		}
		_ = p.note(id, began, false) // never fails
	}
}
