package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/internal/dirtarget"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/s3bucket"
	"github.com/datachain-go/datachain/internal/signedlog"
	"github.com/datachain-go/datachain/internal/stores"
)

// openChanged opens a store that a command changes.
func (p *program) openChanged(ctx context.Context, typed string) (*stores.Opened, error) {
	l := stores.Location{Store: typed, By: "--store"}
	if l.Remote() && !l.Bucket() {
		return nil, notPublished(typed)
	}
	return p.openStore(ctx, l)
}

func notPublished(typed string) error {
	return advise(fmt.Errorf("--store %s: must be a directory or a bucket, not a URL", stores.Redacted(typed)),
		"A server publishes nothing: publish into the store that it serves.")
}

// changeStore opens a directory or a bucket for publishing and changes the store in
// it.
func (p *program) changeStore(ctx context.Context, typed string, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	var report *publish.Report
	var err error
	switch l := (stores.Location{Store: typed}); {
	case l.Bucket():
		var t *s3bucket.Target
		if t, err = s3bucket.Open(ctx, typed, &s3bucket.Options{Access: p.access()}); err == nil {
			report, err = p.signed(ctx, t, change)
			err = errors.Join(err, t.Close())
		}
	case l.Remote():
		return nil, notPublished(typed)
	default:
		report, err = changeDir(ctx, p.path(typed), func(t publish.Target) (*publish.Report, error) { return p.signed(ctx, t, change) })
	}
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	if errors.Is(err, publish.ErrNoKey) {
		err = advise(err, "Use --sign KEY.")
	}
	if err != nil {
		return nil, fmt.Errorf("--store %s: %w", typed, err)
	}
	return report, nil
}

// signed changes a target, with the key that was named, if any. The highest checkpoint of the
// store is kept, so that an older copy of the store is refused.
func (p *program) signed(ctx context.Context, t publish.Target, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	key, err := p.signing.key(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case key == nil:
		return change(t)
	}
	var seen *files.Seen
	if p.seenDir != "" {
		seen = files.NewSeen(p.seenDir, "published "+t.String()+" "+key.Public)
		key.Seen = seen
	}
	if t, err = publish.Sign(t, key); err != nil {
		return nil, err
	}
	report, err := change(t)
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	if seen != nil && (errors.Is(err, signedlog.ErrRollback) || errors.Is(err, signedlog.ErrFork)) {
		err = advise(err, "The store is an older copy, or was changed: restore the newest copy. If that is lost, delete "+seen.File()+
			" to continue from here. Readers that have seen the newest copy will refuse the store.")
	}
	return report, err
}

// changeDir opens a directory for publishing and changes the store in it. The caller
// knows the name that was typed, so errors do not have it.
func changeDir(ctx context.Context, dir string, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	t, err := dirtarget.Create(ctx, dir)
	var report *publish.Report
	if err == nil {
		report, err = change(t)
		err = errors.Join(err, t.Close())
	}
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	return report, err
}
