// Package publishing publishes, withdraws and erases documents of a register in a store.
//
// # Experimental
//
// This package may change in a minor version.
package publishing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Options configure [Documents]. The zero value and nil are the defaults.
type Options struct {
	// Again also publishes documents that were withdrawn.
	Again bool
	// Progress is called with the number of files done and the number to do. Calls
	// do not overlap.
	Progress func(done, total int)
}

// Publication is what became of a document.
type Publication struct {
	Slug    string
	Edition taxonomy.Hash
	// Op is [register.Published], or "" if the edition was published already.
	Op register.Op
	// New means that the document was not published before.
	New bool
}

// Report is what was changed in a store.
type Report struct {
	// Sequence is that of the index now. Changed reports whether it was replaced.
	Sequence int64
	Changed  bool
	// Publications are the documents that are published, by slug.
	Publications []Publication
	// Refused are those that are not, and why, and Warnings are findings in others.
	Refused  []register.Refusal
	Warnings []register.Refusal
	// Elsewhere are the slugs of published documents that are not among these, refused or not.
	Elsewhere []string
}

// Documents publishes the documents of a register, usually of a [register.Directory], into a store,
// with its settings if it has some. Each edition is written before the index names it,
// and the index is replaced in one step: whatever happens, readers find the old state or
// the new one, and publishing again completes the work. Documents that the register does
// not have stay as they are. What can't be published is in the report, not an error.
func Documents(ctx context.Context, t publish.Target, r *register.Register, o *Options) (*Report, error) {
	if o == nil {
		o = new(Options)
	}
	return update(ctx, "publish documents", t, func(ctx context.Context, c *change) error {
		state := r.State()
		c.report.Refused = slices.Clone(state.Refused())
		p := &publication{change: c, register: r, options: o, known: make(map[string]int, len(c.index.Documents)), owners: c.index.Owners()}
		for i, e := range c.index.Documents {
			p.known[e.ID] = i
		}
		for _, d := range state.Documents() {
			if err := p.add(ctx, d); err != nil {
				return err
			}
			c.planned = append(c.planned, d.ID)
		}
		slugs := make(map[string]bool)
		for _, d := range state.Documents() {
			slugs[d.ID] = true
		}
		for _, one := range state.Refused() {
			slugs[one.ID] = true
		}
		for _, e := range c.index.Documents {
			if !slugs[e.ID] && e.Withdrawn == nil {
				c.report.Elsewhere = append(c.report.Elsewhere, e.Slug)
			}
		}
		if err := p.writeFiles(ctx); err != nil {
			return err
		}
		return p.writeSettings(ctx, state.Settings())
	})
}

// Withdraw withdraws a document: its address says so from now on, and its editions remain.
// An unknown slug wraps [taxonomy.ErrNotFound].
func Withdraw(ctx context.Context, t publish.Target, slug, reason string) (*Report, error) {
	return update(ctx, "withdraw", t, func(_ context.Context, c *change) error {
		e, err := c.find(slug)
		if err != nil || e.Withdrawn != nil {
			return err
		}
		e.Withdrawn, e.Sequence, c.changed = &documents.Withdrawal{Time: now(), Reason: reason}, c.next(), true
		return nil
	})
}

// Erase deletes the texts of an edition, or of all editions if the hash is zero. The index
// keeps the hash, the time and the reason. It fails like [Withdraw].
func Erase(ctx context.Context, t publish.Target, slug string, edition taxonomy.Hash, reason string) (*Report, error) {
	return update(ctx, "erase", t, func(ctx context.Context, c *change) error {
		e, err := c.find(slug)
		if err != nil {
			return err
		}
		if !edition.IsZero() && e.Edition(edition) == nil {
			return fmt.Errorf("%s has no edition %s: %w", slug, edition, taxonomy.ErrNotFound)
		}
		for i := range e.Editions {
			one := &e.Editions[i]
			if (edition.IsZero() || one.Hash == edition) && one.Erased == nil {
				one.Erased, c.changed = &documents.Erasure{Time: now(), Reason: reason, Sequence: c.next()}, true
			}
		}
		c.planned = append(c.planned, e.ID)
		return c.sweep(ctx) // first, since the rest may fail
	})
}

// Adopt appends the documents of a store to its log, as if all had just been published, if the
// log does not have them yet. Releases come first: see [publish.Adopt].
func Adopt(ctx context.Context, t publish.Target) (*Report, error) {
	return update(ctx, "adopt documents", t, func(_ context.Context, c *change) error {
		for _, e := range c.index.Documents {
			c.report.Publications = append(c.report.Publications, Publication{Slug: e.Slug, Edition: e.Current})
		}
		return nil
	})
}

// now returns the time as an index has it.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// change is a change of documents/index.json.
type change struct {
	target    publish.Target
	index     *documents.Index
	changed   bool
	wroteFile atomic.Bool // a file of an edition
	planned   []string    // the ids of documents whose editions may be written or erased
	report    *Report
}

// update changes documents/index.json. If another publisher replaces it first, the change
// is tried again. Files of erased editions of planned documents are deleted at the end: this
// publisher, or an interrupted one, may have written one while it was erased.
func update(ctx context.Context, op string, t publish.Target, plan func(context.Context, *change) error) (*Report, error) {
	var c *change
	err := publish.Transact(ctx, op, t, documents.IndexFile, func(ctx context.Context, tx *publish.Transaction) (err error) {
		c = &change{target: t, report: new(Report)}
		if c.index, err = documents.Decode(tx.Text); err == nil {
			err = c.followsLog(tx.Log)
		}
		if err == nil {
			err = plan(ctx, c)
		}
		switch {
		case err != nil:
		case c.changed:
			err = c.replace(ctx, tx)
		case c.wroteFile.Load():
			err = tx.Confirm(ctx) // what was written may have been erased meanwhile
		}
		if err != nil {
			return err
		}
		c.report.Sequence, c.report.Changed = c.index.Sequence, c.changed
		return c.sweep(ctx)
	})
	if err != nil {
		return nil, err
	}
	return c.report, nil
}

// followsLog checks that the log, which may be nil, leads to the index. An index from before
// the log is appended to it.
func (c *change) followsLog(log *publish.Log) error {
	if log == nil {
		return nil
	}
	text, err := c.index.Encode()
	if err != nil {
		return err
	}
	missing, err := log.LackedDocuments(text)
	switch {
	case log.Size() == 0:
		return publish.ErrNoLog
	case c.index.LogSize > log.Size():
		return publish.ErrConflict // it has just been appended to
	case err != nil:
		return fmt.Errorf("%s does not follow from the log: restore it from a copy: %w", documents.IndexFile, err)
	case missing && c.index.LogSize > 0:
		return fmt.Errorf("%s was changed without the log, or is an old copy: restore it", documents.IndexFile)
	}
	c.changed = missing
	return nil
}

// replace replaces the index.
func (c *change) replace(ctx context.Context, tx *publish.Transaction) error {
	present := c.index.Sequence
	return tx.ReplaceDocuments(ctx, func(logSize int64) (_ []byte, err error) {
		if c.index.Sequence, err = tx.NextSequence(present, logSize); err != nil {
			return nil, err
		}
		if tx.Log != nil {
			c.index.LogSize = logSize
		}
		return c.index.Encode()
	})
}

// next returns the sequence that the change will have.
func (c *change) next() int64 { return c.index.Sequence + 1 }

// find returns the entry with a slug, which may be an earlier one.
func (c *change) find(slug string) (*documents.Entry, error) {
	var known []string
	for i := range c.index.Documents {
		e := &c.index.Documents[i]
		if e.Slug == slug || slices.Contains(e.Slugs, slug) {
			return e, nil
		}
		known = append(known, e.Slug)
	}
	err := fmt.Errorf("document %s: %w", wording.Quote(slug), taxonomy.ErrNotFound)
	if near := similar.Nearest(slug, slices.Values(known)); near != "" {
		err = fmt.Errorf("%w: did you mean %s?", err, near)
	}
	return nil, err
}

// sweep deletes the files of erased editions of the documents that are planned.
func (c *change) sweep(ctx context.Context) error {
	planned := make(map[string]bool, len(c.planned))
	for _, id := range c.planned {
		planned[id] = true
	}
	var names []string
	for i := range c.index.Documents {
		e := &c.index.Documents[i]
		if !planned[e.ID] {
			continue
		}
		for k := range e.Editions {
			if one := &e.Editions[k]; one.Erased != nil {
				thin, resolved := e.Files(one)
				names = append(names, thin, resolved)
			}
		}
	}
	return parallel.Each(ctx, publishers, len(names), func(_, i int) error { return c.target.Delete(ctx, names[i]) })
}

// publishers is how many files are written at a time.
const publishers = 16

// publication is the work of Documents.
type publication struct {
	*change
	register *register.Register
	options  *Options
	known    map[string]int    // positions in the index, by id
	owners   map[string]string // the ids that slugs belong to
	files    []newFile
}

// newFile is a file of an edition that is to be written.
type newFile struct {
	name    string
	edition taxonomy.Hash
	doc     *register.Document
	kind    register.TextKind
}

// add plans the publication of a document, with its history.
func (p *publication) add(ctx context.Context, d *register.Document) error {
	if owner, taken := p.owners[d.Slug]; taken && owner != d.ID {
		p.refuse(d, codes.RegisterConflict, fmt.Sprintf("The slug %s belongs to the published document %s.", d.Slug, wording.Clip(owner)), "choose another register.slug")
		return nil
	}
	i, known := p.known[d.ID]
	if !known {
		i = len(p.index.Documents)
		p.known[d.ID], p.owners[d.Slug] = i, d.ID
		p.index.Documents = append(p.index.Documents, documents.Entry{Slug: d.Slug, ID: d.ID})
	}
	e := &p.index.Documents[i]
	done := Publication{Slug: d.Slug, Edition: d.Current, New: len(e.Editions) == 0}
	if known := e.Edition(d.Current); known != nil && known.Erased != nil {
		p.refuse(d, codes.RegisterConflict, "The content was erased. Reason: "+wording.Quote(known.Erased.Reason)+".", "remove the file, or change its content")
		return nil
	}
	if e.Withdrawn != nil && !p.options.Again {
		p.refuse(d, codes.RegisterConflict, fmt.Sprintf("The document was withdrawn on %s. Reason: %s.", e.Withdrawn.Time.Format(time.DateOnly), wording.Quote(e.Withdrawn.Reason)),
			"remove the file, or use --again to publish the document again")
		return nil
	}
	if err := p.warn(ctx, d, e); err != nil {
		return err
	}
	if d.Slug != e.Slug {
		for k := range e.Editions {
			if e.Editions[k].Slug == "" {
				e.Editions[k].Slug = e.Slug
			}
		}
		e.Slugs = slices.DeleteFunc(append(e.Slugs, e.Slug), func(slug string) bool { return slug == d.Slug })
		e.Slug, e.Sequence, p.changed = d.Slug, p.next(), true
		done.Op = register.Published
		p.owners[d.Slug] = d.ID
	}
	if e.File != d.File() { // so that a file that was moved is found
		e.File, p.changed = d.File(), true
	}
	at := make(map[taxonomy.Hash]int, len(e.Editions))
	for k, edition := range e.Editions {
		at[edition.Hash] = k
	}
	for _, edition := range slices.Backward(d.Editions) {
		k, known := at[edition.Hash]
		if !known {
			k, p.changed = len(e.Editions), true
			e.Editions = append(e.Editions, documents.Edition{Hash: edition.Hash, Time: now(), Sequence: p.next()})
		}
		if one := &e.Editions[k]; one.Erased == nil {
			thin, resolved := e.Files(one)
			p.files = append(p.files, newFile{thin, edition.Hash, d, register.Thin}, newFile{resolved, edition.Hash, d, register.Resolved})
		}
	}
	if e.Current != d.Current || e.Withdrawn != nil {
		e.Current, e.Withdrawn, e.Sequence, p.changed = d.Current, nil, p.next(), true
		done.Op = register.Published
	}
	p.report.Publications = append(p.report.Publications, done)
	return nil
}

func (p *publication) refuse(d *register.Document, code issue.Code, message, hint string) {
	p.report.Refused = append(p.report.Refused, register.Refusal{File: d.File(), ID: d.ID, Issues: issue.Issues{{
		Code: code, Severity: issue.SeverityError, Path: issue.Root, Message: message, FixHint: hint, Position: issue.Position{File: d.File()},
	}}})
}

// warn reports dates of a document that can't be right.
func (p *publication) warn(ctx context.Context, d *register.Document, e *documents.Entry) error {
	found := Warnings(d, time.Now())
	if last := e.Edition(e.Current); last != nil && last.Hash != d.Current && last.Erased == nil {
		thin, _ := e.Files(last)
		text, err := readAll(ctx, p.target, thin)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if doc, err := document.Parse(text); err == nil {
			v, _ := doc.Root().Get("updated_at")
			if before, _ := ident.ParseTimestamp(v.Text()); before.Equal(d.UpdatedAt) {
				found = append(found, issue.Issue{
					Code: codes.RegisterDate, Severity: issue.SeverityWarning, Path: issue.Root.Key("updated_at"),
					Message: "The content has changed since the last edition, but updated_at has not.", FixHint: "set updated_at to the time of the change",
				})
			}
		}
	}
	if len(found) > 0 {
		p.report.Warnings = append(p.report.Warnings, register.Refusal{File: d.File(), ID: d.ID, Issues: found})
	}
	return nil
}

// Warnings returns findings about a document that do not keep it from being published, at
// a time: an updated_at in the future.
func Warnings(d *register.Document, at time.Time) (found issue.Issues) {
	if d.UpdatedAt.After(at) || d.CreatedAt.After(at) {
		field := "updated_at"
		if !d.UpdatedAt.After(at) {
			field = "created_at"
		}
		found = append(found, issue.Issue{
			Code: codes.RegisterDate, Severity: issue.SeverityWarning, Path: issue.Root.Key(field),
			Message: "The " + field + " of the document is in the future.", FixHint: "set it to the time of the change",
		})
	}
	return found
}

// writeFiles writes the files of editions that are not in the store, or damaged there.
func (p *publication) writeFiles(ctx context.Context) error {
	// A document whose edition is listed has its files, unless they were damaged: all
	// are looked at, which takes one request each.
	progress := make(chan struct{}, 1)
	progress <- struct{}{}
	done := 0
	return parallel.Each(ctx, publishers, len(p.files), func(_, i int) error {
		if err := p.writeFile(ctx, p.files[i]); err != nil {
			return fmt.Errorf("%s: %w", p.files[i].name, err)
		}
		<-progress
		if done++; p.options.Progress != nil {
			p.options.Progress(done, len(p.files))
		}
		progress <- struct{}{}
		return nil
	})
}

func (p *publication) writeFile(ctx context.Context, f newFile) error {
	stored, err := readAll(ctx, p.target, f.name)
	if err == nil {
		if doc, err := document.Parse(stored); err == nil && trust.EditionHash(doc) == f.edition {
			return nil // as it was published first
		}
		if err := p.target.Delete(ctx, f.name); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := p.register.Text(ctx, f.doc, f.edition, f.kind)
	if err != nil {
		return err
	}
	p.wroteFile.Store(true)
	err = p.target.Create(ctx, f.name, text)
	if errors.Is(err, fs.ErrExist) { // by another publisher
		return nil
	}
	return err
}

// readAll reads a file of a target. One that is too large is cut off: it is damaged.
func readAll(ctx context.Context, t publish.Target, name string) ([]byte, error) {
	f, err := t.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := limited.Read(f, documents.MaxDocument, 0)
	if errors.Is(err, limited.ErrTooLarge) {
		err = nil
	}
	return text, err
}

// writeSettings writes the settings and the files that they name.
func (p *publication) writeSettings(ctx context.Context, s *register.Settings) error {
	// Files that it names have their SHA-256 in their names, so that it can be replaced in one
	// step. There is a copy of it for readers of an index that is older.
	named, files := *s, make(map[string][]byte)
	if logo := s.Publisher.Logo; logo != nil {
		sum := sha256.Sum256(logo)
		named.Publisher.LogoName = hex.EncodeToString(sum[:]) + path.Ext(s.Publisher.LogoName)
		files[path.Join(documents.Dir, named.Publisher.LogoName)] = logo
	}
	reg, err := named.MarshalJSON()
	if err != nil || string(reg) == "{}" { // the directory has none
		return err
	}
	sum := taxonomy.Hash(sha256.Sum256(reg))
	files[documents.SettingsCopy(sum)] = reg
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := p.target.Create(ctx, name, files[name])
		if errors.Is(err, fs.ErrExist) {
			var stored []byte
			if stored, err = readAll(ctx, p.target, name); err == nil && !bytes.Equal(stored, files[name]) {
				err = p.target.Put(ctx, name, files[name]) // it was damaged
			}
		}
		if err != nil {
			return err
		}
	}
	stored, rev, err := p.target.Read(ctx, documents.SettingsFile)
	if err != nil {
		return err
	}
	if !bytes.Equal(stored, reg) {
		if err := p.target.Replace(ctx, documents.SettingsFile, reg, rev); err != nil {
			return err
		}
	}
	if p.index.Register != sum {
		p.index.Register, p.changed = sum, true
	}
	return nil
}

// targetFiles reads the files of a target, such as those that were just published.
type targetFiles struct{ publish.Target }

// TargetFiles returns the files of a target, to be read.
func TargetFiles(t publish.Target) register.Files { return targetFiles{t} }

func (t targetFiles) ReadFile(ctx context.Context, name, tag string, limit int64) ([]byte, string, error) {
	text, rev, err := t.Read(ctx, name)
	switch {
	case err != nil:
		return nil, "", err
	case rev == "":
		return nil, "", fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	case int64(len(text)) > limit:
		return nil, "", fmt.Errorf("%s has more than %d bytes", name, limit)
	case strings.TrimSpace(tag) != "" && tag == string(rev):
		return nil, tag, nil
	}
	return text, string(rev), nil
}
