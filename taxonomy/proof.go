package taxonomy

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// The names of the leaves of the content tree: a part that there is one of is
// named by its kind, any other by its kind, a slash and its id.
const (
	leafCategory = "category"
	leafType     = "datachain_type"
	leafElement  = "element"
	leafManifest = "manifest"
	leafSymbol   = "symbol"
)

// Proof shows that one part belongs to the release with a content hash, to
// anyone, without the rest of the release. Get it with [Release.Prove].
type Proof struct {
	// Leaf names the part: category/<id>, datachain_type, element/<id>,
	// manifest or symbol/<id>.
	Leaf string `json:"leaf"`
	// Index is the place of the leaf among Size leaves.
	Index int64 `json:"index"`
	Size  int64 `json:"size"`
	// Path holds the hashes from the leaf to the root (RFC 6962, 2.1.1).
	Path []Hash `json:"path"`
}

// ErrProof is what a failed [Proof.Verify] wraps.
var ErrProof = errors.New("proof does not hold")

// Verify checks that body stands in the release with the content hash. It is the
// text that [Release.LeafJSON] gives, or the same JSON written differently: a
// category, the datachain type or an element as published, the manifest without
// the fields that are no content (id, status and content_hash), which so are not
// proven, or the SVG of a symbol as a JSON string.
func (p *Proof) Verify(contentHash Hash, body []byte) error {
	// A release can't have more parts, and sizes near the end of int64 would
	// keep tlog busy for ever.
	if p.Size > math.MaxInt32 {
		return fmt.Errorf("%w: %s: %d is no size of a release", ErrProof, prose.Clip(p.Leaf), p.Size)
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
	l := hasher.leaf(p.Leaf, canonical)
	if err := tlog.CheckRecord(path, p.Size, tlog.Hash(contentHash), p.Index, l.hash); err != nil {
		return fmt.Errorf("%w: %s is not part of the release %s", ErrProof, prose.Clip(p.Leaf), contentHash)
	}
	return nil
}

// Prove returns the proof that a part belongs to the release. The part is
// named by its leaf in the content tree: category/<id>, datachain_type,
// element/<id>, manifest or symbol/<id>. One that the release does not have wraps
// [ErrNotFound]. It hashes the whole release.
func (r *Release) Prove(leafName string) (*Proof, error) {
	if _, ok := r.LeafJSON(leafName); !ok {
		return nil, fmt.Errorf("release %s: part %q: %w: name one as category/<id>, datachain_type, element/<id>, manifest or symbol/<id>",
			r.version, prose.Clip(leafName), ErrNotFound)
	}
	var hasher leafHasher
	elements := make([]leaf, len(r.elements))
	for i, e := range r.elements {
		elements[i] = hasher.leaf(leafElement+"/"+e.ID, r.elementJSON[i])
	}
	t, err := r.contentTree(elements)
	if err != nil {
		return nil, err
	}
	return t.prove(leafName)
}

// LeafJSON returns the canonical JSON that a leaf of the content tree hashes:
// what [Proof.Verify] wants beside the proof.
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
	case leafName == leafManifest:
		return manifestLeafJSON(r.manifestJSON), true
	case leafName == leafType:
		return r.typeJSON, true
	}
	return "", false
}

// contentTree builds the Merkle tree over all parts, given the leaves of the
// elements, which are many and so hashed where they are read.
func (r *Release) contentTree(elements []leaf) (*tree, error) {
	names := []string{leafType, leafManifest}
	for _, c := range r.categories {
		names = append(names, leafCategory+"/"+c.ID)
	}
	for _, id := range r.symbolIDs {
		names = append(names, leafSymbol+"/"+id)
	}
	var hasher leafHasher
	leaves := elements
	for _, name := range names {
		text, _ := r.LeafJSON(name)
		leaves = append(leaves, hasher.leaf(name, text))
	}
	return newTree(leaves)
}

// manifestLeafJSON returns what of a canonical manifest is content: all but
// the fields that say under which version, status and hash it is published.
func manifestLeafJSON(manifest string) string {
	text, err := editManifest(manifest, map[string]any{"id": nil, "status": nil, "content_hash": nil})
	if err != nil {
		panic(err) // no release has a manifest that is not canonical
	}
	return text
}

// editManifest sets fields of a canonical manifest, or removes them where the
// value is nil. It leaves all others as they were received, unknown ones
// included, since the content hash covers them so.
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
