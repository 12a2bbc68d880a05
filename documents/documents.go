// Package documents opens a public register of datachain documents: which are published, at
// which address, in which editions.
//
// A [Register] reads documents from its origins, such as a directory that is edited or a
// store that they were published into, and judges them. What is invalid is not published;
// [Register.Refused] says why, and the last good edition remains. [Register.Find] searches and
// filters them. The handlers in adapters/httpapi, adapters/mcp and adapters/explorer show a
// register, with lists, search, history and feeds: it is their option Documents.
//
// The command datachain publishes documents into stores, withdraws and erases them.
package documents

import (
	"context"
	"fmt"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/registers"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Register keeps the documents of its origins up to date. It is safe for concurrent use.
// Make one with [New].
type Register registers.Register

// Options configure a [Register]. The zero value and nil are the defaults.
type Options struct {
	// Refresh is how often the origins are checked for changes; 0 means a second,
	// and a negative value that they are read once. If checking takes long, it is
	// done less often.
	Refresh time.Duration
	// AllowUnreadable lets New succeed although an origin can't be read yet: what
	// it has appears later.
	AllowUnreadable bool
	// Report is called with errors of origins, which otherwise keep their last
	// good documents, and with nil when an origin can be read again. It must not
	// block.
	Report func(Origin, error)
}

// New reads the documents of some origins and keeps them up to date until Close. It
// fails if an origin can't be read. If several origins have the same document, that of
// the first one is shown.
func New(service *datachain.Service, origins []Origin, o *Options) (*Register, error) {
	var with registers.Options
	if o != nil {
		with = registers.Options{Refresh: o.Refresh, AllowUnreadable: o.AllowUnreadable, Report: o.Report}
	}
	r, err := registers.New(service, origins, &with)
	return (*Register)(r), err
}

// Origin is where documents come from: a [Directory], or what a store has [Stored]. Its
// method String names it in messages.
type Origin = registers.Origin

// DirectoryOptions configure [Directory]. The zero value and nil are the defaults.
type DirectoryOptions struct {
	// Names are the slash-separated names of the files to read; nil means all.
	Names []string
}

// Directory is the origin of the documents in a directory: every .json file in it and
// below, thin or resolved, as it is now. Names that begin with a period or an underscore
// are drafts. Links that lead out of the directory are not followed. The file register.yaml
// has the settings of the register.
//
// What is shown depends on the files alone: a document has the editions that files have,
// and one whose files are removed is not found any more. Publish documents into a store
// to keep their history.
func Directory(dir string, o *DirectoryOptions) (Origin, error) {
	var with registers.DirectoryOptions
	if o != nil {
		with = registers.DirectoryOptions(*o)
	}
	return registers.Directory(dir, &with)
}

// Stored is the origin of the documents that were published into a store, with a name for
// messages. It fails if the store can't have documents: those of adapters/fsstore and
// adapters/s3store can.
func Stored(name string, store taxonomy.Store) (Origin, error) {
	files, ok := store.(registers.Files)
	if !ok {
		return nil, fmt.Errorf("documents: %s can't have documents: use a directory or a bucket", name)
	}
	return registers.Stored(name, files), nil
}

// Close stops checking the origins. What was read remains usable.
func (r *Register) Close() error { return r.register().Close() }

func (r *Register) register() *registers.Register { return (*registers.Register)(r) }

// Document is a document as a register shows it now. If it is gone and its current edition
// was erased, only the slug, the id and the time are known.
type Document struct {
	// Slug is the name of the document in addresses, and ID its own id.
	Slug, ID           string
	Title, Description taxonomy.Localized
	// Version is the schema version that the document pins.
	Version taxonomy.Version
	// Edition is the current edition: the SHA-256 of its content.
	Edition taxonomy.Hash
	// Changed is when the edition was published. In a directory, it is when the document
	// says that it was updated or else created; if a file is changed without saying so
	// while the register is open, it is when that was noticed. If the document is gone, it
	// is the time of that.
	Changed time.Time
	// Gone means that the document was withdrawn or erased. Its address remains.
	Gone bool
}

func newDocument(d *registers.Document) Document {
	return Document{
		Slug: d.Slug, ID: d.ID, Title: d.Title, Description: d.Description, Version: d.Version,
		Edition: d.Current, Changed: d.Changed(), Gone: d.Gone(),
	}
}

// Documents returns all documents that have or had an address, by slug.
func (r *Register) Documents() []Document {
	state := r.register().State().Documents()
	list := make([]Document, len(state))
	for i, d := range state {
		list[i] = newDocument(d)
	}
	return list
}

// Document returns the document with a slug, which may be an earlier one of it.
func (r *Register) Document(slug string) (Document, bool) {
	d, ok := r.register().State().Document(slug)
	if !ok {
		return Document{}, false
	}
	return newDocument(d), true
}

// Query selects documents of a [Register]. The zero value selects all that are published,
// except for those of retired systems.
type Query struct {
	// Text is words that people look for. They are looked up in titles, in the
	// documents' own words, in the names of organisations and places, and in the
	// titles and keywords of elements, as are their synonyms. Empty means all
	// documents.
	Text string
	// Values are the allowed values of fields; a document that has one of them is
	// selected. Without a status, all documents but retired ones are.
	Values map[Field][]string
	// Sort is the order; empty means [ByRelevance].
	Sort Sort
	// Locale is the language of the words; see [Register.Languages]. Empty means the
	// first.
	Locale string
}

// Field is a property of documents that a [Query] can filter by.
type Field = registers.Field

// The fields of a [Query].
const (
	ByType         = registers.ByType         // the datachain type, such as ai
	ByStatus       = registers.ByStatus       // planned, trial, in_use, paused or retired
	ByOrganisation = registers.ByOrganisation // its id, or its name in any language
	ByTheme        = registers.ByTheme        // its name in any language
	ByData         = registers.ByData         // the context value of the data in the summary
	ByRisk         = registers.ByRisk         // that of the risk
	ByElement      = registers.ByElement      // the id of an element that is placed
	ByPlace        = registers.ByPlace        // its name in any language
)

// Sort is the order of the documents that a [Query] selects.
type Sort = registers.Sort

// The orders of a [Query].
const (
	ByRelevance = registers.ByRelevance // the best match first; without words it is ByChange
	ByChange    = registers.ByChange    // the newest edition first
	ByTitle     = registers.ByTitle     // as people of the language sort titles
)

// Find returns the documents that a query selects, in order. It fails with a
// [datachain.Error] if the query is malformed.
func (r *Register) Find(q Query) ([]Document, error) {
	found, err := r.register().State().Find(registers.Query(q))
	if err != nil {
		return nil, err
	}
	list := make([]Document, found.Len())
	for i, d := range found.All() {
		list[i] = newDocument(d)
	}
	return list, nil
}

// Languages returns the languages of the register, the one to use if no other is asked for
// first: those of register.yaml, or those of the documents, beginning with the one that most
// of them have first in their titles.
func (r *Register) Languages() []string { return r.register().State().Languages() }

// Title returns the title of the register in register.yaml, or nil.
func (r *Register) Title() taxonomy.Localized { return r.register().State().Settings().Title }

// Text returns the current edition of the document with a slug, as its author wrote it, or
// resolved: with a snapshot of its schema version. It wraps [taxonomy.ErrNotFound] if there
// is no such document or it was erased.
func (r *Register) Text(ctx context.Context, slug string, resolved bool) ([]byte, error) {
	d, ok := r.register().State().Document(slug)
	if !ok {
		return nil, fmt.Errorf("documents: document %q: %w", slug, taxonomy.ErrNotFound)
	}
	form := registers.Thin
	if resolved {
		form = registers.Resolved
	}
	return r.register().Text(ctx, d, d.Current, form)
}

// Refusal is a document that is not published, and why.
type Refusal struct {
	// File is the path of the document in its origin.
	File string
	// ID is that of the document, or "" if it can't be read.
	ID string
	// Issues are what is wrong with it.
	Issues issue.Issues
}

// Refused returns what is not published, and why.
func (r *Register) Refused() []Refusal {
	var list []Refusal
	for _, refused := range r.register().State().Refused() {
		list = append(list, Refusal(refused))
	}
	return list
}
