package taxonomy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/prose"
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

// Proof proves that a part belongs to the release with a content hash, without the
// rest of the release. [Release.Prove] returns one.
type Proof struct {
	// Leaf names the part: category/<id>, datachain_type, element/<id>,
	// manifest or symbol/<id>.
	Leaf string `json:"leaf"`
	// Index is the position of the leaf among Size leaves.
	Index int64 `json:"index"`
	Size  int64 `json:"size"`
	// Path has the hashes from the leaf to the root (RFC 6962, 2.1.1).
	Path []Hash `json:"path"`
}

// ErrProof is wrapped by the errors of [Proof.Verify].
var ErrProof = errors.New("proof does not hold")

// Verify checks that body is part of the release with the content hash. The body is
// the JSON of [Release.LeafJSON] in any formatting: a category, the datachain type or
// an element as published, the manifest without id, status and content_hash, which
// are not proven, or the SVG of a symbol as a JSON string.
func (p *Proof) Verify(contentHash Hash, body []byte) error {
	// A release can't have more parts, and tlog would loop on sizes near the
	// end of int64.
	if p.Size > math.MaxInt32 {
		return fmt.Errorf("%w: %s: a release can't have %d parts", ErrProof, prose.Clip(p.Leaf), p.Size)
	}
	canonical, err := document.CanonicalString(string(body))
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrProof, prose.Clip(p.Leaf), err)
	}
	path := make(tlog.RecordProof, len(p.Path))
	for i, h := range p.Path {
		path[i] = tlog.Hash(h)
	}
	var hasher leafHasher
	leaf := hasher.hash(p.Leaf, "", canonical)
	if err := tlog.CheckRecord(path, p.Size, tlog.Hash(contentHash), p.Index, leaf); err != nil {
		return fmt.Errorf("%w: %s is not part of the release %s", ErrProof, prose.Clip(p.Leaf), contentHash)
	}
	return nil
}

// Prove returns the proof that a part belongs to the release; see [Proof.Leaf] for
// the names of parts. The error wraps [ErrNotFound] if the release does not have the
// part. See [Release.ProveParts] for what it costs.
func (r *Release) Prove(leafName string) (*Proof, error) {
	p, err := r.ProveParts([]string{leafName})
	if err != nil {
		return nil, err
	}
	return &Proof{Leaf: leafName, Index: p.Indexes[0], Size: r.Leaves(), Path: p.Path}, nil
}

// LeafJSON returns the canonical JSON of a part, which [Proof.Verify] needs besides
// the proof.
func (r *Release) LeafJSON(leafName string) (string, bool) {
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
		text, _ := r.LeafJSON(leafName(kind, id))
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
