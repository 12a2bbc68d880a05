package s3store_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3target"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/release/layout"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

const (
	bucket  = "releases"
	prefix  = "public/v1/"
	address = "s3://releases/public/v1"
)

// direct is a transport that calls a handler.
type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	res := w.Result()
	res.Request = r
	res.ContentLength = int64(w.Body.Len())
	return res, nil
}

// access returns how to reach a handler without a network.
func access(handler http.Handler) s3target.Access { return through(direct{handler}) }

func through(transport http.RoundTripper) s3target.Access {
	return s3target.Access{Endpoint: "http://storage.example", Config: &aws.Config{
		Region: "eu-central-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
		HTTPClient: &http.Client{Transport: transport},
	}}
}

// reading returns the options of a store.
func reading(a s3target.Access) *s3store.Options {
	return &s3store.Options{Endpoint: a.Endpoint, Region: a.Region, Config: a.Config}
}

// open opens a store that always asks.
func open(t testing.TB, handler http.Handler, change func(*s3store.Options)) *s3store.Store {
	t.Helper()
	o := reading(access(handler))
	o.MaxAge = -1
	if change != nil {
		change(o)
	}
	s, err := s3store.Open(t.Context(), address, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// fill makes a bucket hold publications, as a copy of a directory.
func fill(t testing.TB, server *s3test.S3, pubs []listing.Publication) {
	t.Helper()
	var memory targettest.Memory
	report, err := publish.Publish(t.Context(), &memory, pubs, nil)
	require.NoError(t, err)
	for _, e := range report.Index.Entries() {
		name := layout.ArchiveFile(e)
		server.Put(bucket, prefix+name, string(read(t, &memory, name)))
	}
	last := new(taxonomy.Index)
	if text, ok := server.Objects(bucket)[prefix+layout.IndexFile]; ok {
		last, err = taxonomy.DecodeIndex([]byte(text))
		require.NoError(t, err)
	}
	retired := last.Retired()
	for _, e := range last.Entries() {
		retired = append(retired, taxonomy.Retired{ID: e.ID, ContentHash: e.ContentHash})
	}
	next, err := taxonomy.NewIndex(report.Index.Entries(), slices.DeleteFunc(retired, func(r taxonomy.Retired) bool {
		_, listed := report.Index.Lookup(r.ID.Ref())
		return listed
	})...)
	require.NoError(t, err)
	record := next.Record()
	record.Sequence = last.Record().Sequence + 1
	text, err := taxonomy.EncodeIndex(next.WithRecord(record))
	require.NoError(t, err)
	server.Put(bucket, prefix+layout.IndexFile, string(text))
}

func read(t testing.TB, target publish.Target, name string) []byte {
	t.Helper()
	r, err := target.Open(t.Context(), name)
	require.NoError(t, err)
	var data bytes.Buffer
	_, err = data.ReadFrom(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return data.Bytes()
}

// holds checks that a store has exactly the publications.
func holds(t testing.TB, s taxonomy.Store, pubs []listing.Publication) {
	t.Helper()
	index, err := s.Index(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(pubs), index.Len())
	for _, p := range pubs {
		r, err := s.Release(t.Context(), p.Release.Version())
		require.NoError(t, err)
		require.Equal(t, p.Release.ContentHash(), r.ContentHash())
		require.Equal(t, text(t, p.Release), text(t, r))
	}
}

func text(t testing.TB, r *taxonomy.Release) string {
	t.Helper()
	var b bytes.Buffer
	_, err := r.WriteTo(&b)
	require.NoError(t, err)
	return b.String()
}
