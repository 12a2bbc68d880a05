package s3target_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

var errLost = errors.New("the answer was lost")

// lossy is a transport that delays requests, and loses some of them, or the answers
// to them after the server has acted.
type lossy struct {
	next  http.RoundTripper
	delay time.Duration
	lose  int // one in so many
	lost  *atomic.Int32
}

func (l lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(rand.N(l.delay))
	if rand.N(2*l.lose) == 0 {
		return nil, errLost
	}
	res, err := l.next.RoundTrip(r)
	time.Sleep(rand.N(l.delay))
	if err == nil && rand.N(l.lose) == 0 {
		l.lost.Add(1)
		return nil, errors.Join(errLost, res.Body.Close())
	}
	return res, err
}

// impatient returns access that tries again almost at once.
func impatient(transport http.RoundTripper) s3bucket.Access {
	a := through(transport)
	a.Config.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = 5, time.Millisecond
			o.RateLimiter = unlimited{}
			o.Retryables = append([]retry.IsErrorRetryable{retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
				return aws.BoolTernary(errors.Is(err, errLost))
			})}, o.Retryables...)
		})
	}
	return a
}

// unlimited allows any number of attempts.
type unlimited struct{}

func (unlimited) GetToken(context.Context, uint) (func() error, error) {
	return func() error { return nil }, nil
}
func (unlimited) AddTokens(uint) error { return nil }

// An index that was replaced although the answer was lost is not a conflict, whether
// the client has tried again or given up.
func TestLostAnswer(t *testing.T) {
	for name, attempts := range map[string]int{"tried again": 2, "given up": 1} {
		server := s3test.NewS3(bucket)
		var lost atomic.Int32
		a := impatient(roundTrip(func(r *http.Request) (*http.Response, error) {
			res, err := s3test.Direct{Handler: server}.RoundTrip(r)
			if r.Method == http.MethodPut && path.Base(r.URL.Path) == layout.IndexFile && lost.Add(1) <= 1 {
				return nil, errLost
			}
			return res, err
		}))
		retryer := a.Config.Retryer
		a.Config.Retryer = func() aws.Retryer { return retry.AddWithMaxAttempts(retryer(), attempts) }
		target, err := s3target.Open(t.Context(), address, &a)
		require.NoError(t, err)
		require.NoError(t, target.Replace(t.Context(), layout.IndexFile, []byte("{}"), ""), name)
		require.EqualValues(t, attempts, lost.Load())
		_, rev, err := target.Read(t.Context(), layout.IndexFile)
		require.NoError(t, err)
		require.ErrorIs(t, target.Replace(t.Context(), layout.IndexFile, []byte("[]"), ""), publish.ErrConflict)
		require.NoError(t, target.Replace(t.Context(), layout.IndexFile, []byte("[]"), rev))
	}
}

// watch reads what the index names, again and again.
func watch(t testing.TB, server http.Handler, done <-chan struct{}) {
	for {
		at := access(server)
		s, err := s3store.Open(t.Context(), address, &s3store.Options{Endpoint: at.Endpoint, Config: at.Config, Refresh: -1})
		if err != nil {
			t.Error(err)
			return
		}
		index, err := s.Index(t.Context())
		if err == nil && index.Len() > 0 {
			entries := index.Entries()
			_, err = s.Release(t.Context(), entries[rand.N(len(entries))].ID)
		}
		if err != nil && !errors.Is(err, s3store.ErrNoIndex) {
			t.Errorf("a reader found the store torn: %v", err)
		}
		_ = s.Close()
		select {
		case <-done:
			return
		case <-time.After(5 * time.Millisecond): // leave the CPU to the publishers
		}
	}
}

// Publishers that draw the icons of the same release in different ways at the same time, over a
// bad network, leave the archive that the index names.
func TestRacingArchives(t *testing.T) {
	server := s3test.NewS3(bucket)
	release := layouttest.Publications()[0].Release
	var lost atomic.Int32
	network := impatient(lossy{s3test.Direct{Handler: server}, 300 * time.Microsecond, 10, &lost})
	done := make(chan struct{})
	var wg, reading sync.WaitGroup
	reading.Go(func() { watch(t, server, done) })
	for p := range 4 {
		wg.Go(func() {
			for i := range 3 {
				target, err := s3target.Open(t.Context(), address, &network)
				if err == nil {
					_, err = publish.Publish(t.Context(), target, []listing.Publication{{Release: release}}, &publish.Options{
						Icon: func(*taxonomy.Release, *taxonomy.Element, string) ([]byte, error) {
							return fmt.Appendf(nil, "icon %d %d", p, i), nil
						},
					})
				}
				if err != nil && !errors.Is(err, errLost) {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	close(done)
	reading.Wait()
	holds(t, open(t, server), []listing.Publication{{Release: release}})
}

type roundTrip func(r *http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
