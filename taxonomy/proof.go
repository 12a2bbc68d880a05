package taxonomy

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// The kinds of leaves of the content tree. A leaf is named <kind>/<id>, or <kind> if
// there is only one.
const (
	leafCategory = "category"
	leafType     = "datachain_type"
	leafElement  = "element"
	leafManifest = "manifest"
	leafSymbol   = "symbol"
)

// ErrProof is wrapped by the errors of [Proof.Verify].
var ErrProof = errors.New("proof does not hold")

// leafJSON returns the canonical JSON of a part.
func (r *Release) leafJSON(leafName string) (string, bool) {
	kind, id, _ := strings.Cut(leafName, "/")
	switch {
	case kind == leafCategory:
		text := r.CategoryJSON(id)
		return text, text != ""
	case kind == leafElement:
		text := r.ElementJSON(id)
		return text, text != ""
	case kind == leafSymbol:
		if svg, ok := r.symbols[id]; ok {
			return string(jcs.AppendQuote(nil, svg)), true
		}
	case leafName == leafManifest && r.manifestJSON != "":
		return manifestLeafJSON(r.manifestJSON), true
	case leafName == leafType:
		return r.typeJSON, r.typeJSON != ""
	}
	return "", false
}

// elementLeaves hashes the elements.
func (r *Release) elementLeaves() []tlog.Hash {
	hashes := make([]tlog.Hash, r.elements.len())
	inChunks(0, len(hashes), func(_, begin, end int) {
		var hasher leafHasher
		for i := begin; i < end; i++ {
			hashes[i] = hasher.hash(leafElement, r.elements.ids.ids[i], r.elements.text[i])
		}
	})
	return hashes
}

// leaves returns the hashes of all leaves of the content tree, in the order of their
// names, given those of the elements.
func (r *Release) leaves(elements []tlog.Hash) []tlog.Hash {
	var hasher leafHasher
	hashes := make([]tlog.Hash, 0, len(elements)+len(r.categories)+len(r.symbolIDs)+2)
	add := func(kind, id string) {
		text, _ := r.leafJSON(leafName(kind, id))
		hashes = append(hashes, hasher.hash(kind, id, text))
	}
	for _, id := range slices.Sorted(slices.Values(r.typ.Categories)) {
		add(leafCategory, id)
	}
	add(leafType, "")
	for _, i := range r.elements.sorted() {
		hashes = append(hashes, elements[i])
	}
	add(leafManifest, "")
	for _, id := range r.symbolIDs {
		add(leafSymbol, id)
	}
	return hashes
}

// manifestLeafJSON returns a canonical manifest without its version, status and
// hash.
func manifestLeafJSON(manifest string) string {
	text, err := editManifest(manifest, map[string]any{"id": nil, "status": nil, "content_hash": nil})
	if err != nil {
		panic(err) // the manifest of a release is canonical
	}
	return text
}

// editManifest sets fields of a canonical manifest, or removes them if the value is
// nil. It keeps the other fields, known or not, since the content hash covers them.
func editManifest(manifest string, set map[string]any) (string, error) {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal([]byte(manifest), &fields); err != nil {
		return "", err
	}
	for key, value := range set {
		if value == nil {
			delete(fields, key)
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return "", err
		}
		fields[key] = text
	}
	text, err := document.MarshalCanonical(fields)
	return string(text), err
}
