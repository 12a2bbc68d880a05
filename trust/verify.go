package trust

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/merkle"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// ErrSnapshotOnly is wrapped by the error of [VerifyDocument] for a proof that has no edition.
var ErrSnapshotOnly = errors.New("only the schema snapshot is proven, not what the document says about its system")

// VerifyDocument checks the proof of a resolved document, which is its member proof if the
// proof is nil. It needs no network. No error means that all of the document is proven: its
// schema snapshot, its symbols if it has them and, by the edition that a register published,
// everything else but the member proof. When it was published, and that nothing newer was, is
// not: see [Report.NotProven].
//
// A key of the log must be valid at the given time, which usually is now. The error wraps [taxonomy.ErrProof], or a reason
// for which the checkpoint is refused; see [Reason]. If it wraps [ErrSnapshotOnly], there is a
// report as well, that of [VerifySnapshot].
func VerifyDocument(t *Trust, text, proof []byte, at time.Time) (*Report, error) {
	r, err := VerifySnapshot(t, text, proof, at)
	if err == nil && r.Scope != ScopeDocument {
		err = fmt.Errorf("%w: %w: the proof has no edition", taxonomy.ErrProof, ErrSnapshotOnly)
	}
	return r, err
}

// VerifySnapshot checks the proof of a resolved document like [VerifyDocument], but does not
// require an edition. No error means that the schema snapshot, and the symbols if the document
// has them, are those of a published release. Placements, titles and other members can be
// anything, unless [Report.Scope] is [ScopeDocument].
func VerifySnapshot(t *Trust, text, proof []byte, at time.Time) (*Report, error) {
	if t == nil {
		return nil, unusable("the trust file is nil: pass the result of ParseTrust")
	}
	doc, err := document.Parse(text)
	if err != nil {
		return nil, unusable("the document: %w", err)
	}
	if proof == nil {
		member, ok := doc.Root().Get(keyProof)
		if !ok {
			return nil, unusable("the document has no member proof: pass the file with its proof")
		}
		proof = member.Raw()
	}
	p, err := parseProof(proof)
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(doc)
	if err != nil {
		return nil, err
	}
	trusted := (*signedlog.Trust)(t)
	for _, key := range p.Keys {
		if e, err := signedlog.ParseEntry(key.Entry); err == nil {
			trusted = signedlog.WithKeys(trusted, key.Index, e)
		}
	}
	c, err := signedlog.Open(trusted, []byte(p.Checkpoint), at)
	if err != nil {
		return nil, err
	}
	return p.verify(doc, parts, c, at)
}

// verify checks the proof at a checkpoint that is trusted.
func (p *Proof) verify(doc *document.Document, parts *parts, c *signedlog.Checkpoint, at time.Time) (*Report, error) {
	texts := make(map[int64][]byte) // of the entries
	parse := func(i *Inclusion, members map[string]string, ops ...signedlog.Op) (*signedlog.Entry, error) {
		text, err := i.with(members)
		if err != nil {
			return nil, err
		}
		e, err := signedlog.ParseEntry(text)
		switch {
		case err != nil:
			return nil, err
		case !slices.Contains(ops, e.Op) || texts[i.Index] != nil:
			return nil, fmt.Errorf("%w: entry %d is for %s, or is there twice", taxonomy.ErrProof, i.Index, e.Op)
		}
		texts[i.Index] = text
		return e, nil
	}
	content, err := p.contentHash(parts)
	if err != nil {
		return nil, err
	}
	e, err := parse(&p.Release, map[string]string{keyVersion: parts.version, keyContentHash: content.String()}, signedlog.OpPublish, signedlog.OpPromote)
	if err != nil {
		return nil, err
	}
	r := &Report{
		Scope: ScopeSnapshot, Version: e.Version, ContentHash: e.ContentHash, Published: e.Time,
		Origin: c.Origin, Signed: c.Signed,
		Categories: len(parts.categories), Elements: len(parts.elements), Symbols: len(parts.symbols),
	}
	if p.Edition != nil {
		hash, id := EditionHash(doc), signedlog.DocumentHash(text(doc.Root(), "id"))
		if e, err = parse(p.Edition, map[string]string{keyDocument: id.String(), keyEdition: hash.String()}, signedlog.OpPublishDocument); err != nil {
			return nil, err
		}
		r.Scope = ScopeDocument
		r.Edition = &ProvenEdition{Slug: e.Slug, Hash: hash, Published: e.Time}
	}
	for i := range p.Keys {
		if _, err := parse(&p.Keys[i], nil, signedlog.OpKey); err != nil {
			return nil, err
		}
	}
	if err := c.Includes(texts, p.LogPath); err != nil {
		return nil, fmt.Errorf("%w: they are not in the log, or the document was changed", err)
	}
	r.NotProven = r.unproven(parts, at)
	return r, nil
}

// contentHash computes the content hash of the release that has the parts.
func (p *Proof) contentHash(parts *parts) (h taxonomy.Hash, err error) {
	entry, err := document.Parse(p.Release.Entry)
	if err != nil {
		return h, fmt.Errorf("%w: the entry of the release: %w", taxonomy.ErrProof, err)
	}
	leaves, _ := entry.Root().Get("leaves")
	size, _ := strconv.ParseInt(string(leaves.Raw()), 10, 32) // a release can't have more
	bodies := parts.bodies()
	hashes := make([]tlog.Hash, 0, len(bodies))
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		hashes = append(hashes, tlog.RecordHash(jcs.AppendObject(nil, map[string][]byte{"body": bodies[name].AppendCanonical(nil), "name": jcs.AppendQuote(nil, name)})))
	}
	if len(p.Leaves) != len(hashes) {
		return h, fmt.Errorf("%w: it is for %s, and the document has %d: it is the proof of another document, or of this one with or without symbols", taxonomy.ErrProof, wording.Count(len(p.Leaves), "part"), len(hashes))
	}
	root, ok := merkle.Root(p.Leaves, hashes, size, p.Path)
	if !ok {
		return h, fmt.Errorf("%w: its path has the wrong number of hashes, or its leaves are not in order", taxonomy.ErrProof)
	}
	return taxonomy.Hash(root), nil
}

// unusableError reports input that is not a resolved document, or not a proof.
type unusableError struct{ error }

func (e unusableError) Unwrap() error { return e.error }

// unusable returns an [unusableError].
func unusable(format string, args ...any) error {
	return unusableError{fmt.Errorf("%w: "+format, append([]any{taxonomy.ErrProof}, args...)...)}
}

// Advice returns what a person can do about a document whose proof was refused with an error
// of [VerifyDocument].
func Advice(err error) string {
	if _, ok := errors.AsType[unusableError](err); ok {
		return "Name the resolved document, and the proof that was made for it."
	}
	if errors.Is(err, ErrSnapshotOnly) {
		return "Get the resolved document and its proof from the register that published it: a proof that 'resolve' makes covers the snapshot alone."
	}
	switch Reason(err) {
	case "unknown_key", "origin":
		return "The trust file does not have this publisher: check where document and trust file come from, or get the publisher's newest trust file."
	case "expired_key":
		return "Check the clock. If the key has expired, get a new proof, or judge this one as of a date with --at: nothing proves that it is of that time."
	}
	return "Document, proof or both were changed, or do not belong together: get both from the publisher again."
}
