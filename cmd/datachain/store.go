package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/s3store"
	"github.com/datachain-go/datachain/authoring/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

var errNoStore = errors.New("not a store: it has no index.json, which 'datachain schema publish' writes")

// openPublished opens a store in a directory or a bucket.
func (p *program) openPublished(ctx context.Context, typed string) (taxonomy.Store, error) {
	if isBucket(typed) {
		s, err := p.openBucket(ctx, typed, s3store.Options{Access: p.access()})
		if err != nil {
			return nil, err
		}
		if _, err := s.Index(ctx); err != nil {
			return nil, err // before anything else is said
		}
		if err := s.Err(); errors.Is(err, taxonomy.ErrRollback) {
			p.complain("%v", err)
		}
		return s, nil
	}
	return p.openStore(typed, fsstore.Options{})
}

func (p *program) openStore(typed string, o fsstore.Options) (*fsstore.Store, error) {
	if isURL(typed) {
		return nil, advise(fmt.Errorf("--store %s: must be a directory or a bucket, not a URL", redacted(typed)),
			"Only 'datachain serve', 'datachain mcp' and 'datachain check' read a store at a URL.")
	}
	o.Report = p.storeProblem
	if p.cacheDir != "" {
		o.VerifiedDir = filepath.Join(p.cacheDir, "datachain", "verified")
	}
	s, err := fsstore.OpenDir(p.path(typed), &o)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--store %s: %w", typed, errNoStore)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		wrong := reason(err)
		if !filepath.IsAbs(e.Path) { // a file in the directory
			wrong = e.Path + ": " + wrong
		}
		return nil, fmt.Errorf("--store %s: %s", typed, wrong)
	}
	if err != nil {
		return nil, advise(fmt.Errorf("--store %s: %w", typed, err), "The store is damaged or incomplete: publish or copy it again.")
	}
	p.atEnd(func() { _ = s.Close() }) // only read
	return s, nil
}

// changeStore opens a directory or a bucket for publishing and changes the store in
// it.
func (p *program) changeStore(ctx context.Context, typed string, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	var report *publish.Report
	var err error
	switch {
	case isBucket(typed):
		var t *s3store.Target
		if t, err = s3store.OpenTarget(ctx, typed, &s3store.TargetOptions{Access: p.access()}); err == nil {
			report, err = change(t)
			err = errors.Join(err, t.Close())
		}
	case isURL(typed):
		return nil, advise(fmt.Errorf("--store %s: must be a directory or a bucket, not a URL", redacted(typed)),
			"A server publishes nothing: publish into the store that it serves.")
	default:
		report, err = changeDir(ctx, p.path(typed), change)
	}
	if e, ok := errors.AsType[*publish.Error](err); ok {
		err = e.Err
	}
	if err != nil {
		return nil, fmt.Errorf("--store %s: %w", typed, err)
	}
	return report, nil
}

// changeDir opens a directory for publishing and changes the store in it. The caller
// knows the name that was typed, so errors do not have it.
func changeDir(ctx context.Context, dir string, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	t, err := fsstore.CreateTarget(ctx, dir)
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

// redacted returns a URL without its password.
func redacted(typed string) string {
	u, err := url.Parse(typed)
	switch {
	case err != nil:
		return "URL"
	case u.User == nil:
		return typed
	}
	return u.Redacted()
}
