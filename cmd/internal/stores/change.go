package stores

import (
	"context"
	"errors"

	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
)

// ErrServer means that a location is a server, into which nothing can be published.
var ErrServer = advice.Add(errors.New("must be a directory or a bucket, not a URL"),
	"A server publishes nothing: publish into the store that it serves.")

// Change opens the store in a directory or a bucket for publishing, and calls change. The key, if not
// nil, signs the log of the store. The highest checkpoint that it signed is kept, wherever the store
// is, so that an older copy is refused later. Errors do not name the store: the caller adds the name
// that was typed.
func Change(ctx context.Context, l Location, o *Options, key *publish.Key, change func(publish.Target) (*publish.Report, error)) (report *publish.Report, err error) {
	var t Target
	switch {
	case l.Bucket() && o.Buckets == nil:
		err = errNoBuckets
	case l.Bucket():
		t, err = o.Buckets.Target(ctx, l.Store, o.Bucket)
	case l.Remote():
		err = ErrServer
	default:
		t, err = dirtarget.Create(ctx, files.Absolute(o.Dir, l.Store))
	}
	if err == nil {
		report, err = signed(t, o.SeenDir, key, change)
		err = errors.Join(err, t.Close())
	}
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	switch {
	case err == nil:
		return report, nil
	case errors.Is(err, publish.ErrNoKey):
		err = advice.Add(err, "Use --key KEY.")
	case errors.Is(err, publish.ErrReplacedKey), trust.Reason(err) == "unknown_key" && key != nil:
		err = advice.Add(err, "Another key signs the log of this store: use that one with --key.")
	}
	return nil, err
}

// signed changes a target with a key, if there is one.
func signed(t publish.Target, seenDir string, key *publish.Key, change func(publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	if key == nil {
		return change(t)
	}
	var seen *follow.SeenFile
	if seenDir != "" {
		seen = follow.NewSeenFile(seenDir, "published "+key.Public) // which begins with the origin of the log
		key.Seen = seen
	}
	report, err := change(publish.Sign(t, key))
	if seen != nil && (errors.Is(err, trust.ErrRollback) || errors.Is(err, trust.ErrFork)) {
		if e, ok := errors.AsType[*publish.Error](err); ok {
			err = e.Err
		}
		err = advice.Add(err, "The key has signed entries that this store lacks: publish into the newest copy. If that is lost, delete %s to continue from here. "+
			"Readers that have seen the newest copy will refuse the store. A store that is not a copy needs a log of its own: run 'datachain log keys new' with another name.", seen.File())
	}
	return report, err
}
