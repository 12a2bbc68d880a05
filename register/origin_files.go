package register

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// liveFiles are the files of an origin as they were last seen.
type liveFiles struct {
	files   map[string]*liveFile
	listing *Listing
	// index has the versions that the files were validated by.
	index *taxonomy.Index
}

// liveFile is a file as it was last seen.
type liveFile struct {
	File
	// current is what it contains, nil if that can't be published; lastGood is the last
	// that could.
	current, lastGood *validDocument
	product           *Product     // if it describes one; then now and good are nil
	issues            issue.Issues // why now is nil
	id                string       // as far as it is known
	sum               taxonomy.Hash
	// before is the file as it was, until it is read, if the same text would still be valid.
	before *liveFile
	// unread is set if the file can't be read. It is tried again each time: what
	// was wrong, such as its mode, need not change its tag.
	unread bool
}

// load reads and validates the files of a listing that are new or have changed.
func (l *liveFiles) load(ctx context.Context, v *validator, listing *Listing, index *taxonomy.Index, last *collection) (*collection, error) {
	again := last == nil || listing.settings != l.listing.settings
	found := make(map[string]*liveFile, len(listing.Files))
	var todo []*liveFile
	for _, file := range listing.Files {
		f, known := &liveFile{File: file}, l.files[file.Name]
		if known != nil {
			f.lastGood = known.lastGood
			if !known.unread && !again && known.same(l.index, index) {
				if file.Tag != "" && known.Tag == file.Tag {
					found[file.Name] = known
					continue
				}
				f.before = known
			}
		}
		found[file.Name] = f
		todo = append(todo, f)
	}
	err := parallel.Each(ctx, runtime.GOMAXPROCS(0), len(todo), func(_, i int) error {
		return todo[i].validate(ctx, listing, v, index)
	})
	if err != nil {
		return nil, err
	}
	changed := again || len(found) != len(l.files) || !reflect.DeepEqual(l.listing.refused, listing.refused) ||
		slices.ContainsFunc(todo, func(f *liveFile) bool { return f.differs(l.files[f.Name]) })
	l.files, l.index, l.listing = found, index, listing
	if !changed {
		return last, nil
	}
	return l.collect(listing), nil
}

// differs reports whether a file has something else than it had, nil if it is new.
func (f *liveFile) differs(before *liveFile) bool {
	return before == nil || f.current != before.current || f.lastGood != before.lastGood || f.product != before.product || !reflect.DeepEqual(f.issues, before.issues)
}

// same reports whether the schema version of a file has the same content in two indexes.
// A file may have been refused because its version was missing.
func (f *liveFile) same(last, now *taxonomy.Index) bool {
	if last.Equal(now) {
		return true
	}
	if f.current == nil {
		return false
	}
	e, _ := now.Lookup(f.current.Version.Ref())
	return e.ContentHash == f.current.release
}

// validate reads and validates a file. If its schema version was changed or retired, an invalid
// file does not keep its last good content.
func (f *liveFile) validate(ctx context.Context, l *Listing, v *validator, index *taxonomy.Index) error {
	text, err := l.Read(ctx, f.Name)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.fail(err)
		return nil
	}
	before := f.before
	f.before, f.sum = nil, sha256.Sum256(text)
	if before != nil && before.current != nil && before.sum == f.sum {
		f.id, f.current = before.id, before.current
		return nil
	}
	d, issues, err := v.validate(ctx, text, l.settings)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if f.product = nil; d != nil && d.product != nil { // never shown, whatever it was before
		f.id, f.product, f.current, f.lastGood = d.product.ID, d.product, nil, nil
		f.product.File = f.Name
		f.refuse(issues...)
		return nil
	}
	if len(issues) > 0 {
		f.id = cmp.Or(idOf(text), f.id)
		f.refuse(issues...)
		if f.lastGood == nil || f.lastGood.validatedBy == nil {
			return nil
		}
		if now, listed := index.Lookup(f.lastGood.Version.Ref()); now.ContentHash != f.lastGood.release {
			outdated, content := *f.lastGood, *f.lastGood.Content
			content.Outdated, content.Unpublished = listed, !listed
			outdated.Content = &content
			f.lastGood = &outdated
		}
		return nil
	}
	f.id, f.current, f.lastGood = d.id, d, d
	return nil
}

func (f *liveFile) refuse(issues ...issue.Issue) {
	for i := range issues {
		issues[i].Position.File = f.Name
	}
	f.current, f.issues = nil, issues
}

// fail refuses a file that can't be read.
func (f *liveFile) fail(err error) {
	f.unread = true
	f.refuse(unreadable(f.Name, err))
}

// unreadable is the finding that a file can't be read.
func unreadable(name string, err error) issue.Issue {
	p, file := errors.AsType[*fs.PathError](err)
	if file {
		err = p.Err // the message names the file already
	}
	reason, hint := err.Error(), "replace the file, or remove it"
	switch {
	case errors.Is(err, fs.ErrPermission):
		hint = "let the user of this program read it, or remove it"
	case errors.Is(err, limited.ErrTooLarge):
		hint = "shorten the document or divide it into several, or remove the file"
	case file && errors.Is(err, fs.ErrNotExist): // it was listed
		reason, hint = "it is a link to a file that does not exist", "correct the link, or remove it"
	case strings.Contains(reason, "escapes from parent"): // package os has no other sign of it
		reason, hint = "it is a link that leads out of the directory", "put a copy of the file there"
	}
	return unusable(name, reason, hint)
}

// unusable is the finding that a file can't be read for a reason.
func unusable(name, reason, hint string) issue.Issue {
	return issue.Issue{
		Code: codes.SourceUnreadable, Severity: issue.SeverityError, Path: issue.Root,
		Message: fmt.Sprintf("%s can't be read: %s.", name, reason), FixHint: hint,
	}
}

// collect makes documents of the files.
func (l *liveFiles) collect(listing *Listing) *collection {
	c := &collection{settings: listing.settings}
	byID := make(map[string][]*liveFile)
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		f := l.files[name]
		switch {
		case f.product != nil && len(f.issues) == 0:
			c.products = append(c.products, *f.product)
		case f.current == nil:
			c.refused = append(c.refused, Refusal{File: name, ID: f.id, Issues: f.issues})
		}
		if f.lastGood != nil {
			byID[f.lastGood.id] = append(byID[f.lastGood.id], f)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		c.records = append(c.records, newRecord(byID[id]))
	}
	c.refused = append(c.refused, listing.refused...)
	return c
}

// newRecord makes one document of the files with its id. The newest is current.
func newRecord(list []*liveFile) *record {
	// The same content in several files, such as thin and resolved, is one edition:
	// that of the first file by name.
	var editions []*liveFile
	for _, f := range list {
		if !slices.ContainsFunc(editions, func(e *liveFile) bool { return e.lastGood.hash == f.lastGood.hash }) {
			editions = append(editions, f)
		}
	}
	newest := slices.MaxFunc(editions, func(a, b *liveFile) int { return a.lastGood.updated().Compare(b.lastGood.updated()) })
	r := &record{live: true}
	for _, f := range editions {
		if f.lastGood.updated().Equal(newest.lastGood.updated()) {
			r.candidates = append(r.candidates, candidate{f.lastGood, f.Name})
		}
		r.editions = append(r.editions, Edition{Hash: f.lastGood.hash, Time: f.lastGood.updated(), text: memoryText{f.lastGood.text, f.lastGood.validatedBy}})
		if s := f.lastGood.slug; s != newest.lastGood.slug && !slices.Contains(r.slugs, s) {
			r.slugs = append(r.slugs, s)
		}
	}
	return r
}
