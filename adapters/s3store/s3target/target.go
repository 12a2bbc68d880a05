// Package s3target publishes into buckets of S3-compatible storage. Package s3store reads what was
// published, and its documentation has the layout.
//
// # Publishing
//
// A [Target] is what package publish writes to. Several publishers can work at the
// same time: archives have their SHA-256 in their names, and the index is
// replaced with If-Match, so of two publishers that change it one tries again.
// Servers that ignore such conditions are refused before anything is written.
//
// What the index does not name stays until [publish.Collect] removes it, a day after it has
// found it.
//
// # Experimental
//
// This package may change in a minor version.
package s3target

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/datachain-go/datachain/adapters/s3store/s3bucket"
	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/release/publish"
)

// Target is a bucket that releases are published into, with package publish. Other
// publishers may use the same bucket at the same time. Make one with [Open].
type Target struct {
	bucket *s3bucket.Bucket
	// probed reports whether the server is known to honor conditions.
	probing sync.Mutex
	probed  bool
}

var _ publish.Target = (*Target)(nil)

// Open opens an address such as s3://bucket/prefix for publishing. It makes no
// request to the bucket, which must exist. Close the target after use.
func Open(ctx context.Context, at string, access *s3bucket.Access) (*Target, error) {
	b, err := s3bucket.Connect(ctx, at, access, s3bucket.Retries{Attempts: 5, Delay: 5 * time.Second})
	if err != nil {
		return nil, &publish.Error{Op: "open", Target: at, Err: err}
	}
	return &Target{bucket: b}, nil
}

// Close closes connections that are not in use.
func (t *Target) Close() error {
	t.bucket.Close()
	return nil
}

// String returns the address.
func (t *Target) String() string { return t.bucket.String() }

// Read returns the content of an object. Its revision is the entity tag.
func (t *Target) Read(ctx context.Context, name string) ([]byte, publish.Revision, error) {
	got, err := t.bucket.Get(ctx, name, "", layout.MaxIndex)
	switch {
	case s3bucket.IsMissing(err):
		return nil, "", nil
	case err != nil:
		return nil, "", err
	case got.ETag == "":
		return nil, "", fmt.Errorf("s3target: %s: the server sends no entity tag: it can't be used for publishing", t.bucket.Object(name))
	}
	return got.Data, publish.Revision(got.ETag), nil
}

// Replace replaces an object if it has the revision.
//
// If the answer of the server was lost, the client has repeated the request, and was
// refused because of its own success; or it is not known what became of the request.
// In either case the object shows it.
func (t *Target) Replace(ctx context.Context, name string, text []byte, rev publish.Revision) error {
	if err := t.probe(ctx); err != nil {
		return err
	}
	err := t.bucket.Put(ctx, name, text, s3bucket.Condition{Absent: rev == "", ETag: string(rev)})
	if err == nil {
		return nil
	}
	current, _, readErr := t.Read(ctx, name)
	switch {
	case readErr == nil && bytes.Equal(current, text):
		return nil
	case s3bucket.IsRefused(err):
		return fmt.Errorf("%s: %w", name, publish.ErrConflict)
	case readErr != nil:
		return fmt.Errorf("%w; %s could not be read either, so it may have been replaced: publish again", err, name)
	}
	return err
}

// Delete deletes an object.
func (t *Target) Delete(ctx context.Context, name string) error { return t.bucket.Remove(ctx, name) }

// List returns the names of the objects below a directory.
func (t *Target) List(ctx context.Context, dir string) (names []string, err error) {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	found, err := t.bucket.List(ctx, prefix)
	for _, name := range found {
		if !strings.HasPrefix(path.Base(name), ".") {
			names = append(names, strings.TrimPrefix(name, prefix))
		}
	}
	return names, err
}

// Open opens an object.
func (t *Target) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return t.bucket.Open(ctx, name)
}

// Put writes an object.
func (t *Target) Put(ctx context.Context, name string, data []byte) error {
	if err := t.probe(ctx); err != nil {
		return err
	}
	return t.bucket.Put(ctx, name, data, s3bucket.Condition{})
}

// Create creates an object. If the answer of the server was lost, its own success may
// look like that of another publisher.
func (t *Target) Create(ctx context.Context, name string, text []byte) error {
	if err := t.probe(ctx); err != nil {
		return err
	}
	err := t.bucket.Put(ctx, name, text, s3bucket.Condition{Absent: true})
	if s3bucket.IsRefused(err) {
		return fmt.Errorf("%s: %w", name, fs.ErrExist)
	}
	return err
}

// ErrNoConditions is wrapped by the errors of a [Target] if the server ignores the
// conditions of requests: two publishers could replace the index at the same time,
// and what one of them has published would be lost.
var ErrNoConditions = errors.New("the server ignores If-Match and If-None-Match when objects are written")

const (
	// probeName is the object that is written to find that out. It stays.
	probeName = ".probe"
	probeText = "Publishers write this object to find out whether the server honors conditions.\n"
	// noTag is a tag that no object has.
	noTag = `"00000000000000000000000000000000"`
)

// probe finds out once whether the server honors conditions, before anything else is
// written.
func (t *Target) probe(ctx context.Context) error {
	t.probing.Lock()
	defer t.probing.Unlock()
	if t.probed {
		return nil
	}
	write := func(c s3bucket.Condition) error {
		return t.bucket.Put(ctx, probeName, []byte(probeText), c)
	}
	// The first one may create the object.
	err := write(s3bucket.Condition{Absent: true})
	if err == nil {
		err = write(s3bucket.Condition{Absent: true})
	}
	if s3bucket.IsRefused(err) {
		err = write(s3bucket.Condition{ETag: noTag})
	}
	switch {
	case err == nil:
		return fmt.Errorf("s3target: %s: %w: use a server that honors them, or publish into a directory and copy that", t.bucket, ErrNoConditions)
	case !s3bucket.IsRefused(err):
		return err
	}
	t.probed = true
	return nil
}
