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

	"github.com/datachain-go/datachain/release/layout"
	"github.com/datachain-go/datachain/release/publish"
)

// Target is a bucket that releases are published into, with package publish. Other
// publishers may use the same bucket at the same time. Make one with [Open].
type Target struct {
	bucket *Bucket
	// probed reports whether the server is known to honor conditions.
	probing sync.Mutex
	probed  bool
}

var _ publish.Target = (*Target)(nil)

// Open opens an address such as s3://bucket/prefix for publishing. It makes no
// request to the bucket, which must exist. Close the target after use.
func Open(ctx context.Context, at string, access *Access) (*Target, error) {
	b, err := Connect(ctx, at, access, Retries{Attempts: 5, Delay: 5 * time.Second})
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
	case IsMissing(err):
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
	err := t.bucket.put(ctx, name, text, condition{absent: rev == "", etag: string(rev)})
	if err == nil {
		return nil
	}
	now, _, readErr := t.Read(ctx, name)
	switch {
	case readErr == nil && bytes.Equal(now, text):
		return nil
	case isRefused(err):
		return fmt.Errorf("%s: %w", name, publish.ErrConflict)
	case readErr != nil:
		return fmt.Errorf("%w; %s could not be read either, so it may have been replaced: publish again", err, name)
	}
	return err
}

// Delete deletes an object.
func (t *Target) Delete(ctx context.Context, name string) error { return t.bucket.remove(ctx, name) }

// List returns the names of the objects below a directory.
func (t *Target) List(ctx context.Context, dir string) (names []string, err error) {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	found, err := t.bucket.list(ctx, prefix)
	for _, name := range found {
		if !strings.HasPrefix(path.Base(name), ".") {
			names = append(names, strings.TrimPrefix(name, prefix))
		}
	}
	return names, err
}

// Open opens an object.
func (t *Target) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	return t.bucket.open(ctx, name)
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

// Put writes an object.
func (t *Target) Put(ctx context.Context, name string, data []byte) error {
	if err := t.probe(ctx); err != nil {
		return err
	}
	return t.bucket.put(ctx, name, data, condition{})
}

// Create creates an object. If the answer of the server was lost, its own success may
// look like that of another publisher.
func (t *Target) Create(ctx context.Context, name string, text []byte) error {
	if err := t.probe(ctx); err != nil {
		return err
	}
	err := t.bucket.put(ctx, name, text, condition{absent: true})
	if isRefused(err) {
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
	write := func(c condition) error {
		return t.bucket.put(ctx, probeName, []byte(probeText), c)
	}
	// The first one may create the object.
	err := write(condition{absent: true})
	if err == nil {
		err = write(condition{absent: true})
	}
	if isRefused(err) {
		err = write(condition{etag: noTag})
	}
	switch {
	case err == nil:
		return fmt.Errorf("s3target: %s: %w: use a server that honors them, or publish into a directory and copy that", t.bucket, ErrNoConditions)
	case !isRefused(err):
		return err
	}
	t.probed = true
	return nil
}
