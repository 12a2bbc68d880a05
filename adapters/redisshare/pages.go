package redisshare

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/redis/go-redis/v9"

	"github.com/datachain-go/datachain/adapters/session"
)

// pages keeps the pages of sessions.
type pages struct {
	share   *Share
	client  redis.UniversalClient
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	local   *session.Memory // those that Redis does not have
}

func (p *pages) open(s *Share, client redis.UniversalClient) error {
	p.share, p.client = s, client
	var err error
	if p.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithZeroFrames(true)); err != nil {
		return err
	}
	if p.decoder, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(uint64(s.options.MaxPage))); err != nil {
		return err
	}
	p.local, err = session.NewMemory(&session.Options{MaxAge: s.options.MaxPageAge})
	return err
}

func (p *pages) close() error {
	p.decoder.Close()
	return errors.Join(p.encoder.Close(), p.client.Close())
}

// key is the key of a session, whatever its id contains.
func (p *pages) key(id string) string {
	sum := sha256.Sum256([]byte(id))
	return p.share.script.prefix + "page:" + base64.RawURLEncoding.EncodeToString(sum[:])
}

// Put keeps a page for all servers or, if Redis does not answer, for this one. It
// fails only if ctx has ended.
func (s *Share) Put(ctx context.Context, id string, page []byte) error {
	p, count := &s.pages, &s.counts.stored
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(page) > s.options.MaxPage {
		p.local.Delete(id)
		count.none.Add(1)
		err := p.do(ctx, func(ctx context.Context) error { return p.client.Del(ctx, p.key(id)).Err() })
		return ended(ctx, err)
	}
	err := p.store(ctx, id, page)
	if err == nil {
		p.local.Delete(id)
		count.redis.Add(1)
		return nil
	}
	if err := ended(ctx, err); err != nil {
		return err
	}
	count.local.Add(1)
	return p.local.Put(ctx, id, page)
}

// Get returns a page. It fails only if ctx has ended: a page that can't be read is
// as good as none, and rendering it again brings it back.
func (s *Share) Get(ctx context.Context, id string) ([]byte, bool, error) {
	p, count := &s.pages, &s.counts.read
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	// A page of this server is newer than what Redis had when it went away.
	if page, ok, err := p.local.Get(ctx, id); err != nil || ok {
		if err == nil && p.store(ctx, id, page) == nil {
			p.local.Delete(id)
		}
		count.local.Add(1)
		return page, ok, err
	}
	page, err := p.fetch(ctx, id)
	switch {
	case err == nil:
		count.redis.Add(1)
		return page, true, nil
	case ended(ctx, err) != nil:
		return nil, false, ctx.Err()
	}
	count.none.Add(1)
	return nil, false, nil
}

// ended returns the error of a context that has ended, else nil.
func ended(ctx context.Context, err error) error {
	if err != nil {
		return ctx.Err()
	}
	return nil
}

var errAway = errors.New("redisshare: Redis is away")

// do calls Redis, unless it is away.
func (p *pages) do(ctx context.Context, call func(context.Context) error) error {
	if p.share.health.away.Load() {
		return errAway
	}
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	err := call(ctx)
	if err != nil && !errors.Is(err, redis.Nil) && !errors.Is(err, context.Canceled) {
		p.share.counts.failed(err)
	}
	return err
}

func (p *pages) store(ctx context.Context, id string, page []byte) error {
	return p.do(ctx, func(ctx context.Context) error {
		packed := p.encoder.EncodeAll(page, nil)
		return p.client.Set(ctx, p.key(id), packed, max(time.Millisecond, p.share.options.MaxPageAge)).Err()
	})
}

func (p *pages) fetch(ctx context.Context, id string) (page []byte, err error) {
	err = p.do(ctx, func(ctx context.Context) error {
		packed, err := p.client.Get(ctx, p.key(id)).Bytes()
		if err != nil {
			return err
		}
		if page, err = p.decoder.DecodeAll(packed, nil); err != nil {
			return &Error{Kind: ErrorOther, Err: fmt.Errorf("page of %d bytes: %w", len(packed), err), Advice: "something else writes to keys of this prefix"}
		}
		return nil
	})
	return page, err
}
