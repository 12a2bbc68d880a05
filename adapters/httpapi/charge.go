package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/internal/codes"
)

// charge charges a request to its bucket. If the limiter fails or takes too long,
// the request passes: too many requests are better than none.
func (a *api) charge(ctx context.Context, res *response, r *http.Request) error {
	if a.Limiter == nil {
		return nil
	}
	bucket := res.route.bucketOf(r, res.file)
	if bucket == ratelimit.Free {
		return nil
	}
	d, err := a.limiter.allow(ctx, ratelimit.NewKey(bucket, res.clientKey, ratelimit.ClientName(r.Header)))
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err() // the client disconnected, which says nothing about the limiter
		}
		res.unchecked = true
		if a.limiter.down.CompareAndSwap(false, true) {
			a.Logger.LogAttrs(ctx, slog.LevelError, "limiter failed, requests pass unchecked", slog.Any("error", err), slog.String("request_id", res.id[0]))
		}
		return nil
	}
	if a.limiter.down.Load() && a.limiter.down.CompareAndSwap(true, false) {
		a.Logger.LogAttrs(ctx, slog.LevelInfo, "limiter recovered")
	}
	d.SetHeader(res.Header())
	if d.Allowed {
		return nil
	}
	message := "Too many requests."
	if d.Limit > 0 {
		message = fmt.Sprintf("Too many requests: the limit is %d in %d seconds.", d.Limit, int(d.Window.Seconds()))
	}
	return problem(codes.RateLimited, "wait as long as Retry-After says, or set Service-Client to a name of your own", "%s", message)
}

// guard keeps a limiter within its budget, whatever it does.
type guard struct {
	limiter ratelimit.Limiter
	local   bool // it needs no guarding
	budget  time.Duration
	checks  atomic.Int64 // that run, late ones included
	down    atomic.Bool  // the last check failed
}

// checksAtOnce limits the checks that run. More of them means that the limiter
// hangs and ignores its context: then it is not asked until some have returned.
const checksAtOnce = 1024

var (
	errLate = errors.New("the limiter exceeded its budget")
	errHung = errors.New("the limiter hangs")
)

func newGuard(limiter ratelimit.Limiter, budget time.Duration) *guard {
	if _, memory := limiter.(*ratelimit.Memory); memory {
		return &guard{limiter: limiter, local: true} // it limits names, too
	}
	return &guard{limiter: limitNames(limiter), local: budget < 0, budget: budget}
}

// checkResult is the result of a check.
type checkResult struct {
	decision ratelimit.Decision
	err      error
}

// allow asks the limiter and waits no longer than the budget.
func (g *guard) allow(ctx context.Context, key ratelimit.Key) (ratelimit.Decision, error) {
	if g.local {
		return g.limiter.Allow(ctx, key)
	}
	if g.checks.Add(1) > checksAtOnce {
		g.checks.Add(-1)
		return ratelimit.Decision{}, errHung
	}
	ctx, cancel := context.WithTimeoutCause(ctx, g.budget, errLate)
	defer cancel()
	result := make(chan checkResult, 1)
	go func() {
		defer g.checks.Add(-1)
		result <- g.ask(ctx, key)
	}()
	select {
	case got := <-result:
		return got.decision, got.err
	case <-ctx.Done():
		return ratelimit.Decision{}, context.Cause(ctx)
	}
}

// ask turns a panic of the limiter into an error.
func (g *guard) ask(ctx context.Context, key ratelimit.Key) (result checkResult) {
	defer func() {
		if p := recover(); p != nil {
			result.err = fmt.Errorf("the limiter panicked: %v", p)
		}
	}()
	result.decision, result.err = g.limiter.Allow(ctx, key)
	return result
}
