package s3store_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/s3store/s3test"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
)

// once makes a store try once.
func once(o *s3store.Options) { o.Config.Retryer = func() aws.Retryer { return aws.NopRetryer{} } }

// Each answer of a server says what, where and what to do.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		status int
		code   string
		want   string
	}{
		{403, "AccessDenied", "allow s3:GetObject on arn:aws:s3:::releases/public/v1/*"},
		{404, "NoSuchBucket", "the bucket does not exist"},
		{403, "InvalidAccessKeyId", "check the credentials"},
		{400, "ExpiredToken", "check the credentials"},
		{403, "SignatureDoesNotMatch", "check the credentials"},
		{403, "RequestTimeTooSkewed", "set the clock"},
		{301, "PermanentRedirect", "another region than eu-central-1"},
		{400, "AuthorizationHeaderMalformed", "--s3-region"},
		{503, "SlowDown", "try again later"},
		{500, "", "the server has failed"},
		{302, "", "redirects are not followed"},
		{418, "Teapot", "check the address"},
	} {
		t.Run(c.code, func(t *testing.T) {
			t.Parallel()
			server := s3test.NewS3(bucket)
			server.Before = func(*http.Request) (int, string) { return c.status, c.code }
			_, err := open(t, server, once).Index(t.Context())
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, address+"/"+layout.IndexFile)
			var e *s3bucket.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.status, e.Status)
			if c.code != "" {
				require.Equal(t, c.code, e.Code)
				require.ErrorContains(t, err, c.code)
			}
			require.Equal(t, "GetObject", e.Op)
		})
	}
}

// So does each failure without an answer.
func TestNoAnswer(t *testing.T) {
	secure := httptest.NewUnstartedServer(s3test.NewS3(bucket))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := httptest.NewServer(s3test.NewS3(bucket))
	t.Cleanup(plain.Close)
	listener, err := net.Listen("tcp", "localhost:0")
	require.NoError(t, err)
	closed := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	for name, c := range map[string]struct {
		change func(*s3store.Options)
		want   string
	}{
		"certificate": {func(o *s3store.Options) { o.Endpoint = secure.URL }, "AWS_CA_BUNDLE"},
		"not TLS":     {func(o *s3store.Options) { o.Endpoint = strings.Replace(plain.URL, "http:", "https:", 1) }, "http://"},
		"refused":     {func(o *s3store.Options) { o.Endpoint = closed }, "check the endpoint " + closed},
		"credentials": {func(o *s3store.Options) {
			o.Config.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{}, errors.New("no role")
			})
		}, "set AWS_ACCESS_KEY_ID"},
		"no provider": {func(o *s3store.Options) { o.Config.Credentials = nil }, "set AWS_ACCESS_KEY_ID"},
		"slow": {func(o *s3store.Options) {
			o.Timeout = time.Millisecond
			o.Config.HTTPClient = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})}
		}, "no complete answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, nil, func(o *s3store.Options) {
				o.Config.HTTPClient = nil
				once(o)
				c.change(o)
			})
			_, err := s.Index(t.Context())
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, address+"/"+layout.IndexFile)
		})
	}
}

func TestAddresses(t *testing.T) {
	for at, want := range map[string]string{
		"s3://releases":             "",
		"s3://releases/":            "",
		"s3://releases/a/b.c_d-e=1": "",
		"s3://releases/a/b/":        "",
		"releases":                  "s3://bucket",
		"s3://":                     "s3://bucket",
		"s3://ab":                   "name of the bucket",
		"s3://a b/c":                "name of the bucket",
		"s3://user:pass@host/x":     "name of the bucket",
		"s3://releases//a":          "single slashes",
		"s3://releases/a//b":        "single slashes",
		"s3://releases/../b":        "single slashes",
		"s3://releases/./b":         "single slashes",
		"s3://releases/a?b":         "single slashes",
		"s3://releases/é":           "single slashes",
		"https://releases/a":        "s3://bucket",
	} {
		s, err := s3store.Open(t.Context(), at, reading(s3test.NewS3("releases")))
		if want != "" {
			require.ErrorContains(t, err, want, at)
			continue
		}
		require.NoError(t, err, at)
		_, err = s.Index(t.Context())
		require.ErrorIs(t, err, s3store.ErrNoIndex, at)
		require.NoError(t, s.Close())
	}
	for _, endpoint := range []string{"storage.example", "ftp://a", "https://user:secret@a", "https://a?b", "https://"} {
		o := reading(s3test.NewS3())
		o.Endpoint = endpoint
		_, err := s3store.Open(t.Context(), address, o)
		require.ErrorContains(t, err, "the endpoint must be a URL")
		require.NotContains(t, err.Error(), "secret")
	}
}

// The usual variables are honored.
func TestEnvironment(t *testing.T) {
	server := s3test.NewS3(bucket)
	var signed string
	server.Before = func(r *http.Request) (int, string) {
		signed = r.Header.Get("Authorization")
		return 0, ""
	}
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	empty := t.TempDir() + "/none"
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": listening.URL, "AWS_REGION": "eu-north-1", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_CONFIG_FILE": empty, "AWS_SHARED_CREDENTIALS_FILE": empty, "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	s, err := s3store.Open(t.Context(), address, nil)
	require.NoError(t, err)
	_, err = s.Index(t.Context())
	require.ErrorIs(t, err, s3store.ErrNoIndex)
	require.NotErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, s.Close())
	require.Contains(t, signed, "Credential=key/")
	require.Contains(t, signed, "/eu-north-1/s3/")
	require.Equal(t, []string{"GET /releases/public/v1/index.json 404"}, server.Took())
}
