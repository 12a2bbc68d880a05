package register

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/release/layout"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/trust"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// The names of published documents in a store.
const (
	publishedDir   = "documents"
	indexName      = layout.DocumentsIndex
	registerName   = publishedDir + "/register.json"
	resolvedSuffix = ".resolved.json"
	thinSuffix     = ".json"
)

// indexFormat is the format of documents/index.json that this program reads and writes.
const indexFormat = 1

// index is documents/index.json: what is published. It only grows: what was withdrawn or
// erased remains, so that no address passes to another document.
type index struct {
	Format int `json:"format"`
	// Sequence is one greater with each change.
	Sequence int64 `json:"sequence"`
	// LogSize is the size of the log of the store that the index follows from, or 0.
	LogSize int64 `json:"log_size,omitzero"`
	// Register is the SHA-256 of documents/register.json, if there is one.
	Register  taxonomy.Hash  `json:"register,omitzero"`
	Documents []indexEntry   `json:"documents"` // by slug
	Unknown   jsontext.Value `json:",embed"`

	owners map[string]string // the ids that slugs belong to
}

// indexEntry is one document.
type indexEntry struct {
	Slug string `json:"slug"`
	ID   string `json:"id"`
	// Slugs are earlier ones.
	Slugs    []string       `json:"slugs,omitempty"`
	Editions []indexEdition `json:"editions"` // in the order of their publication
	Current  taxonomy.Hash  `json:"current"`
	// Sequence is that of the last change of Current or Withdrawn.
	Sequence  int64          `json:"sequence"`
	Withdrawn *Withdrawal    `json:"withdrawn,omitzero"`
	Unknown   jsontext.Value `json:",embed"`
}

// indexEdition is one edition.
type indexEdition struct {
	Hash     taxonomy.Hash `json:"hash"`
	Time     time.Time     `json:"time"`
	Sequence int64         `json:"sequence"`
	// Slug is the directory of its files if that is not the slug of the document.
	Slug    string         `json:"slug,omitempty"`
	Erased  *indexErasure  `json:"erased,omitzero"`
	Unknown jsontext.Value `json:",embed"`
}

type indexErasure struct {
	Erasure
	Sequence int64 `json:"sequence"`
}

// decodeIndex reads documents/index.json; nil is an empty one.
func decodeIndex(text []byte) (*index, error) {
	x := &index{Format: indexFormat, Documents: []indexEntry{}, owners: make(map[string]string)}
	if text == nil {
		return x, nil
	}
	var head struct {
		Format int64 `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%s: %w", indexName, err)
	}
	if head.Format > indexFormat {
		return nil, fmt.Errorf("%s: %w: it has format %d, this program reads format %d", indexName, taxonomy.ErrIndexFormat, head.Format, indexFormat)
	}
	if err := json.Unmarshal(text, x); err != nil {
		return nil, fmt.Errorf("%s: %w", indexName, err)
	}
	for _, e := range x.Documents {
		if !ident.IsSlug(e.Slug) || e.ID == "" || e.edition(e.Current) == nil {
			return nil, fmt.Errorf("%s: the entry %q is incomplete: restore the file", indexName, e.Slug)
		}
		for _, slug := range append([]string{e.Slug}, e.Slugs...) {
			if owner, taken := x.owners[slug]; taken {
				return nil, fmt.Errorf("%s: the slug %s belongs to %q and to %q: restore the file", indexName, slug, owner, e.ID)
			}
			x.owners[slug] = e.ID
		}
	}
	return x, nil
}

func (x *index) encode() ([]byte, error) {
	x.Format = indexFormat
	slices.SortFunc(x.Documents, func(a, b indexEntry) int { return strings.Compare(a.Slug, b.Slug) })
	return document.MarshalCanonical(x)
}

func (e *indexEntry) edition(h taxonomy.Hash) *indexEdition {
	if i := slices.IndexFunc(e.Editions, func(known indexEdition) bool { return known.Hash == h }); i >= 0 {
		return &e.Editions[i]
	}
	return nil
}

// file returns the name of the file of an edition in a form.
func (e *indexEntry) file(edition *indexEdition, form Form) string {
	dir := edition.Slug
	if dir == "" {
		dir = e.Slug
	}
	suffix := thinSuffix
	if form == Resolved {
		suffix = resolvedSuffix
	}
	return path.Join(publishedDir, dir, hex.EncodeToString(edition.Hash[:])+suffix)
}

// logged returns the documents as a log knows them.
func (x *index) logged() []signedlog.Document {
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

// checkNext returns an error if an index can't follow another: a reader does not go back.
func (x *index) checkNext(next *index) error {
	switch {
	case next.Sequence < x.Sequence:
		return fmt.Errorf("%s has the sequence %d, but %d was read before: it is an old copy, and is ignored", indexName, next.Sequence, x.Sequence)
	case next.Sequence == x.Sequence && x.Sequence > 0:
		return fmt.Errorf("%s has other content with the same sequence %d, and is ignored", indexName, x.Sequence)
	}
	known := make(map[string]bool, len(next.Documents))
	for _, e := range next.Documents {
		known[e.ID] = true
	}
	for _, e := range x.Documents {
		if !known[e.ID] {
			return fmt.Errorf("%s does not list %s any more, although documents are only withdrawn: it is ignored", indexName, e.Slug)
		}
	}
	return nil
}

// events returns all changes that an index tells of, in order.
func (x *index) events() (list []Event) {
	for _, e := range x.Documents {
		last := int64(0)
		for _, edition := range e.Editions {
			list = append(list, Event{edition.Sequence, Published, e.Slug, edition.Hash})
			last = max(last, edition.Sequence)
			if edition.Erased != nil {
				list = append(list, Event{edition.Erased.Sequence, Erased, e.Slug, edition.Hash})
			}
		}
		switch {
		case e.Withdrawn != nil:
			list = append(list, Event{e.Sequence, Withdrawn, e.Slug, e.Current})
		case e.Sequence > last:
			list = append(list, Event{e.Sequence, Published, e.Slug, e.Current})
		}
	}
	slices.SortStableFunc(list, func(a, b Event) int { return int(a.Sequence - b.Sequence) })
	return list
}

// Files reads the files of a store besides its releases, such as published documents.
type Files interface {
	// ReadFile returns a file of at most limit bytes, and a tag that changes with
	// its content. If the tag is the given one, text is nil. It wraps
	// [fs.ErrNotExist] if there is no such file.
	ReadFile(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error)
}

// verifier is implemented by [Files] of a store that is verified by its log.
type verifier interface {
	// CheckDocuments returns an error unless the log proves an index of documents.
	CheckDocuments(ctx context.Context, size int64, list []signedlog.Document, reg taxonomy.Hash) error
	// ConfirmDocuments returns an error if the log has had more than the last index that was
	// checked for too long.
	ConfirmDocuments(ctx context.Context) error
	// MissingDocuments returns an error if there must be an index, else why there is none.
	MissingDocuments(ctx context.Context, why error) error
}

// Stored is the origin of the documents that were published into a store, which has a
// name for messages.
func Stored(name string, files Files) Origin {
	return &stored{name: name, files: files, judged: make(map[taxonomy.Hash]*judged)}
}

type stored struct {
	name  string
	files Files

	tag      string
	index    *index
	settings *Settings
	wrong    error                     // why the settings can't be used
	judged   map[taxonomy.Hash]*judged // the current editions
	refused  map[taxonomy.Hash]Refusal
	versions *taxonomy.Index // by which they were judged
}

func (s *stored) String() string { return s.name }

func (s *stored) close() error { return nil }

// maxIndex is the size limit of documents/index.json: some hundred thousand documents.
const maxIndex = 256 << 20

// storedReaders is how many documents are read at a time: a bucket answers each slowly.
const storedReaders = 32

func (s *stored) load(ctx context.Context, j *judge, last *collection) (*collection, error) {
	versions, err := j.service.Versions(ctx)
	if err != nil {
		return nil, err
	}
	text, tag, err := s.files.ReadFile(ctx, indexName, s.tag, maxIndex)
	next := s.index
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if log, ok := s.files.(verifier); ok {
			err = log.MissingDocuments(ctx, err)
		}
		switch {
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: %w", s.name, err)
		case next == nil:
			next = new(index)
		case next.Sequence > 0:
			return nil, fmt.Errorf("%s: %s is missing", s.name, indexName)
		}
	case err != nil:
		return nil, err
	case text != nil:
		if next, err = decodeIndex(text); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		if s.index != nil && s.index.Sequence == next.Sequence && sameIndex(s.index, next) {
			next = s.index
		} else if err := s.accept(ctx, next); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if log, ok := s.files.(verifier); ok && next == s.index && err == nil {
		if err := log.ConfirmDocuments(ctx); err != nil {
			return nil, fmt.Errorf("%s: %s is refused: %w", s.name, indexName, err)
		}
	}
	var trouble error // of some documents
	if files, ok := s.files.(interface{ Trouble() error }); ok {
		if trouble = files.Trouble(); trouble != nil {
			trouble = fmt.Errorf("%s: %w", s.name, trouble)
		}
	}
	if last != nil && next == s.index && versions.Equal(s.versions) {
		s.tag = tag
		return last, trouble
	}
	settings := s.settings
	if s.index == nil || next.Register != s.index.Register {
		// A register without its settings is better than none.
		if settings, s.wrong = s.readSettings(ctx, next.Register); s.wrong != nil {
			settings = s.settings
		}
	}
	if err := s.read(ctx, j, next, settings, versions); err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	s.tag, s.index, s.settings, s.versions = tag, next, settings, versions
	return s.collect(), trouble
}

// accept returns an error if an index can't follow the last one or, if the store is verified by
// its log, if the log does not prove it.
func (s *stored) accept(ctx context.Context, next *index) error {
	var err error
	if s.index != nil {
		err = s.index.checkNext(next)
	}
	if log, ok := s.files.(verifier); ok {
		if wrong := log.CheckDocuments(ctx, next.LogSize, next.logged(), next.Register); wrong != nil {
			err = fmt.Errorf("%s is refused: %w", indexName, wrong)
		}
	}
	return err
}

// sameIndex reports whether two indexes say the same.
func sameIndex(a, b *index) bool {
	first, err := a.encode()
	second, otherErr := b.encode()
	return err == nil && otherErr == nil && bytes.Equal(first, second)
}

// read reads and judges the current editions that are not known yet.
func (s *stored) read(ctx context.Context, j *judge, next *index, settings *Settings, versions *taxonomy.Index) error {
	type result struct {
		d       *judged
		refused Refusal
	}
	results := make([]result, len(next.Documents))
	err := parallel.Each(ctx, storedReaders, len(next.Documents), func(_, i int) error {
		e := &next.Documents[i]
		edition := e.edition(e.Current)
		if edition.Erased != nil {
			results[i].d = &judged{id: e.ID, Content: new(Content), hash: e.Current}
			return nil
		}
		if known := s.judged[e.Current]; known != nil && settings == s.settings {
			if now, _ := versions.Lookup(known.Version.Ref()); now.ContentHash == known.release {
				results[i].d = known
				return nil
			}
		}
		d, refused, err := s.readOne(ctx, j, e, edition, settings)
		results[i] = result{d, refused}
		return err
	})
	if err != nil {
		for _, r := range results {
			if r.d != nil && r.d.text != nil {
				s.judged[r.d.hash] = r.d // which is not read again
			}
		}
		return err
	}
	s.judged, s.refused = make(map[taxonomy.Hash]*judged, len(results)), make(map[taxonomy.Hash]Refusal)
	for i, r := range results {
		h := next.Documents[i].Current
		s.judged[h] = r.d
		if r.refused.Issues != nil {
			s.refused[h] = r.refused
		}
	}
	return nil
}

// readOne reads and judges one edition: as its author wrote it or, if its schema version is
// not published any more, or was changed so that it does not fit, resolved.
func (s *stored) readOne(ctx context.Context, j *judge, e *indexEntry, edition *indexEdition, settings *Settings) (*judged, Refusal, error) {
	at := storedText{s.files, e.file(edition, Thin), e.file(edition, Resolved), edition.Hash}
	var refused Refusal
	for _, form := range []Form{Thin, Resolved} {
		text, err := at.read(ctx, j, form)
		if damaged := new(damagedError); errors.As(err, &damaged) || errors.Is(err, fs.ErrNotExist) {
			refused = Refusal{File: at.name(form), ID: e.ID, Issues: issue.Issues{unusable(at.name(form), err.Error(), "publish the document again")}}
			continue
		}
		if err != nil {
			return nil, refused, err
		}
		d, issues, err := j.judge(ctx, text, settings)
		if err == nil && len(issues) > 0 && form == Resolved {
			if d, changed, snapshotErr := j.judgeSnapshot(ctx, text, settings); snapshotErr == nil && len(changed) == 0 {
				d.text = nil
				return d, Refusal{}, nil
			}
		}
		if err != nil {
			return nil, refused, err
		}
		if len(issues) == 0 {
			if form == Resolved {
				d.text = nil // which is not what its author wrote
			}
			return d, Refusal{}, nil
		}
		refused = Refusal{File: at.name(form), ID: e.ID, Issues: issues}
	}
	return nil, refused, nil
}

// collect makes records of the index.
func (s *stored) collect() *collection {
	c := &collection{settings: s.settings, sequence: s.index.Sequence, events: s.index.events()}
	if s.wrong != nil {
		c.refused = append(c.refused, Refusal{File: registerName, Issues: issue.Issues{unusable(registerName, s.wrong.Error(), "publish the documents again")}})
	}
	if files, ok := s.files.(interface{ Refused() []Refusal }); ok {
		c.refused = append(c.refused, files.Refused()...)
	}
	for i := range s.index.Documents {
		e := &s.index.Documents[i]
		if refused, ok := s.refused[e.Current]; ok {
			c.refused = append(c.refused, refused)
		}
		d := s.judged[e.Current]
		if d == nil {
			d = &judged{id: e.ID, Content: new(Content), hash: e.Current}
		}
		named := *d
		named.slug = e.Slug
		r := &record{candidates: []candidate{{&named, e.Slug}}, slugs: e.Slugs, withdrawn: e.Withdrawn}
		for k := range slices.Backward(e.Editions) {
			edition := &e.Editions[k]
			one := Edition{Hash: edition.Hash, Time: edition.Time}
			switch {
			case edition.Erased != nil:
				one.Erased = &edition.Erased.Erasure
			default:
				one.text = storedText{s.files, e.file(edition, Thin), e.file(edition, Resolved), edition.Hash}
			}
			if one.Erased == nil && one.Hash == d.hash && d.text != nil {
				one.text = keptText{heldText{d.text, d.by}, one.text}
			}
			r.editions = append(r.editions, one)
		}
		c.records = append(c.records, r)
	}
	return c
}

// storedText is the text of an edition in a store.
type storedText struct {
	files          Files
	thin, resolved string
	hash           taxonomy.Hash
}

func (t storedText) name(form Form) string {
	if form == Resolved {
		return t.resolved
	}
	return t.thin
}

// keptText is a text in memory that is also in a store: it can be shown while the store
// can't be reached.
type keptText struct {
	kept heldText
	text
}

func (t keptText) read(ctx context.Context, j *judge, form Form) ([]byte, error) {
	if form == Thin {
		return t.kept.read(ctx, j, form)
	}
	text, err := t.text.read(ctx, j, form)
	if err != nil {
		if kept, keptErr := t.kept.read(ctx, j, form); keptErr == nil {
			return kept, nil
		}
	}
	return text, err
}

// damagedError means that a file is not what the index says.
type damagedError struct{ err error }

func (e *damagedError) Error() string { return e.err.Error() }

// read reads an edition and checks it by its hash.
func (t storedText) read(ctx context.Context, _ *judge, form Form) ([]byte, error) {
	text, _, err := t.files.ReadFile(ctx, t.name(form), "", maxDocument)
	if err != nil {
		return nil, err
	}
	doc, err := document.Parse(text)
	switch {
	case err != nil:
		return nil, &damagedError{fmt.Errorf("it is damaged: %w", err)}
	case trust.EditionHash(doc) != t.hash:
		return nil, &damagedError{errors.New("it has other content than the index says")}
	}
	return text, nil
}

// readSettings reads documents/register.json, which has the hash.
func (s *stored) readSettings(ctx context.Context, h taxonomy.Hash) (*Settings, error) {
	if h.IsZero() {
		return nil, nil //nolint:nilnil // it is optional
	}
	text, _, err := s.files.ReadFile(ctx, registerName, "", maxSettings)
	if err != nil {
		return nil, err
	}
	if other := taxonomy.Hash(sha256.Sum256(text)) != h; other {
		// It is newer than the index, if it is just being published or if the publisher
		// died. Then there is a copy, unless it was written by an old program. A verified
		// store must have what its log has.
		kept, _, err := s.files.ReadFile(ctx, path.Join(publishedDir, hex.EncodeToString(h[:])+settingsExt), "", maxSettings)
		if err == nil && taxonomy.Hash(sha256.Sum256(kept)) == h {
			text, other = kept, false
		}
		if log, ok := s.files.(interface{ Checkpoint() []byte }); ok && log.Checkpoint() != nil && other {
			return nil, fmt.Errorf("%s does not have the hash that the index names: publish again", registerName)
		}
	}
	settings, err := decodeSettings(text, func(name string) ([]byte, error) {
		content, _, err := s.files.ReadFile(ctx, path.Join(publishedDir, path.Base(name)), "", maxSettingsFile)
		if sum := sha256.Sum256(content); err == nil && !strings.HasPrefix(name, hex.EncodeToString(sum[:])) {
			err = fmt.Errorf("%s is damaged: publish again", name)
		}
		return content, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", registerName, err)
	}
	return settings, nil
}
