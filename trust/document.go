// Package trust proves what documents are made of by the signed log of a store, and verifies
// such proofs offline.
//
// A store can have a log of all that it has published, an append-only Merkle tree whose
// checkpoints are signed. Command datachain writes it, and servers publish it below log/.
// A [Trust] is a parsed trust file: the origin of a log and the public keys of its signer
// and cosigners. No key is built in. Stores that are opened with one only accept an index
// that follows from the log, and a log that only grew; [Reason] names why one was refused.
//
// A [Prover] proves what a resolved document is made of: one [Proof] for all parts of its
// schema snapshot, with the log entry of the release and a checkpoint, and of the register's
// edition if there is one. [VerifyDocument] checks it: no error means that all of the document
// is proven, which needs an edition. [VerifySnapshot] is for proofs without one, and proves the
// schema snapshot alone. The [Report] of both says what is proven and what is not.
//
// The package does no I/O: it is handed a function that reads files of the log, and times
// are arguments.
package trust

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/merkle"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// Trust is a parsed trust file: which log a reader trusts, and by which keys. It is immutable
// and safe for concurrent use.
type Trust signedlog.Trust

// Origin returns the name of the log.
func (t *Trust) Origin() string { return (*signedlog.Trust)(t).Origin() }

// ParseTrust parses a trust file, which is JSON:
//
//	{
//	  "origin": "example.org/log",
//	  "keys": [{"key": "example.org/log+1b2c…+AQ…", "from": "2026-01-01T00:00:00Z", "until": "2030-01-01T00:00:00Z"}],
//	  "cosigners": [{"key": "example.org/witness+0a1b…+BA…"}],
//	  "cosignatures": 1,
//	  "max_age": "36h"
//	}
//
// from, until, cosigners, cosignatures and max_age can be absent. cosignatures is how many
// cosigners must have signed; max_age is how old the newest cosignature may be, as a number
// of s, m, h or d, and requires one.
func ParseTrust(data []byte) (*Trust, error) {
	t, err := signedlog.ParseTrust(data)
	return (*Trust)(t), err
}

// The members of a document that resolving adds.
const (
	keySnapshot = "schema_snapshot"
	keySymbols  = "symbols"
	keyProof    = "proof"
)

// EditionHash returns the hash of the edition of a register that a document is: the SHA-256
// of the canonical form (RFC 8785) of the document without schema_snapshot, symbols and
// proof, and without suggested elements, title and description if they are empty. So white
// space makes no new edition, and neither does resolving.
func EditionHash(doc *document.Document) taxonomy.Hash {
	var room [32]document.Value
	members := room[:0]
	for m := range doc.Root().All() {
		switch m.Key() {
		case keySnapshot, keySymbols, keyProof:
			continue
		case "suggested_elements", "title", "description":
			if empty(m) {
				continue
			}
		}
		members = append(members, m)
	}
	slices.SortFunc(members, func(a, b document.Value) int { return jcs.Compare([]byte(a.Key()), []byte(b.Key())) })
	text := append(make([]byte, 0, len(doc.Text())), '{')
	for i, m := range members {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(jcs.AppendQuote(text, m.Key()), ':')
		text = m.AppendCanonical(text)
	}
	return sha256.Sum256(append(text, '}'))
}

// empty reports whether a value is null, or an empty string, array or object. A number or a
// boolean says something.
func empty(v document.Value) bool {
	switch v.Kind() {
	case '"':
		return v.Text() == ""
	case '[', '{', 'n':
		return v.Len() == 0
	}
	return false
}

// object returns a canonical object of canonical values.
func object(members map[string][]byte) []byte {
	text := []byte{'{'}
	keys := slices.SortedFunc(maps.Keys(members), func(a, b string) int { return jcs.Compare([]byte(a), []byte(b)) })
	for i, key := range keys {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(jcs.AppendQuote(text, key), ':')
		text = append(text, members[key]...)
	}
	return append(text, '}')
}

// with returns a document with a member set, as canonical JSON.
func with(doc *document.Document, key string, value []byte) []byte {
	members := make(map[string][]byte)
	for m := range doc.Root().All() {
		members[m.Key()] = m.AppendCanonical(nil)
	}
	members[key] = value
	return object(members)
}

// withSymbols returns a resolved document with the symbols of its elements as its member
// symbols, as canonical JSON. Then its icons can be drawn without the release.
func withSymbols(r *taxonomy.Release, doc *document.Document) []byte {
	symbols := make(map[string][]byte)
	snapshot, _ := doc.Root().Get(keySnapshot)
	placed, _ := snapshot.Get("elements")
	suggested, _ := doc.Root().Get("suggested_elements")
	for _, list := range []document.Value{placed, suggested} {
		for e := range list.All() {
			if svg, ok := r.Symbol(text(e, "symbol_id")); ok {
				symbols[text(e, "symbol_id")] = jcs.AppendQuote(nil, svg)
			}
		}
	}
	return with(doc, keySymbols, object(symbols))
}

// parts are what a resolved document has of a release.
type parts struct {
	version    string
	typ        document.Value
	categories map[string]document.Value
	elements   map[string]document.Value
	symbols    map[string]document.Value // nil if the document has none

	placements int
	suggested  []string
}

// partsOf returns the parts of a document. It refuses a snapshot that resolving would not
// have written: with other members, out of order, with a part twice or one missing, since
// the proof of the parts does not cover that. The error wraps [taxonomy.ErrProof].
func partsOf(doc *document.Document) (*parts, error) {
	p := new(parts)
	pinned, _ := doc.Root().Get("schema_version")
	p.version = pinned.Text()
	snapshot, ok := doc.Root().Get(keySnapshot)
	if !ok {
		return nil, unusable("the document has no %s: resolve it first", keySnapshot)
	}
	p.typ, _ = snapshot.Get("datachain_type")
	categories, _ := snapshot.Get("categories")
	elements, _ := snapshot.Get("elements")
	err := error(nil)
	if snapshot.Len() != 3 || p.typ.Kind() != '{' || categories.Kind() != '[' || elements.Kind() != '[' {
		err = fmt.Errorf("%s must have datachain_type, categories and elements, and nothing else", keySnapshot)
	}
	if err == nil {
		err = p.addSnapshot(categories, elements)
	}
	if err == nil {
		err = p.addSymbols(doc.Root())
	}
	if err == nil {
		err = p.addPlacements(doc.Root())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the document: %w", taxonomy.ErrProof, err)
	}
	return p, nil
}

// text returns a member that is a string, or "".
func text(v document.Value, key string) string {
	m, _ := v.Get(key)
	if m.Kind() != '"' {
		return ""
	}
	return m.Text()
}

// addSnapshot adds categories and elements, which must be in the order of a release.
func (p *parts) addSnapshot(categories, elements document.Value) error {
	p.categories, p.elements = make(map[string]document.Value, categories.Len()), make(map[string]document.Value, elements.Len())
	list, _ := p.typ.Get("categories")
	ranks := make(map[string]int, list.Len())
	for id := range list.All() {
		ranks[id.Text()] = len(ranks) + 1
	}
	last := 0
	for c := range categories.All() {
		id := text(c, "id")
		if ranks[id] <= last {
			return fmt.Errorf("%s: the category is out of order, or not one of the datachain type", c.Path())
		}
		last, p.categories[id] = ranks[id], c
	}
	type place struct {
		category, order int
		id              string
	}
	before, used := place{}, 0 // categories that have elements
	for e := range elements.All() {
		order, _ := e.Get("order")
		number, err := strconv.Atoi(cmp.Or(string(order.Raw()), "0"))
		category := text(e, "category_id")
		at := place{ranks[category], number, text(e, "id")}
		after := cmp.Or(cmp.Compare(at.category, before.category), cmp.Compare(at.order, before.order), cmp.Compare(at.id, before.id)) > 0
		if _, known := p.categories[category]; !known || !after || err != nil {
			return fmt.Errorf("%s: the element is out of order, or its category is missing", e.Path())
		}
		if _, twice := p.elements[at.id]; twice {
			return fmt.Errorf("%s: the element is there twice", e.Path())
		}
		if at.category != before.category {
			used++
		}
		before, p.elements[at.id] = at, e
	}
	if used != len(p.categories) {
		return fmt.Errorf("%s: there is a category without elements", categories.Path())
	}
	return nil
}

// addSymbols adds the symbols, which must be those of the elements at least.
func (p *parts) addSymbols(root document.Value) error {
	symbols, ok := root.Get(keySymbols)
	if !ok {
		return nil
	}
	if symbols.Kind() != '{' {
		return errors.New("symbols must be an object of SVG texts by symbol id")
	}
	p.symbols = make(map[string]document.Value, symbols.Len())
	for s := range symbols.All() {
		if s.Kind() != '"' {
			return fmt.Errorf("%s must be an SVG text", s.Path())
		}
		p.symbols[s.Key()] = s
	}
	for _, e := range p.elements {
		id := text(e, "symbol_id")
		if _, known := p.symbols[id]; id != "" && !known {
			return fmt.Errorf("%s: there is no symbol %s", symbols.Path(), wording.Quote(id))
		}
	}
	return nil
}

// addPlacements checks that everything that is placed is in the snapshot or suggested, and
// nothing in both: a reader could not know which of the two was meant, and only one is proven.
func (p *parts) addPlacements(root document.Value) error {
	list, _ := root.Get("suggested_elements")
	suggested := make(map[string]bool)
	for e := range list.All() {
		id := text(e, "id")
		if _, known := p.elements[id]; known {
			return fmt.Errorf("%s: the snapshot has an element with the same id, %s", e.Path(), wording.Quote(id))
		}
		suggested[id] = true
	}
	p.suggested = slices.Sorted(maps.Keys(suggested))
	placements, _ := root.Get("elements")
	for placement := range placements.All() {
		id := text(placement, "element_id")
		if _, known := p.elements[id]; !known && !suggested[id] {
			return fmt.Errorf("%s: the snapshot has no element %s", placement.Path(), wording.Quote(id))
		}
		p.placements++
	}
	return nil
}

// names returns the names of the parts.
func (p *parts) names() []string {
	names := make([]string, 1, 1+len(p.categories)+len(p.elements)+len(p.symbols))
	names[0] = "datachain_type"
	var all strings.Builder // which all names are cut from, so that they need one allocation
	all.Grow(cap(names) * 32)
	for _, kind := range p.kinds() {
		for id := range kind.values {
			begin := all.Len()
			all.WriteString(kind.prefix)
			all.WriteString(id)
			names = append(names, all.String()[begin:])
		}
	}
	return names
}

// kinds returns the parts that there can be several of, by how their names begin.
func (p *parts) kinds() [3]kind {
	return [...]kind{{"category/", p.categories}, {"element/", p.elements}, {"symbol/", p.symbols}}
}

// kind is a kind of parts.
type kind struct {
	prefix string
	values map[string]document.Value
}

// bodies returns the parts by name.
func (p *parts) bodies() map[string]document.Value {
	bodies := map[string]document.Value{"datachain_type": p.typ}
	for _, kind := range p.kinds() {
		for id, v := range kind.values {
			bodies[kind.prefix+id] = v
		}
	}
	return bodies
}

// Scope is how much of a document a proof covers.
type Scope string

// The scopes.
const (
	// ScopeDocument means that all of the document is proven, by an edition in the log.
	ScopeDocument Scope = "document"
	// ScopeSnapshot means that only the schema snapshot is, and the symbols.
	ScopeSnapshot Scope = "snapshot"
)

// Report says what a proof of a document proves. [Report.String] returns it as text.
type Report struct {
	// Scope says whether the whole document is proven.
	Scope Scope `json:"scope"`
	// Version, ContentHash and Published are those of the release: the time is the
	// publisher's claim.
	Version     taxonomy.Version `json:"version"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	Published   time.Time        `json:"published"`
	// Origin is the log, and Signed are the trusted keys that signed its checkpoint.
	Origin string   `json:"origin"`
	Signed []string `json:"signed"`
	// NotLaterThan is the first time that a trusted cosigner states for the checkpoint:
	// the log had the entries then. It is zero if there is none.
	NotLaterThan time.Time `json:"not_later_than,omitzero"`
	// Categories, Elements and Symbols are how many of them are those of the release,
	// besides the datachain type.
	Categories int `json:"categories"`
	Elements   int `json:"elements"`
	Symbols    int `json:"symbols"`
	// Edition is what a register published, or nil.
	Edition *ProvenEdition `json:"edition,omitzero"`
	// NotProven are the things that a reader might expect, each with a reason.
	NotProven []Statement `json:"not_proven"`
}

// ProvenEdition is the edition of a register that a document is.
type ProvenEdition struct {
	Slug string        `json:"slug"`
	Hash taxonomy.Hash `json:"hash"`
	// Published is the publisher's claim.
	Published time.Time `json:"published"`
}

// Statement is a sentence of a report: what it is about, and what is known about it, or why
// nothing is.
type Statement struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// ErrSnapshotOnly is wrapped by the error of [VerifyDocument] for a proof that has no edition.
var ErrSnapshotOnly = errors.New("only the schema snapshot is proven, not what the document says about its system")

// VerifyDocument checks the proof of a resolved document, which is its member proof if the
// proof is nil. It needs no network. No error means that all of the document is proven: its
// schema snapshot, its symbols if it has them and, by the edition that a register published,
// everything else but the member proof. When it was published, and that nothing newer was, is
// not: see [Report.NotProven].
//
// A key of the log must be valid at the newest time that a trusted cosigner states, or, without
// one, at the given time, which usually is now. The error wraps [taxonomy.ErrProof], or a reason
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
		Origin: c.Origin, Signed: c.Signed, NotLaterThan: firstCosigned(c),
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
	if err := c.IncludesAll(texts, p.LogPath); err != nil {
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
		hashes = append(hashes, tlog.RecordHash(object(map[string][]byte{"body": bodies[name].AppendCanonical(nil), "name": jcs.AppendQuote(nil, name)})))
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

// firstCosigned returns the earliest time of a cosignature, or zero.
func firstCosigned(c *signedlog.Checkpoint) (first time.Time) {
	for _, one := range c.Cosigned {
		if first.IsZero() || one.Time.Before(first) {
			first = one.Time
		}
	}
	return first
}

// unproven returns what the proof does not cover.
func (r *Report) unproven(p *parts, at time.Time) []Statement {
	var list []Statement
	if r.Edition == nil {
		list = append(list, Statement{"placements", fmt.Sprintf(
			"What the document says about its system, in %s and its other fields, is its author's statement; the log does not have it.", wording.Count(p.placements, "placement"))})
	}
	if len(p.suggested) > 0 {
		why := "They are not part of the release"
		if r.Edition != nil {
			why = "The edition has them, but they are not part of the release"
		}
		list = append(list, Statement{"suggested elements", fmt.Sprintf("%s: %s.", why, wording.Plain(strings.Join(p.suggested, ", ")))})
	}
	if p.symbols == nil {
		list = append(list, Statement{"symbols", "The document does not contain the symbols of its icons."})
	}
	claimed := r.Published // the newest time
	if r.Edition != nil && r.Edition.Published.After(claimed) {
		claimed = r.Edition.Published
	}
	switch {
	case claimed.Sub(at) > signedlog.ClockTolerance:
		list = append(list, Statement{"time", fmt.Sprintf("The publisher claims %s, which is in the future: its clock was wrong, or that of this machine is, which shows %s.",
			claimed.UTC().Format(timeLayout), at.UTC().Format(timeLayout))})
	case r.NotLaterThan.IsZero():
		list = append(list, Statement{"time", "No trusted cosigner confirmed it: the times are those of the publisher's clock."})
	case claimed.Sub(r.NotLaterThan) > signedlog.ClockTolerance:
		list = append(list, Statement{"time", fmt.Sprintf("A cosigner says not later than %s, which is before the time that the publisher claims: one of the two clocks was wrong.",
			r.NotLaterThan.UTC().Format(timeLayout))})
	}
	return append(list, Statement{"freshness", "A later version, edition or withdrawal may have been published since."})
}

// timeLayout is that of times in reports.
const timeLayout = "2006-01-02 15:04:05 UTC"

// Statements returns what the report says is proven, and what the publisher claims besides.
// [Report.NotProven] is the rest.
func (r *Report) Statements() (proven, claimed []Statement) {
	proven = []Statement{
		{"parts", fmt.Sprintf("the datachain type; categories: %d, elements: %d, symbols: %d", r.Categories, r.Elements, r.Symbols)},
		{"release", fmt.Sprintf("%s, content %s", r.Version, r.ContentHash)},
		{"publisher", fmt.Sprintf("the log %s, signed by %s", wording.Plain(r.Origin), wording.Plain(strings.Join(r.Signed, ", ")))},
	}
	claimed = []Statement{{"release", "published at " + r.Published.UTC().Format(timeLayout)}}
	if r.Edition != nil {
		proven = append(proven, Statement{"edition", fmt.Sprintf("the register published exactly this document as %s, edition %s", r.Edition.Slug, r.Edition.Hash)})
		claimed = append(claimed, Statement{"edition", "published at " + r.Edition.Published.UTC().Format(timeLayout)})
	}
	doubted := func(s Statement) bool { return s.What == "time" }
	if !r.NotLaterThan.IsZero() && !slices.ContainsFunc(r.NotProven, doubted) {
		proven = append(proven, Statement{"time", fmt.Sprintf("not later than %s, says a cosigner", r.NotLaterThan.UTC().Format(timeLayout))})
	}
	return proven, claimed
}

// Summary says in one sentence whether the whole document is proven, or only its snapshot.
func (r *Report) Summary() string {
	if r.Scope == ScopeDocument {
		return "The whole document is proven: the register published exactly this."
	}
	return "Only the schema snapshot is proven: what the document says about its system is not."
}

// String returns the report as text, with the summary in its first line and a line break at the
// end.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString(r.Summary() + "\n")
	proven, claimed := r.Statements()
	write := func(title, layout string, list []Statement) {
		b.WriteString(title + ":\n")
		for _, s := range list {
			fmt.Fprintf(&b, layout, s.What, s.Why)
		}
	}
	write("Proven", "  %-10s %s\n", proven)
	write("Claimed by the publisher", "  %-10s %s\n", claimed)
	write("Not proven", "  %s: %s\n", r.NotProven)
	return b.String()
}

// unusableError is about a document or a proof that is not one.
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
		return "Check the clock; if the key has expired, get a proof that a cosigner confirmed while it was valid."
	case "cosignature":
		return "Get a proof with a cosigned checkpoint, or use a trust file that requires fewer cosignatures."
	}
	return "Document, proof or both were changed, or do not belong together: get both from the publisher again."
}
