// Package s3bucket makes requests to buckets of S3-compatible storage: those of package s3store, which
// reads releases, and of package s3target, which publishes them.
package s3bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/logging"
)

// Scheme is how the address of a bucket begins.
const Scheme = "s3://"

// defaultRegion is used if no region is configured. Servers other than AWS usually
// accept any.
const defaultRegion = "us-east-1"

// Access says how to reach a bucket. The zero value uses the configuration that
// other AWS programs use: environment variables such as AWS_REGION and
// AWS_ACCESS_KEY_ID, the shared configuration and credentials files, web identity
// tokens, and the roles of containers and instances.
type Access struct {
	// Endpoint is the URL of a server other than AWS. Its buckets are addressed
	// in the path. By default AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL are used.
	Endpoint string
	// Region is the region of the bucket.
	Region string
	// Config is used instead of the usual configuration if it is not nil.
	Config *aws.Config
}

// address is the parsed address of a store in a bucket.
type address struct {
	bucket string
	prefix string // ends in a slash, unless it is empty
}

// parseAddress parses s3://bucket/prefix.
func parseAddress(text string) (address, error) {
	rest, ok := strings.CutPrefix(text, Scheme)
	bucket, prefix, _ := strings.Cut(rest, "/")
	prefix = strings.TrimRight(prefix, "/")
	isInvalid := func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", r)
	}
	if !ok || bucket == "" {
		return address{}, fmt.Errorf("s3bucket: the address %q must have the form s3://bucket or s3://bucket/prefix", text)
	}
	if len(bucket) < 3 || len(bucket) > 255 || strings.ContainsFunc(bucket, isInvalid) {
		return address{}, fmt.Errorf("s3bucket: the name of the bucket in %q must have 3 to 255 letters, digits, '.', '_' and '-'", text)
	}
	if prefix == "" {
		return address{bucket: bucket}, nil
	}
	for part := range strings.SplitSeq(prefix, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsFunc(part, func(r rune) bool { return r != '=' && isInvalid(r) }) {
			return address{}, fmt.Errorf("s3bucket: the prefix in %q must consist of letters, digits, '.', '_', '-' and '=', with single slashes between them", text)
		}
	}
	if len(prefix) > 512 {
		return address{}, fmt.Errorf("s3bucket: the prefix in %.100q... must have at most 512 characters", text)
	}
	return address{bucket, prefix + "/"}, nil
}

// String returns the address.
func (a address) String() string { return strings.TrimRight(Scheme+a.bucket+"/"+a.prefix, "/") }

// Object returns the address of an object.
func (a address) Object(name string) string { return Scheme + a.bucket + "/" + a.prefix + name }

// Retries are the attempts of a request, and the longest delay between two of them.
type Retries struct {
	Attempts int
	Delay    time.Duration
}

// Connect returns a client for the bucket at an address. It makes no request to the
// bucket.
func Connect(ctx context.Context, at string, access *Access, r Retries) (*Bucket, error) {
	parsed, err := parseAddress(at)
	if err != nil {
		return nil, err
	}
	if access == nil {
		access = new(Access)
	}
	if err := checkEndpoint(access.Endpoint); err != nil {
		return nil, err
	}
	var cfg aws.Config
	if access.Config != nil {
		cfg = access.Config.Copy()
	} else if cfg, err = config.LoadDefaultConfig(ctx, config.WithLogger(logging.Nop{})); err != nil {
		return nil, fmt.Errorf("s3bucket: %s: AWS configuration: %w: check the AWS_ environment variables, and the files in ~/.aws", parsed, err)
	}
	cfg.Credentials = aws.NewCredentialsCache(credentials{cfg.Credentials})
	// A transport of our own, whose connections can be closed.
	var transport *http.Transport
	if client, ok := cfg.HTTPClient.(*awshttp.BuildableClient); ok {
		transport = client.GetTransport()
		cfg.HTTPClient = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	client := s3.NewFromConfig(cfg, func(o *s3.Options) {
		if access.Endpoint != "" {
			o.BaseEndpoint = aws.String(access.Endpoint)
		}
		if access.Region != "" {
			o.Region = access.Region
		}
		if o.Region == "" {
			o.Region = defaultRegion
		}
		o.UsePathStyle = o.UsePathStyle || o.BaseEndpoint != nil
		// Hashes are checked here, and many servers do not know these checksums.
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		if cfg.Retryer == nil {
			o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.MaxBackoff = r.Attempts, r.Delay
			})
		}
	})
	return &Bucket{client: client, transport: transport, address: parsed, region: client.Options().Region, Endpoint: aws.ToString(client.Options().BaseEndpoint)}, nil
}

func checkEndpoint(endpoint string) error {
	if endpoint == "" {
		return nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("s3bucket: the endpoint must be a URL such as https://storage.example, without credentials and query")
	}
	return nil
}

// credentials is a provider whose errors are distinguishable.
type credentials struct{ provider aws.CredentialsProvider }

// errCredentials is wrapped by the errors of [credentials].
var errCredentials = errors.New("no credentials")

// Retrieve returns the credentials.
func (c credentials) Retrieve(ctx context.Context) (aws.Credentials, error) {
	if c.provider == nil {
		return aws.Credentials{}, errCredentials
	}
	found, err := c.provider.Retrieve(ctx)
	if err != nil {
		err = fmt.Errorf("%w: %w", errCredentials, err)
	}
	return found, err
}

// Bucket makes requests to a bucket. Names are relative to the prefix.
type Bucket struct {
	address
	client    *s3.Client
	transport *http.Transport // of the client, nil if it is the caller's
	// region and Endpoint are those of the client, for messages.
	region, Endpoint string
}

// Close closes connections that are not in use.
func (b *Bucket) Close() {
	if b.transport != nil {
		b.transport.CloseIdleConnections()
	}
}

// Object is what a request for an object has returned.
type Object struct {
	Data        []byte
	ETag        string
	NotModified bool // the object still has the given tag
}

// Get reads an object of at most limit bytes, unless it has the tag.
func (b *Bucket) Get(ctx context.Context, name, etag string, limit int64) (*Object, error) {
	in := &s3.GetObjectInput{Bucket: &b.bucket, Key: aws.String(b.prefix + name)}
	if etag != "" {
		in.IfNoneMatch = &etag
	}
	out, err := b.client.GetObject(ctx, in)
	if etag != "" && statusOf(err) == http.StatusNotModified {
		return &Object{NotModified: true}, nil
	}
	if err != nil {
		return nil, b.Explain(OpGet, name, err)
	}
	defer func() { _ = out.Body.Close() }() // it was only read
	data, err := readAll(out.Body, aws.ToInt64(out.ContentLength), limit)
	switch {
	case err != nil:
		return nil, b.Explain(OpGet, name, err)
	case data == nil:
		return nil, fmt.Errorf("s3bucket: %s: has %d bytes, more than the limit of %d", b.Object(name), max(aws.ToInt64(out.ContentLength), limit+1), limit)
	}
	return &Object{Data: data, ETag: aws.ToString(out.ETag)}, nil
}

// readAll reads at most limit bytes. If there are more, it returns nil.
func readAll(r io.Reader, claimed, limit int64) ([]byte, error) {
	if claimed > limit {
		return nil, nil
	}
	var data bytes.Buffer
	// Do not allocate much memory for a length that is only claimed.
	data.Grow(int(min(max(0, claimed), 8<<20)) + bytes.MinRead)
	n, err := data.ReadFrom(io.LimitReader(r, limit+1))
	if err != nil || n > limit {
		return nil, err
	}
	return data.Bytes(), nil
}

// Open opens an object for reading.
func (b *Bucket) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	out, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.bucket, Key: aws.String(b.prefix + name)})
	if err != nil {
		return nil, b.Explain(OpGet, name, err)
	}
	return out.Body, nil
}

// Condition is what must hold for an object that is written.
type Condition struct {
	Absent bool
	ETag   string // that it has; "" for any
}

// Put writes an object.
func (b *Bucket) Put(ctx context.Context, name string, data []byte, c Condition) error {
	in := &s3.PutObjectInput{Bucket: &b.bucket, Key: aws.String(b.prefix + name), Body: bytes.NewReader(data), ContentType: aws.String(mimeOf(name))}
	switch {
	case c.Absent:
		in.IfNoneMatch = aws.String("*")
	case c.ETag != "":
		in.IfMatch = &c.ETag
	}
	_, err := b.client.PutObject(ctx, in)
	return b.Explain(opPut, name, err)
}

// mimeOf returns the media type of an object by its name.
func mimeOf(name string) string {
	switch path.Ext(name) {
	case ".json":
		return "application/json"
	case ".zip":
		return "application/zip"
	}
	return "text/plain"
}

// Remove removes an object, which may not exist any more.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.bucket, Key: aws.String(b.prefix + name)})
	if err = b.Explain(opDelete, name, err); IsMissing(err) {
		return nil
	}
	return err
}

// List returns the names of the objects that begin with a prefix, in order.
func (b *Bucket) List(ctx context.Context, prefix string) (names []string, err error) {
	pages := s3.NewListObjectsV2Paginator(b.client, &s3.ListObjectsV2Input{Bucket: &b.bucket, Prefix: aws.String(b.prefix + prefix)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, b.Explain(opList, prefix, err)
		}
		for _, o := range page.Contents {
			if name, ok := strings.CutPrefix(aws.ToString(o.Key), b.prefix); ok {
				names = append(names, name)
			}
		}
	}
	return names, nil
}
