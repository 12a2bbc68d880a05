package s3servers_test

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

var errLost = errors.New("the answer was lost")

// lossy delays requests, and loses some answers after the server has acted.
type lossy struct {
	next http.RoundTripper
	lost *atomic.Int32
}

func (l lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(rand.N(5 * time.Millisecond))
	res, err := l.next.RoundTrip(r)
	if err == nil && rand.N(12) == 0 {
		l.lost.Add(1)
		return nil, errors.Join(errLost, res.Body.Close())
	}
	return res, err
}

// impatient returns access that tries again soon.
func impatient(url string, transport http.RoundTripper) s3bucket.Access {
	a := access(url, transport)
	a.Config.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = 5, 5*time.Millisecond
			o.RateLimiter = unlimited{}
			o.Retryables = append([]retry.IsErrorRetryable{retry.IsErrorRetryableFunc(func(err error) aws.Ternary {
				return aws.BoolTernary(errors.Is(err, errLost))
			})}, o.Retryables...)
		})
	}
	return a
}

type unlimited struct{}

func (unlimited) GetToken(context.Context, uint) (func() error, error) {
	return func() error { return nil }, nil
}
func (unlimited) AddTokens(uint) error { return nil }

// dated returns a release under another version.
func dated(t testing.TB, r *taxonomy.Release, day int) *taxonomy.Release {
	t.Helper()
	v, err := taxonomy.NewVersion(r.Version().Type(), time.Date(2020, 1, day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), taxonomy.Stable)
	require.NoError(t, err)
	again, err := r.WithVersion(v)
	require.NoError(t, err)
	return again
}

// newKey returns a key that signs the log of a store.
func newKey(t testing.TB) *publish.Key {
	t.Helper()
	private, public, err := note.GenerateKey(crand.Reader, "example.org/log")
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	return &publish.Key{Signer: signer, Public: public}
}

// publishSigned publishes a release, with a key unless that is nil.
func publishSigned(ctx context.Context, address string, a s3bucket.Access, key *publish.Key, r *taxonomy.Release) error {
	target, err := s3target.Open(ctx, address, &a)
	if err != nil {
		return err
	}
	to := publish.Target(target)
	if key != nil {
		to = publish.Sign(target, key)
	}
	if err == nil {
		_, err = publish.Publish(ctx, to, []listing.Publication{{Release: r}}, nil)
	}
	return err
}

// readable checks that a new reader can read all that the index names, which the log proves if
// there is a key, and returns what that is.
func readable(t testing.TB, url, address string, key *publish.Key) map[taxonomy.Version]taxonomy.Hash {
	t.Helper()
	o := &s3store.Options{Endpoint: url, Config: access(url, nil).Config, Refresh: -1}
	if key != nil {
		trusted, err := trust.ParseTrust(fmt.Appendf(nil, `{"origin": "example.org/log", "keys": [{"key": %q}]}`, key.Public))
		require.NoError(t, err)
		o.Verify = follow.With(trusted, "").Verify
	}
	s, err := s3store.Open(t.Context(), address, o)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	index, err := s.Index(t.Context())
	if errors.Is(err, s3store.ErrNoIndex) {
		return nil
	}
	require.NoError(t, err)
	found := make(map[taxonomy.Version]taxonomy.Hash)
	for _, e := range index.Entries() {
		r, err := s.Release(t.Context(), e.ID)
		require.NoError(t, err)
		found[e.ID] = r.ContentHash()
	}
	return found
}

// Four publishers publish 100 versions over a bad network: none is lost, none torn. With a
// key, the log does not fork: it proves the index.
func TestRace(t *testing.T) {
	servers(t, func(t *testing.T, s server) {
		names := s.names()
		t.Run("unsigned", func(t *testing.T) { race(t, s.url, names(t), nil, 25) })
		t.Run("signed", func(t *testing.T) { race(t, s.url, names(t), newKey(t), 8) })
	})
}

// race lets publishers publish a number of versions each.
func race(t *testing.T, url, address string, key *publish.Key, each int) {
	t.Helper()
	const publishers = 4
	release := layouttest.Publications()[0].Release
	var lost atomic.Int32
	network := impatient(url, lossy{&http.Transport{MaxIdleConnsPerHost: 16}, &lost})
	var published sync.Map
	var refused atomic.Int32
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			for i := range each {
				r := dated(t, release, p*each+i+1)
				err := publishSigned(t.Context(), address, network, key, r)
				switch {
				case err == nil:
					published.Store(r.Version(), r.ContentHash())
				case errors.Is(err, errLost):
					refused.Add(1)
					t.Logf("%s was refused: %v", r.Version(), err)
				default:
					t.Errorf("%s: %v", r.Version(), err)
				}
			}
		})
	}
	wg.Wait()
	found := readable(t, url, address, key)
	count := 0
	published.Range(func(v, h any) bool {
		count++
		require.Equal(t, h, found[v.(taxonomy.Version)], "%s was published and lost", v)
		return true
	})
	require.Equal(t, publishers*each, count+int(refused.Load()))
	require.NotZero(t, lost.Load())
	t.Logf("%d published, %d refused, %d in the index, %d answers lost", count, refused.Load(), len(found), lost.Load())
}

// A server that is killed while objects are written has what it has confirmed, and
// publishing continues when it is back, with a log or without.
func TestKilledServer(t *testing.T) {
	for name, key := range map[string]*publish.Key{"unsigned": nil, "signed": newKey(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGateway(t)
			require.NoError(t, os.Mkdir(filepath.Join(g.dir, bucket), 0o755))
			address := "s3://" + bucket
			release := layouttest.Publications()[0].Release
			day := 0
			confirmed := make(map[taxonomy.Version]bool)
			for range 5 {
				g.start()
				killed := make(chan struct{})
				go func() {
					defer close(killed)
					time.Sleep(rand.N(300 * time.Millisecond)) // at any moment
					g.kill()
				}()
				for alive := true; alive; {
					day++
					r := dated(t, release, day)
					a := access(g.url(), nil)
					a.Config.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
					err := publishSigned(t.Context(), address, a, key, r)
					if alive = err == nil; alive {
						confirmed[r.Version()] = true
					}
				}
				<-killed
			}
			g.start()
			found := readable(t, g.url(), address, key)
			for v := range confirmed {
				require.Contains(t, found, v, "it was confirmed and is lost")
			}
			last := dated(t, release, 400)
			require.NoError(t, publishSigned(t.Context(), address, access(g.url(), nil), key, last))
			require.Contains(t, readable(t, g.url(), address, key), last.Version())
			t.Logf("%d confirmed, %d found", len(confirmed), len(found))
		})
	}
}
