package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/taxonomy/publish"
)

var errNoStore = errors.New("not a store: it has no index.json, which 'datachain schema publish' writes")

// openPublished opens a store in a directory.
func (p *program) openPublished(typed string) (*fsstore.Store, error) {
	return p.openStore(typed, fsstore.Options{})
}

func (p *program) openStore(typed string, o fsstore.Options) (*fsstore.Store, error) {
	if isURL(typed) {
		return nil, advise(fmt.Errorf("--store %s: must be a directory, not a URL", redacted(typed)),
			"Only 'datachain serve', 'datachain mcp' and 'datachain check' read a store at a URL.")
	}
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

// changeStore opens a directory for publishing and changes the store in it. The
// caller knows the name that was typed, so errors do not have it.
func changeStore(ctx context.Context, dir string, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
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
