package s3store

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/datachain-go/datachain/internal/published"
)

// ErrNoConditions is wrapped by the errors of a [Target] if the server ignores the
// conditions of requests: two publishers could replace the index at the same time,
// and what one of them has published would be lost.
var ErrNoConditions = errors.New("the server ignores If-Match and If-None-Match when objects are written")

const (
	// probeName is the object that is written to find that out. It stays.
	probeName = "probe"
	probeText = "Publishers write this object to find out whether the server honors conditions.\n"
	// noTag is a tag that no object has.
	noTag = `"00000000000000000000000000000000"`
)

// probe finds out once whether the server honors conditions, before anything else is
// written.
func (t *Target) probe(ctx context.Context) error {
	if t.probed {
		return nil
	}
	write := func(c condition) error {
		_, err := t.bucket.put(ctx, path.Join(published.Unlinked, probeName), strings.NewReader(probeText), "text/plain", c)
		return err
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
		return fmt.Errorf("s3store: %s: %w: use a server that honors them, or publish into a directory and copy that", t.bucket, ErrNoConditions)
	case !isRefused(err):
		return err
	}
	t.probed = true
	return nil
}
