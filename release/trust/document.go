package trust

import (
	"crypto/sha256"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// The members of a document that resolving adds.
const (
	keySnapshot = "schema_snapshot"
	keySymbols  = "symbols"
)

// EditionHash returns the hash of the edition of a register that a document is: the SHA-256
// of the canonical form (RFC 8785) of the document without schema_snapshot and symbols, and
// without suggested elements, title and description if they are empty. So white space makes no
// new edition, and neither does resolving.
func EditionHash(doc *document.Document) taxonomy.Hash {
	members := make(map[string][]byte)
	for m := range doc.Root().All() {
		switch m.Key() {
		case keySnapshot, keySymbols:
			continue
		case "suggested_elements", "title", "description":
			if empty(m) {
				continue
			}
		}
		members[m.Key()] = m.AppendCanonical(nil)
	}
	return sha256.Sum256(jcs.AppendObject(nil, members))
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
