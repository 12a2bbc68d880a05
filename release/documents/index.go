// Package documents reads and writes the index of the documents that are published in a store.
//
// # Experimental
//
// This package may change in a minor version.
package documents

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// The names of files in a store.
const (
	Dir          = "documents"
	IndexFile    = layout.DocumentsIndex
	SettingsFile = Dir + "/register.json"
)

// The size limits of files in a store.
const (
	MaxIndex    = 256 << 20 // some hundred thousand documents
	MaxDocument = 16 << 20
)

// format is that of documents/index.json that this package reads and writes.
const format = 1

// Index is documents/index.json: what is published. It only grows: what was withdrawn or
// erased remains, so that no address passes to another document.
type Index struct {
	Format int `json:"format"`
	// Sequence is incremented by each change. In a store with a log, a change of [Entry.File] does not
	// count, since the log does not prove it.
	Sequence int64 `json:"sequence"`
	// LogSize is the size of the log of the store that the index follows from, or 0.
	LogSize int64 `json:"log_size,omitzero"`
	// Register is the SHA-256 of documents/register.json, if there is one.
	Register  taxonomy.Hash  `json:"register,omitzero"`
	Documents []Entry        `json:"documents"` // by slug
	Unknown   taxonomy.Extra `json:",embed"`
}

// Entry is one document.
type Entry struct {
	Slug string `json:"slug"`
	ID   string `json:"id"`
	// File is the name of the file that the current edition was published from, for links to its
	// source, or "". Logs do not prove it.
	File string `json:"file,omitempty"`
	// Slugs are earlier ones.
	Slugs    []string      `json:"slugs,omitempty"`
	Editions []Edition     `json:"editions"` // in the order of their publication
	Current  taxonomy.Hash `json:"current"`
	// Sequence is that of the last change of Current or Withdrawn.
	Sequence  int64          `json:"sequence"`
	Withdrawn *Withdrawal    `json:"withdrawn,omitzero"`
	Unknown   taxonomy.Extra `json:",embed"`
}

// Edition is one edition of a document.
type Edition struct {
	Hash     taxonomy.Hash `json:"hash"`
	Time     time.Time     `json:"time"`
	Sequence int64         `json:"sequence"`
	// Slug is the directory of its files if that is not the slug of the document.
	Slug    string         `json:"slug,omitempty"`
	Erased  *Erasure       `json:"erased,omitzero"`
	Unknown taxonomy.Extra `json:",embed"`
}

// Withdrawal says when and why a document was withdrawn.
type Withdrawal struct {
	Time   time.Time `json:"time"`
	Reason string    `json:"reason"`
}

// Erasure says when and why the texts of an edition were deleted.
type Erasure struct {
	Time     time.Time `json:"time"`
	Reason   string    `json:"reason"`
	Sequence int64     `json:"sequence"`
}

// Decode reads documents/index.json; nil is an empty one.
func Decode(text []byte) (*Index, error) {
	x := &Index{Format: format, Documents: []Entry{}}
	if text == nil {
		return x, nil
	}
	var head struct {
		Format int64 `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%s: %w", IndexFile, err)
	}
	switch {
	case head.Format > format:
		return nil, fmt.Errorf("%s: %w: it has format %d, this program reads format %d: update the program", IndexFile, taxonomy.ErrIndexFormat, head.Format, format)
	case head.Format < format:
		return nil, fmt.Errorf("%s: %w: it is older than this program: publish the documents into a new store", IndexFile, taxonomy.ErrIndexFormat)
	}
	if err := json.Unmarshal(text, x); err != nil {
		return nil, fmt.Errorf("%s: %w", IndexFile, err)
	}
	if err := layout.CheckSequence(IndexFile, x.Sequence); err != nil {
		return nil, err
	}
	owners := make(map[string]string) // the ids that slugs belong to
	for _, e := range x.Documents {
		if !ident.IsSlug(e.Slug) || e.ID == "" || e.Edition(e.Current) == nil {
			return nil, fmt.Errorf("%s: the entry %q is incomplete: restore the file", IndexFile, e.Slug)
		}
		for _, slug := range append([]string{e.Slug}, e.Slugs...) {
			if owner, claimed := owners[slug]; claimed {
				return nil, fmt.Errorf("%s: the slug %s belongs to %q and to %q: restore the file", IndexFile, slug, owner, e.ID)
			}
			owners[slug] = e.ID
		}
	}
	return x, nil
}

// Encode returns the index as canonical JSON, by slug.
func (x *Index) Encode() ([]byte, error) {
	sorted := *x
	sorted.Format, sorted.Documents = format, slices.Clone(x.Documents)
	slices.SortFunc(sorted.Documents, func(a, b Entry) int { return strings.Compare(a.Slug, b.Slug) })
	return document.MarshalCanonical(&sorted)
}

// Edition returns the edition with a hash, or nil.
func (e *Entry) Edition(h taxonomy.Hash) *Edition {
	if i := slices.IndexFunc(e.Editions, func(known Edition) bool { return known.Hash == h }); i >= 0 {
		return &e.Editions[i]
	}
	return nil
}

// Files returns the names of the files of an edition: as its author wrote it, and resolved.
func (e *Entry) Files(edition *Edition) (thin, resolved string) {
	name := path.Join(Dir, cmp.Or(edition.Slug, e.Slug), hex.EncodeToString(edition.Hash[:]))
	return name + ".json", name + ".resolved.json"
}

// Logged returns the documents as a log knows them.
func (x *Index) Logged() []signedlog.Document {
	list := make([]signedlog.Document, len(x.Documents))
	for i, e := range x.Documents {
		d := signedlog.Document{ID: signedlog.DocumentHash(e.ID), Slug: e.Slug, Slugs: e.Slugs, Current: e.Current, Withdrawn: e.Withdrawn != nil}
		for _, edition := range e.Editions {
			d.Editions = append(d.Editions, signedlog.Edition{Hash: edition.Hash, Erased: edition.Erased != nil, Time: edition.Time})
		}
		list[i] = d
	}
	return list
}

// CheckNext returns an error if an index can't follow this one: a reader does not go back.
func (x *Index) CheckNext(next *Index) error {
	switch {
	case next.Sequence < x.Sequence:
		return fmt.Errorf("%s has the sequence %d, but %d was read before: it is an old copy, and is ignored", IndexFile, next.Sequence, x.Sequence)
	case next.Sequence == x.Sequence && x.Sequence > 0 && !x.proven().Equal(next.proven()):
		return fmt.Errorf("%s has other content with the same sequence %d, and is ignored", IndexFile, x.Sequence)
	}
	known, owners := make(map[string]bool, len(next.Documents)), next.Owners()
	for _, e := range next.Documents {
		known[e.ID] = true
	}
	for _, e := range x.Documents {
		if !known[e.ID] {
			return fmt.Errorf("%s does not list %s any more, although documents are only withdrawn: it is ignored", IndexFile, e.Slug)
		}
		for _, slug := range append([]string{e.Slug}, e.Slugs...) {
			if owner, claimed := owners[slug]; claimed && owner != e.ID {
				return fmt.Errorf("%s gives the slug %s of the document %s to %s: it is ignored", IndexFile, slug, wording.Clip(e.ID), wording.Clip(owner))
			}
		}
	}
	return nil
}

// proven returns what changes the sequence: all but the names of files that documents were published
// from, and the size that the log had when these were written.
func (x *Index) proven() *Index {
	proven := *x
	proven.LogSize, proven.Documents = 0, slices.Clone(x.Documents)
	for i := range proven.Documents {
		proven.Documents[i].File = ""
	}
	return &proven
}

// CheckGrowth returns an error that wraps [layout.ErrSequence] if the sequence of the next index has
// grown by more than the log that proves both.
func (x *Index) CheckGrowth(next *Index) error {
	return layout.CheckGrowth(IndexFile, layout.Count{Sequence: x.Sequence, LogSize: x.LogSize}, layout.Count{Sequence: next.Sequence, LogSize: next.LogSize})
}

// Owners returns the ids of the documents that slugs belong to, including earlier slugs.
func (x *Index) Owners() map[string]string {
	owners := make(map[string]string, len(x.Documents))
	for _, e := range x.Documents {
		for _, slug := range append([]string{e.Slug}, e.Slugs...) {
			owners[slug] = e.ID
		}
	}
	return owners
}

// Equal reports whether two indexes have the same content.
func (x *Index) Equal(other *Index) bool {
	mine, err := x.Encode()
	theirs, otherErr := other.Encode()
	return err == nil && otherErr == nil && bytes.Equal(mine, theirs)
}

// SettingsCopy returns the name of a copy of documents/register.json by its SHA-256, for readers of an
// index that is older than that file.
func SettingsCopy(h taxonomy.Hash) string { return path.Join(Dir, hex.EncodeToString(h[:])+".json") }
