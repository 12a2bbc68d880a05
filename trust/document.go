package trust

import (
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

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
	members := make(map[string][]byte)
	for m := range doc.Root().All() {
		switch m.Key() {
		case keySnapshot, keySymbols, keyProof:
			continue
		case "suggested_elements", "title", "description":
			if empty(m) {
				continue
			}
		}
		members[m.Key()] = m.AppendCanonical(nil)
	}
	return sha256.Sum256(object(members))
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

// canonicalMembers returns the members of a document as canonical JSON.
func canonicalMembers(doc *document.Document) map[string][]byte {
	members := make(map[string][]byte)
	for m := range doc.Root().All() {
		members[m.Key()] = m.AppendCanonical(nil)
	}
	return members
}

// with returns a document with a member set, as canonical JSON.
func with(doc *document.Document, key string, value []byte) []byte {
	members := canonicalMembers(doc)
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
