package s3store

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/middleware"

	"github.com/datachain-go/datachain/internal/published"
)

// bucket makes requests to a bucket. Names are relative to the prefix.
type bucket struct {
	address
	client *s3.Client
	own    *http.Transport // of the client, nil if it is the caller's
	// region and endpoint are those of the client, for messages.
	region, endpoint string
}

// close closes connections that are not in use.
func (b *bucket) close() {
	if b.own != nil {
		b.own.CloseIdleConnections()
	}
}

// object is what a request for an object has returned.
type object struct {
	data        []byte
	etag        string
	modified    time.Time
	now         time.Time // by the clock of the server
	notModified bool      // the object still has the given tag
}

// clock returns the time at which a server has answered.
func clock(m middleware.Metadata) time.Time {
	if now, ok := awsmiddleware.GetServerTime(m); ok && !now.IsZero() {
		return now
	}
	return time.Now()
}

// get reads an object of at most limit bytes, unless it has the tag.
func (b *bucket) get(ctx context.Context, name, etag string, limit int64) (*object, error) {
	in := &s3.GetObjectInput{Bucket: &b.bucket, Key: aws.String(b.prefix + name)}
	if etag != "" {
		in.IfNoneMatch = &etag
	}
	out, err := b.client.GetObject(ctx, in)
	if etag != "" && statusOf(err) == http.StatusNotModified {
		return &object{notModified: true}, nil
	}
	if err != nil {
		return nil, b.explain(opGet, name, err)
	}
	defer func() { _ = out.Body.Close() }() // it was only read
	data, err := readAll(out.Body, aws.ToInt64(out.ContentLength), limit)
	switch {
	case err != nil:
		return nil, b.explain(opGet, name, err)
	case data == nil:
		return nil, fmt.Errorf("s3store: %w", published.TooLarge(b.object(name), max(aws.ToInt64(out.ContentLength), limit+1), limit))
	}
	return &object{data: data, etag: aws.ToString(out.ETag), modified: aws.ToTime(out.LastModified), now: clock(out.ResultMetadata)}, nil
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

// open opens an object for reading.
func (b *bucket) open(ctx context.Context, name string) (io.ReadCloser, error) {
	out, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.bucket, Key: aws.String(b.prefix + name)})
	if err != nil {
		return nil, b.explain(opGet, name, err)
	}
	return out.Body, nil
}

// condition is what must hold for an object that is written.
type condition struct {
	absent bool
	etag   string // that it has; "" for any
}

// put writes an object, and returns its tag.
func (b *bucket) put(ctx context.Context, name string, body io.ReadSeeker, mime string, c condition) (etag string, err error) {
	in := &s3.PutObjectInput{Bucket: &b.bucket, Key: aws.String(b.prefix + name), Body: body, ContentType: &mime}
	switch {
	case c.absent:
		in.IfNoneMatch = aws.String("*")
	case c.etag != "":
		in.IfMatch = &c.etag
	}
	out, err := b.client.PutObject(ctx, in)
	if err != nil {
		return "", b.explain(opPut, name, err)
	}
	return aws.ToString(out.ETag), nil
}

// remove removes an object, which may be gone already.
func (b *bucket) remove(ctx context.Context, name string) error {
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.bucket, Key: aws.String(b.prefix + name)})
	if err = b.explain(opDelete, name, err); isMissing(err) {
		return nil
	}
	return err
}

// listed is an object in a list.
type listed struct {
	name     string
	etag     string
	modified time.Time
}

// list returns the objects whose names begin with a prefix, in order, and when the list
// was begun.
func (b *bucket) list(ctx context.Context, prefix string) (found []listed, now time.Time, err error) {
	pages := s3.NewListObjectsV2Paginator(b.client, &s3.ListObjectsV2Input{Bucket: &b.bucket, Prefix: aws.String(b.prefix + prefix)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, now, b.explain(opList, prefix, err)
		}
		if now.IsZero() {
			now = clock(page.ResultMetadata)
		}
		for _, o := range page.Contents {
			if name, ok := strings.CutPrefix(aws.ToString(o.Key), b.prefix); ok {
				found = append(found, listed{name, aws.ToString(o.ETag), aws.ToTime(o.LastModified)})
			}
		}
	}
	return found, now, nil
}
