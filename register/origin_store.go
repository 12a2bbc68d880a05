package register

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/release/documents"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// eventsOf returns all changes that an index records, in order.
func eventsOf(x *documents.Index) (list []Event) {
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

// Verifier verifies the index of the documents of a store. That of package release/trust/follow does so by
// the signed log of the store.
type Verifier interface {
	// CheckDocuments returns an error unless the log proves an index of documents.
	CheckDocuments(ctx context.Context, index []byte) error
	// ConfirmDocuments returns an error if the log has had changes for too long that the
	// last checked index lacks.
	ConfirmDocuments(ctx context.Context) error
	// MissingDocuments returns an error if there must be an index, else why there is none.
	MissingDocuments(ctx context.Context, why error) error
	// Checkpoint returns the last good checkpoint of the log, or nil if there is none. With one,
	// sequences of indexes are not compared.
	Checkpoint() []byte
}

// Stored is the origin of the documents that were published into a store, with a name for
// messages. The stores of adapters/fsstore and adapters/s3store are [Files]. The verifier is that of
// the store, or nil to trust whoever can write to it.
func Stored(name string, files Files, v Verifier) Origin {
	return &storedOrigin{name: name, files: files, verifier: v}
}

type storedOrigin struct {
	name     string
	files    Files
	verifier Verifier // nil for none

	// The last good index, its tag and what it lists.
	tag     string
	index   *documents.Index
	listing *Listing

	settingsErr error // why the settings can't be used
	sequenceErr error // about the sequence of the index
}

// publishedIndex is what a store has published.
type publishedIndex struct {
	index *documents.Index
	files Files
	// onRead is called after the current editions were read.
	onRead func()
}

func (s *storedOrigin) String() string { return s.name }

// List returns the index, once it was verified. Until its editions could be read, it is listed again.
func (s *storedOrigin) List(ctx context.Context) (*Listing, error) {
	text, tag, err := s.files.ReadFile(ctx, documents.IndexFile, s.tag, documents.MaxIndex)
	next := s.index
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if s.verifier != nil {
			err = s.verifier.MissingDocuments(ctx, err)
		}
		switch {
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("%s: %w", s.name, err)
		case next == nil:
			next = new(documents.Index)
		case next.Sequence > 0:
			return nil, fmt.Errorf("%s: %s is missing", s.name, documents.IndexFile)
		}
	case err != nil:
		return nil, err
	case text != nil:
		if next, err = documents.Decode(text); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		if s.index != nil && s.index.Sequence == next.Sequence && s.index.Equal(next) {
			next = s.index
		} else if err := s.accept(ctx, next, text); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if s.verifier != nil && next == s.index && err == nil {
		if err := s.verifier.ConfirmDocuments(ctx); err != nil {
			return nil, fmt.Errorf("%s: %s is refused: %w", s.name, documents.IndexFile, err)
		}
	}
	doubt := s.sequenceErr // about documents that are shown
	if files, ok := s.files.(interface{ Incomplete() error }); ok {
		doubt = files.Incomplete()
	}
	if doubt != nil {
		doubt = fmt.Errorf("%s: %w", s.name, doubt)
	}
	if s.listing != nil && next == s.index {
		s.tag = tag
		return s.listing, doubt
	}
	var settings *Settings
	if s.listing != nil {
		settings = s.listing.settings
	}
	if s.index == nil || next.Register != s.index.Register {
		// A register without its settings is better than none.
		var read *Settings
		if read, s.settingsErr = s.readSettings(ctx, next.Register); s.settingsErr == nil {
			settings = read
		}
	}
	l := &Listing{settings: settings, published: &publishedIndex{index: next, files: s.files}}
	if s.settingsErr != nil {
		l.refused = []Refusal{{File: documents.SettingsFile, Issues: issue.Issues{unusable(documents.SettingsFile, s.settingsErr.Error(), "publish the documents again")}}}
	}
	l.published.onRead = func() { s.tag, s.index, s.listing = tag, next, l }
	return l, doubt
}

// accept returns an error if an index can't follow the last one or, if the store is verified by
// its log, if the log does not prove it.
func (s *storedOrigin) accept(ctx context.Context, next *documents.Index, text []byte) error {
	if s.verifier != nil {
		if err := s.verifier.CheckDocuments(ctx, text); err != nil {
			return fmt.Errorf("%s is refused: %w", documents.IndexFile, err)
		}
	}
	switch {
	case s.index == nil:
		return nil
	case !s.proven():
		return s.index.CheckNext(next)
	}
	s.sequenceErr = s.index.CheckGrowth(next)
	return nil
}

// proven reports whether the log of the store proves its index. Sequences are not in the log.
func (s *storedOrigin) proven() bool { return s.verifier != nil && s.verifier.Checkpoint() != nil }

// storedReaders is how many documents are read at a time: a bucket answers each slowly.
const storedReaders = 32

// storedEditions are the current editions of the documents of a store, as they were last read.
type storedEditions struct {
	validated map[taxonomy.Hash]*validDocument
	refused   map[taxonomy.Hash]Refusal
	settings  *Settings
	listing   *Listing
	versions  *taxonomy.Index // by which they were validated
}

// load reads and validates the editions that are new, or whose schema version has changed.
func (s *storedEditions) load(ctx context.Context, v *validator, l *Listing, versions *taxonomy.Index, last *collection) (*collection, error) {
	if last != nil && l == s.listing && versions.Equal(s.versions) {
		return last, nil
	}
	if err := s.read(ctx, v, l, versions); err != nil {
		return nil, err
	}
	l.published.onRead()
	s.settings, s.listing, s.versions = l.settings, l, versions
	return s.collect(l), nil
}

// read reads and validates the current editions that are not known yet.
func (s *storedEditions) read(ctx context.Context, v *validator, l *Listing, versions *taxonomy.Index) error {
	next := l.published.index
	type result struct {
		d       *validDocument
		refused Refusal
	}
	results := make([]result, len(next.Documents))
	err := parallel.Each(ctx, storedReaders, len(next.Documents), func(_, i int) error {
		e := &next.Documents[i]
		edition := e.Edition(e.Current)
		if edition.Erased != nil {
			results[i].d = &validDocument{id: e.ID, Content: new(Content), hash: e.Current}
			return nil
		}
		if known := s.validated[e.Current]; known != nil && known.product == nil && l.settings == s.settings {
			if now, _ := versions.Lookup(known.Version.Ref()); now.ContentHash == known.release {
				results[i].d = known
				return nil
			}
		}
		d, refused, err := readOne(ctx, v, l, e, edition)
		results[i] = result{d, refused}
		return err
	})
	if err != nil {
		if s.validated == nil {
			s.validated = make(map[taxonomy.Hash]*validDocument)
		}
		for _, r := range results {
			if r.d != nil && r.d.text != nil {
				s.validated[r.d.hash] = r.d // which is not read again
			}
		}
		return err
	}
	s.validated, s.refused = make(map[taxonomy.Hash]*validDocument, len(results)), make(map[taxonomy.Hash]Refusal)
	for i, r := range results {
		h := next.Documents[i].Current
		s.validated[h] = r.d
		if r.refused.Issues != nil {
			s.refused[h] = r.refused
		}
	}
	return nil
}

// readOne reads and validates one edition: as its author wrote it or, if its schema version is
// not published any more, or was changed so that it does not fit, resolved.
func readOne(ctx context.Context, v *validator, l *Listing, e *documents.Entry, edition *documents.Edition) (*validDocument, Refusal, error) {
	at := newStoredText(l.published.files, e, edition)
	var refused Refusal
	for _, kind := range []TextKind{Thin, Resolved} {
		text, err := at.read(ctx, v, kind)
		if damaged := new(damagedError); errors.As(err, &damaged) || errors.Is(err, fs.ErrNotExist) {
			refused = Refusal{File: at.name(kind), ID: e.ID, Issues: issue.Issues{unusable(at.name(kind), err.Error(), "publish the document again")}}
			continue
		}
		if err != nil {
			return nil, refused, err
		}
		d, issues, err := v.validate(ctx, text, l.settings)
		if d != nil && d.product != nil { // an older program published it
			d.product.File = at.name(kind)
			return d, Refusal{}, nil
		}
		if err == nil && len(issues) > 0 && kind == Resolved {
			if d, changed, snapshotErr := v.validateSnapshot(ctx, text, l.settings); snapshotErr == nil && len(changed) == 0 {
				d.text = nil
				return d, Refusal{}, nil
			}
		}
		if err != nil {
			return nil, refused, err
		}
		if len(issues) == 0 {
			if kind == Resolved {
				d.text = nil // which is not what its author wrote
			}
			return d, Refusal{}, nil
		}
		refused = Refusal{File: at.name(kind), ID: e.ID, Issues: issues}
	}
	return nil, refused, nil
}

// collect makes records of the index.
func (s *storedEditions) collect(l *Listing) *collection {
	x, files := l.published.index, l.published.files
	c := &collection{settings: l.settings, refused: slices.Clone(l.refused), sequence: x.Sequence, events: eventsOf(x)}
	if more, ok := files.(interface{ Refused() []Refusal }); ok {
		c.refused = append(c.refused, more.Refused()...)
	}
	for i := range x.Documents {
		e := &x.Documents[i]
		if refused, ok := s.refused[e.Current]; ok {
			c.refused = append(c.refused, refused)
		}
		d := s.validated[e.Current]
		if d != nil && d.product != nil {
			c.products = append(c.products, *d.product)
			c.events = slices.DeleteFunc(c.events, func(event Event) bool { return event.Slug == e.Slug })
			continue
		}
		if d == nil {
			d = &validDocument{id: e.ID, Content: new(Content), hash: e.Current}
		}
		named := *d
		named.slug = e.Slug
		r := &record{candidates: []candidate{{&named, cmp.Or(e.File, e.Slug)}}, slugs: e.Slugs, withdrawn: (*Withdrawal)(e.Withdrawn)}
		for k := range slices.Backward(e.Editions) {
			edition := &e.Editions[k]
			one := Edition{Hash: edition.Hash, Time: edition.Time}
			switch {
			case edition.Erased != nil:
				one.Erased = &Erasure{edition.Erased.Time, edition.Erased.Reason}
			default:
				one.text = newStoredText(files, e, edition)
			}
			if one.Erased == nil && one.Hash == d.hash && d.text != nil {
				one.text = cachedText{memoryText{d.text, d.validatedBy}, one.text}
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

func newStoredText(files Files, e *documents.Entry, edition *documents.Edition) storedText {
	thin, resolved := e.Files(edition)
	return storedText{files, thin, resolved, edition.Hash}
}

func (t storedText) name(kind TextKind) string {
	if kind == Resolved {
		return t.resolved
	}
	return t.thin
}

// cachedText is a text in memory that is also in a store: it can be shown while the store
// can't be reached.
type cachedText struct {
	kept memoryText
	text
}

func (t cachedText) read(ctx context.Context, v *validator, kind TextKind) ([]byte, error) {
	if kind == Thin {
		return t.kept.read(ctx, v, kind)
	}
	text, err := t.text.read(ctx, v, kind)
	if err != nil {
		if kept, keptErr := t.kept.read(ctx, v, kind); keptErr == nil {
			return kept, nil
		}
	}
	return text, err
}

// damagedError means that a file is not what the index says.
type damagedError struct{ err error }

func (e *damagedError) Error() string { return e.err.Error() }

// read reads an edition and checks it by its hash.
func (t storedText) read(ctx context.Context, _ *validator, kind TextKind) ([]byte, error) {
	text, _, err := t.files.ReadFile(ctx, t.name(kind), "", documents.MaxDocument)
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
func (s *storedOrigin) readSettings(ctx context.Context, h taxonomy.Hash) (*Settings, error) {
	if h.IsZero() {
		return nil, nil //nolint:nilnil // it is optional
	}
	text, _, err := s.files.ReadFile(ctx, documents.SettingsFile, "", maxSettings)
	if err != nil {
		return nil, err
	}
	if other := taxonomy.Hash(sha256.Sum256(text)) != h; other {
		// It is newer than the index while it is being published, or if publishing was
		// interrupted. Then there is a copy, unless an old program wrote it. A verified
		// store must have what its log has.
		kept, _, err := s.files.ReadFile(ctx, documents.SettingsCopy(h), "", maxSettings)
		if err == nil && taxonomy.Hash(sha256.Sum256(kept)) == h {
			text, other = kept, false
		}
		if s.proven() && other {
			return nil, fmt.Errorf("%s does not have the hash that the index names: publish again", documents.SettingsFile)
		}
	}
	settings, err := decodeSettings(text, func(name string) ([]byte, error) {
		content, _, err := s.files.ReadFile(ctx, path.Join(documents.Dir, path.Base(name)), "", maxSettingsFile)
		if sum := sha256.Sum256(content); err == nil && !strings.HasPrefix(name, hex.EncodeToString(sum[:])) {
			err = fmt.Errorf("%s is damaged: publish again", name)
		}
		return content, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", documents.SettingsFile, err)
	}
	return settings, nil
}

// ListStored returns the documents that a store has published or withdrawn, by slug, with their
// editions. Their other fields are empty. The verifier is that of [Stored].
func ListStored(ctx context.Context, files Files, v Verifier) ([]*Document, error) {
	text, _, err := files.ReadFile(ctx, documents.IndexFile, "", documents.MaxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		if v != nil {
			err = v.MissingDocuments(ctx, err)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	if err != nil {
		return nil, err
	}
	x, err := documents.Decode(text)
	if err != nil {
		return nil, err
	}
	s := &storedOrigin{files: files, verifier: v}
	if err := s.accept(ctx, x, text); err != nil {
		return nil, err
	}
	var list []*Document
	for i, r := range new(storedEditions).collect(&Listing{published: &publishedIndex{index: x, files: files}}).records {
		e := &x.Documents[i]
		list = append(list, &Document{Slug: e.Slug, ID: e.ID, Slugs: e.Slugs, Editions: r.editions, Current: e.Current, Withdrawn: (*Withdrawal)(e.Withdrawn), Content: new(Content)})
	}
	return list, nil
}
