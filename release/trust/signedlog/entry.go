package signedlog

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust/internal/refusal"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Op is what an [Entry] does.
type Op string

// The operations, with the fields that their entries have besides op and time. Those in
// brackets can be absent.
const (
	// OpPublish publishes a version, or changes how it is published: version, content_hash,
	// [aliases], [released], [archive].
	OpPublish Op = "publish"
	// OpPromote publishes a stable version with the content of a beta one: those of
	// publish, and from.
	OpPromote Op = "promote"
	// OpRetire retires a version: version, content_hash, [at], [successor], [reason], [ids].
	OpRetire Op = "retire"
	// OpAlias replaces the declared aliases of a version: version, [aliases].
	OpAlias Op = "alias"
	// OpDeprecate replaces the state of a published version: version, [deprecated],
	// [sunset], [successor], [reason]. Without deprecated, it is not deprecated any more.
	OpDeprecate Op = "deprecate"
	// OpEvolution replaces the evolution of a datachain type: type, [evolution].
	OpEvolution Op = "evolution"
	// OpPublishDocument makes an edition the current one of a document: slug, document,
	// edition.
	OpPublishDocument Op = "publish_document"
	// OpWithdrawDocument withdraws a document: slug, document.
	OpWithdrawDocument Op = "withdraw_document"
	// OpEraseDocument records that the text of an edition was erased: slug, document,
	// edition.
	OpEraseDocument Op = "erase_document"
	// OpRegister replaces the settings of the register: register.
	OpRegister Op = "register"
	// OpKey introduces a key that signs checkpoints: key, [note].
	OpKey Op = "key"
)

// Entry is an entry of a log. Which fields it has depends on its [Op].
type Entry struct {
	Op Op `json:"op"`
	// Time is that of the publisher's clock, in UTC and whole seconds. It proves nothing
	// by itself.
	Time time.Time `json:"time"`

	// Version is the version that the entry is about.
	Version     taxonomy.Version `json:"version,omitzero"`
	ContentHash taxonomy.Hash    `json:"content_hash,omitzero"`
	// Aliases are those that the version declares, in order.
	Aliases []string `json:"aliases,omitempty"`
	// Released is as in [taxonomy.Entry], and so is Archive.
	Released string        `json:"released,omitempty"`
	Archive  taxonomy.Hash `json:"archive,omitzero"`
	// From is the beta version that was promoted.
	From taxonomy.Version `json:"from,omitzero"`

	// At is the day on which a version was retired, as in [taxonomy.RetiredVersion].
	At string `json:"at,omitempty"`
	// IDs is that of [taxonomy.RetiredVersion].
	IDs taxonomy.Hash `json:"ids,omitzero"`
	// Deprecated and Sunset are dates, as in [taxonomy.State].
	Deprecated string           `json:"deprecated,omitempty"`
	Sunset     string           `json:"sunset,omitempty"`
	Successor  taxonomy.Version `json:"successor,omitzero"`
	Reason     string           `json:"reason,omitempty"`

	// Type is a datachain type, and Evolution the SHA-256 of its published evolution, or
	// zero if it has none any more.
	Type      string        `json:"type,omitempty"`
	Evolution taxonomy.Hash `json:"evolution,omitzero"`

	// Slug is the address of a document, Document the hash of its id (see [DocumentHash])
	// and Edition the hash of an edition.
	Slug     string        `json:"slug,omitempty"`
	Document taxonomy.Hash `json:"document,omitzero"`
	Edition  taxonomy.Hash `json:"edition,omitzero"`

	// Register is the SHA-256 of the settings of the register, documents/register.json.
	Register taxonomy.Hash `json:"register,omitzero"`

	// Key is a public key as [note.NewVerifier] reads it. Note is a statement about it
	// that an earlier key signed: see [Endorse].
	Key  string `json:"key,omitempty"`
	Note string `json:"note,omitempty"`
}

// maxEntry is how many bytes an entry can have in a bundle, and maxReason how many of them
// a reason.
const (
	maxEntry  = 1<<16 - 1
	maxReason = 1000
)

// DocumentHash returns the SHA-256 of the id of a document. A log names documents by their
// slug and by hashes, since what it holds can't be erased.
func DocumentHash(id string) taxonomy.Hash { return sha256.Sum256([]byte(id)) }

// JSON returns the canonical JSON of the entry, whose RFC 6962 hash is its leaf in the log.
// The error wraps trust.ErrEntry if the entry is invalid.
func (e *Entry) JSON() ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", refusal.ErrEntry, wording.Quote(string(e.Op)), err)
	}
	text, err := document.MarshalCanonical(e)
	if err == nil && len(text) > maxEntry {
		err = fmt.Errorf("it has %d bytes, at most %d are allowed", len(text), maxEntry)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", refusal.ErrEntry, e.Op, err)
	}
	return text, nil
}

// ParseEntry parses the canonical JSON of an entry. Any other text, and unknown fields and
// operations, are errors that wrap trust.ErrEntry: a reader that does not understand an entry
// can't know the index.
func ParseEntry(data []byte) (*Entry, error) {
	e := new(Entry)
	if err := jsonfields.Unmarshal(data, e); err != nil {
		return nil, fmt.Errorf("%w: %w", refusal.ErrEntry, err)
	}
	text, err := e.JSON()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(text, data) {
		return nil, fmt.Errorf("%w: the JSON must be canonical, with no empty fields", refusal.ErrEntry)
	}
	return e, nil
}

// fieldsOf has the fields that the entries of each operation must have, and those that they can
// have, besides op and time.
var fieldsOf = map[Op]struct{ required, optional []string }{
	OpPublish:          {[]string{"version", "content_hash"}, []string{"aliases", "released", "archive"}},
	OpPromote:          {[]string{"version", "content_hash", "from"}, []string{"aliases", "released", "archive"}},
	OpRetire:           {[]string{"version", "content_hash"}, []string{"at", "successor", "reason", "ids"}},
	OpAlias:            {[]string{"version"}, []string{"aliases"}},
	OpDeprecate:        {[]string{"version"}, []string{"deprecated", "sunset", "successor", "reason"}},
	OpEvolution:        {[]string{"type"}, []string{"evolution"}},
	OpPublishDocument:  {[]string{"slug", "document", "edition"}, nil},
	OpWithdrawDocument: {[]string{"slug", "document"}, nil},
	OpEraseDocument:    {[]string{"slug", "document", "edition"}, nil},
	OpRegister:         {[]string{"register"}, nil},
	OpKey:              {[]string{"key"}, []string{"note"}},
}

// checkFields checks that the entry has the fields of its operation.
func (e *Entry) checkFields() error {
	fields, known := fieldsOf[e.Op]
	if !known {
		return errors.New("unknown operation: update the program")
	}
	present := make([]string, 0, 16)
	for _, f := range [...]struct {
		name string
		has  bool
	}{
		{"version", !e.Version.IsZero()},
		{"content_hash", !e.ContentHash.IsZero()},
		{"aliases", len(e.Aliases) > 0},
		{"released", e.Released != ""},
		{"archive", !e.Archive.IsZero()},
		{"from", !e.From.IsZero()},
		{"at", e.At != ""},
		{"ids", !e.IDs.IsZero()},
		{"deprecated", e.Deprecated != ""},
		{"sunset", e.Sunset != ""},
		{"successor", !e.Successor.IsZero()},
		{"reason", e.Reason != ""},
		{"type", e.Type != ""},
		{"evolution", !e.Evolution.IsZero()},
		{"slug", e.Slug != ""},
		{"document", !e.Document.IsZero()},
		{"edition", !e.Edition.IsZero()},
		{"register", !e.Register.IsZero()},
		{"key", e.Key != ""},
		{"note", e.Note != ""},
	} {
		if f.has {
			present = append(present, f.name)
		}
	}
	for _, name := range fields.required {
		if !slices.Contains(present, name) {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for _, name := range present {
		if !slices.Contains(fields.required, name) && !slices.Contains(fields.optional, name) {
			return fmt.Errorf("%s does not belong to this operation", name)
		}
	}
	return nil
}

// check returns what is wrong with the entry by itself.
func (e *Entry) check() error {
	if err := e.checkFields(); err != nil {
		return err
	}
	if year := e.Time.Year(); e.Time.Location() != time.UTC || e.Time.Nanosecond() != 0 || year < 1 || year > 9999 || e.Time.IsZero() {
		return errors.New("time must be in UTC and whole seconds")
	}
	return e.checkValues()
}

// checkValues returns what is wrong with the values of fields.
func (e *Entry) checkValues() error {
	for _, day := range [...]string{e.Released, e.At, e.Deprecated, e.Sunset} {
		if day != "" && !ident.IsDate(day) {
			return fmt.Errorf("a day is %s, but must be a date such as 2026-09-01", wording.Quote(day))
		}
	}
	switch {
	case len(e.Reason) > maxReason:
		return fmt.Errorf("the reason has %d bytes, at most %d are allowed", len(e.Reason), maxReason)
	case !e.Successor.IsZero() && (e.Successor == e.Version || e.Successor.Type() != e.Version.Type()):
		return fmt.Errorf("the successor must be another version of %s, not %s", e.Version.Type(), e.Successor)
	case e.Op == OpDeprecate && e.Deprecated == "" && (e.Sunset != "" || e.Reason != "" || !e.Successor.IsZero()):
		return errors.New("sunset, successor and reason need deprecated")
	case e.Op == OpPromote && (e.Version.Status() != taxonomy.Stable || e.From.Status() != taxonomy.Beta || e.From.Type() != e.Version.Type()):
		return fmt.Errorf("%s can't be promoted to %s: a beta version becomes a stable one of the same type", e.From, e.Version)
	case e.Type != "" && !ident.IsID(e.Type):
		return fmt.Errorf("type is %s, but must be the id of a datachain type", wording.Quote(e.Type))
	case e.Slug != "" && !ident.IsSlug(e.Slug):
		return fmt.Errorf("slug is %s, but must be the slug of a document", wording.Quote(e.Slug))
	case e.Key != "":
		if _, err := note.NewVerifier(e.Key); err != nil {
			return fmt.Errorf("key: %w", err)
		}
	}
	return e.checkAliases()
}

func (e *Entry) checkAliases() error {
	for i, alias := range e.Aliases {
		ref, err := taxonomy.ParseRef(alias)
		_, canonical := ref.Version()
		switch {
		case err != nil:
			return fmt.Errorf("alias: %w", errname.Trim(err))
		case canonical || ref.Type() != e.Version.Type() || assigned(e.Version.Type(), alias):
			return fmt.Errorf("%s can't be an alias that %s declares", alias, e.Version)
		case i > 0 && e.Aliases[i-1] >= alias:
			return errors.New("aliases must be in order, each once")
		}
	}
	return nil
}

// maxSize is how many entries a log can have. More would only come from an attack, and tlog would
// loop on numbers near the end of int64.
const maxSize = 1 << 40

// assigned reports whether an alias is one that indexes assign themselves.
func assigned(typ, alias string) bool {
	return alias == typ+"@"+codes.AliasLatest || alias == typ+"@"+codes.AliasLatestBeta
}
