package ratelimittest

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/adapters/ratelimit"
)

func clauses(limitsNames bool) []clause {
	small := ratelimit.Limits{Read: 4, Icons: 3, Validate: 2, Resolve: 1, Pages: 5, Forms: 2}
	list := []clause{
		{"the default limits are those of the contract", ratelimit.Limits{}, checkDefaults},
		{"as many requests pass as the limit says", small, checkLimit},
		{"a request counts for a window", small, checkWindow},
		{"the window slides", small, checkSliding},
		{"refused requests are not counted", small, checkRefused},
		{"buckets have counts of their own", small, checkBuckets},
		{"clients have counts of their own", small, checkClients},
		{"names have counts of their own", small, checkNames},
		{"names become free", small, checkNamesFree},
		{"a bucket may have no limit", ratelimit.Limits{Icons: -1, Read: 1}, checkOff},
		{"an unknown bucket is an error", small, checkUnknownBucket},
		{"ended contexts end calls", small, checkEnded},
		{"concurrent requests are counted once each", ratelimit.Limits{Read: 50}, checkConcurrent},
	}
	if limitsNames {
		list = append(list, clause{"an address has 32 names at a time", small, checkMaxNames})
	}
	return list
}

func checkDefaults(x *tester) error {
	for _, b := range ratelimit.Buckets() {
		if err := x.want(ratelimit.NewKey(b, x.client(), ""), x.limits[b]-1); err != nil {
			return err
		}
	}
	return nil
}

func checkLimit(x *tester) error {
	for _, b := range ratelimit.Buckets() {
		for _, name := range []string{"", "name"} {
			if err := x.burst(func(client netip.Addr) error { return x.fill(ratelimit.NewKey(b, client, name)) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkWindow: a request is counted until a window has passed, and RetryAfter says
// when that will be.
func checkWindow(x *tester) error {
	k := ratelimit.NewKey(ratelimit.Resolve, x.client(), "") // one passes
	first, err := x.ask(k)
	if err != nil {
		return err
	}
	waited := false // as long as RetryAfter said
	for {
		c, err := x.ask(k)
		switch {
		case err != nil:
			return err
		case c.Allowed && c.atMost(first) < x.Window:
			return fmt.Errorf("a request of %s ago is no longer counted; the window has %s", c.atMost(first), x.Window)
		case c.Allowed:
			return nil
		case waited:
			return errors.New("a request is refused after waiting as long as RetryAfter says")
		case c.RetryAfter > x.Window+2*slot-c.atLeast(first):
			return fmt.Errorf("RetryAfter is %s, but the request of %s ago is counted for at most %s", c.RetryAfter, c.atLeast(first), x.Window+slot)
		}
		wait := min(c.RetryAfter, x.Window/5)
		waited = wait == c.RetryAfter
		x.Sleep(wait)
	}
}

// checkSliding: requests expire one by one, not all at once.
func checkSliding(x *tester) error {
	k := ratelimit.NewKey(ratelimit.Validate, x.client(), "") // two pass
	if err := x.want(k, 1); err != nil {
		return err
	}
	x.Sleep(x.Window / 2)
	second, err := x.ask(k)
	if err != nil {
		return err
	}
	for range 20 {
		c, err := x.ask(k)
		switch {
		case err != nil:
			return err
		case !c.Allowed:
			x.Sleep(c.RetryAfter)
			continue
		case c.atMost(second) < x.Window && c.Remaining != 0:
			return fmt.Errorf("%d requests remain, though one of %s ago still counts", c.Remaining, c.atMost(second))
		}
		return nil
	}
	return errors.New("a request was refused 20 times after waiting as long as RetryAfter says")
}

// checkRefused: a client that keeps trying gets in as soon as one that waits.
func checkRefused(x *tester) error {
	k := ratelimit.NewKey(ratelimit.Validate, x.client(), "")
	if err := x.want(k, 1); err != nil {
		return err
	}
	last, err := x.ask(k)
	if err != nil {
		return err
	}
	for {
		c, err := x.ask(k)
		switch {
		case err != nil:
			return err
		case c.Allowed:
			return nil
		case c.atLeast(last) >= x.Window+slot:
			return fmt.Errorf("a request is refused %s after the last one that passed; the window has %s", c.atLeast(last), x.Window)
		}
		x.Sleep(x.Window / 10)
	}
}

func checkBuckets(x *tester) error {
	return x.burst(func(client netip.Addr) error {
		for _, b := range ratelimit.Buckets() {
			if err := x.fill(ratelimit.NewKey(b, client, "")); err != nil {
				return err
			}
		}
		return nil
	})
}

func checkClients(x *tester) error {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1", "192.0.2.2", false},
		{"192.0.2.3", "::ffff:192.0.2.3", true},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true},
		{"2001:db8:1:4::1", "2001:db8:1:3::1", false},
		{"fe80::1%eth0", "fe80::2%eth1", true},
		{"192.0.2.4", "::c000:204:0:0:0:1", false}, // the same 64 bits
		{"0.0.0.0", "::", false},
	} {
		a := ratelimit.NewKey(ratelimit.Resolve, netip.MustParseAddr(c.a), "")
		b := ratelimit.NewKey(ratelimit.Resolve, netip.MustParseAddr(c.b), "")
		first, err := x.ask(a)
		if err != nil {
			return err
		}
		second, err := x.ask(b)
		if err != nil {
			return err
		}
		if !first.Allowed || second.Allowed == c.same && second.atMost(first) < x.Window {
			return fmt.Errorf("%s passes: %t, then %s passes: %t; want one count for both: %t", c.a, first.Allowed, c.b, second.Allowed, c.same)
		}
	}
	return x.want(ratelimit.NewKey(ratelimit.Resolve, netip.Addr{}, ""), 0) // a client without an address
}

func checkNames(x *tester) error {
	return x.burst(func(client netip.Addr) error {
		for _, name := range []string{"", "a", "A", "b", "a b", "0"} {
			if err := x.fill(ratelimit.NewKey(ratelimit.Validate, client, name)); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkMaxNames: a 33rd name shares the count of requests without a name, in all
// buckets, and the 32 names keep their own.
func checkMaxNames(x *tester) error {
	return x.burst(func(client netip.Addr) error {
		steps := []struct {
			bucket    ratelimit.Bucket
			name      string
			remaining int
		}{
			{ratelimit.Read, "name 32", 3}, // with the pool
			{ratelimit.Read, "name 33", 2},
			{ratelimit.Read, "", 1},
			{ratelimit.Read, "name 32", 0},
			{ratelimit.Read, "name 34", -1},
			{ratelimit.Read, "name 5", 2}, // on its own
			{ratelimit.Icons, "name 5", 2},
			{ratelimit.Icons, "name 35", 2}, // with the pool
			{ratelimit.Icons, "", 1},
		}
		for i := range ratelimit.MaxNames {
			if err := x.want(ratelimit.NewKey(ratelimit.Read, client, fmt.Sprint("name ", i)), 3); err != nil {
				return err
			}
		}
		for _, s := range steps {
			if err := x.want(ratelimit.NewKey(s.bucket, client, s.name), s.remaining); err != nil {
				return err
			}
		}
		return x.want(ratelimit.NewKey(ratelimit.Read, x.client(), "name 36"), 3)
	})
}

// checkNamesFree: names that have not been used for a window make room for others.
func checkNamesFree(x *tester) error {
	client := x.client()
	for i := range ratelimit.MaxNames {
		if _, err := x.ask(ratelimit.NewKey(ratelimit.Read, client, fmt.Sprint("old ", i))); err != nil {
			return err
		}
	}
	x.Sleep(x.Window + slot)
	for i := range ratelimit.MaxNames {
		if err := x.want(ratelimit.NewKey(ratelimit.Read, client, fmt.Sprint("new ", i)), 3); err != nil {
			return err
		}
	}
	return x.want(ratelimit.NewKey(ratelimit.Read, client, ""), 3) // none shared this count
}

func checkOff(x *tester) error {
	client := x.client()
	for range 50 {
		if err := x.want(ratelimit.NewKey(ratelimit.Icons, client, ""), 0); err != nil {
			return err
		}
	}
	return x.burst(func(client netip.Addr) error { return x.fill(ratelimit.NewKey(ratelimit.Read, client, "")) })
}

func checkUnknownBucket(x *tester) error {
	unknown := ratelimit.Bucket(len(ratelimit.Buckets()))
	if d, err := x.limiter.Allow(x.ctx, ratelimit.NewKey(unknown, x.client(), "")); err == nil {
		return fmt.Errorf("bucket %d: got %+v, want an error", unknown, d)
	}
	return nil
}

func checkEnded(x *tester) error {
	ended, cancel := context.WithCancel(x.ctx)
	cancel()
	k := ratelimit.NewKey(ratelimit.Read, x.client(), "")
	if _, err := x.limiter.Allow(ended, k); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("got error %w with a canceled context, want none or context.Canceled", err)
	}
	_, err := x.ask(k)
	return err
}

func checkConcurrent(x *tester) error {
	return x.burst(func(client netip.Addr) error {
		const callers = 8
		limit := x.limits[ratelimit.Read]
		var passed atomic.Int64
		var group sync.WaitGroup
		errs := make([]error, callers)
		for i := range errs {
			group.Go(func() {
				for range limit {
					c, err := x.ask(ratelimit.NewKey(ratelimit.Read, client, ""))
					if errs[i] = err; err != nil {
						return
					}
					if c.Allowed {
						passed.Add(1)
					}
				}
			})
		}
		group.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		if n := int(passed.Load()); n != limit {
			return fmt.Errorf("%d of %d concurrent requests passed, want %d", n, callers*limit, limit)
		}
		return nil
	})
}
