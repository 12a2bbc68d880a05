package taxonomy

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/mod/sumdb/tlog"
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

// Verify checks that body, any JSON text of the part as published, stands in
// the release with the content hash.
func (p *Proof) Verify(contentHash Hash, body []byte) error {
	canonical, err := Canonical(body)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrProof, p.Leaf, err)
	}
	path := make(tlog.RecordProof, len(p.Path))
	for i, h := range p.Path {
		path[i] = tlog.Hash(h)
	}
	l := newLeaf(p.Leaf, canonical)
	if err := tlog.CheckRecord(path, p.Size, tlog.Hash(contentHash), p.Index, l.hash); err != nil {
		return fmt.Errorf("%w: %s is not part of the release %s", ErrProof, p.Leaf, contentHash)
	}
	return nil
}

// Prove returns the proof that a part belongs to the release. The part is
// named by its leaf in the content tree: category/<id>, datachain_type,
// element/<id>, manifest or symbol/<id>. It hashes the whole release.
func (r *Release) Prove(leafName string) (*Proof, error) {
	elements := make([]leaf, len(r.elements))
	for i, e := range r.elements {
		elements[i] = newLeaf(leafElement+"/"+e.ID, []byte(r.elementJSON[i]))
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
		svg, ok := r.symbols[id]
		return string(appendQuoted(nil, svg)), ok
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
	leaves := elements
	for _, name := range names {
		text, _ := r.LeafJSON(name)
		leaves = append(leaves, newLeaf(name, []byte(text)))
	}
	return newTree(leaves)
}

// manifestLeafJSON returns what of a canonical manifest is content: all but
// the fields that say under which version, status and hash it is published.
func manifestLeafJSON(manifest string) string {
	var fields map[string]jsontext.Value
	if err := json.Unmarshal([]byte(manifest), &fields); err != nil {
		return manifest
	}
	delete(fields, "id")
	delete(fields, "status")
	delete(fields, "content_hash")
	text, err := MarshalCanonical(fields)
	if err != nil {
		return manifest
	}
	return string(text)
}
