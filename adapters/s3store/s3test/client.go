package s3test

import (
	"context"
	"net/http"
	"net/http/httptest"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Endpoint is the endpoint of clients with a [Config].
const Endpoint = "http://storage.example"

// Config returns the configuration of clients whose requests take a transport.
func Config(transport http.RoundTripper) *aws.Config {
	return &aws.Config{
		Region: "eu-central-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
		HTTPClient: &http.Client{Transport: transport},
	}
}

// Direct is a transport that calls a handler, without a network.
type Direct struct{ Handler http.Handler }

// RoundTrip answers a request.
func (d Direct) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	d.Handler.ServeHTTP(w, r)
	res := w.Result()
	res.Request = r
	res.ContentLength = int64(w.Body.Len())
	return res, nil
}
