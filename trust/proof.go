package trust

import (
	"bytes"
	"encoding/json"
	"fmt"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Proof proves what a resolved document is made of: that the parts of its schema snapshot,
// and its symbols if it has them, are those of a release that is in a log. With an edition,
// it also proves that a register published the document itself. [Prover.Prove] returns one,
// and [VerifyDocument] checks it.
type Proof struct {
	// Format is 2.
	Format int `json:"format"`
	// Leaves and Path are those of a [taxonomy.Proof]: the parts are the datachain
	// type, categories, elements and symbols of the document, in the order of their names.
	Leaves []int64            `json:"leaves"`
	Path   taxonomy.ProofPath `json:"path"`
	// Release is the entry that published the release, without version and content_hash,
	// which follow from the document and its parts.
	Release Inclusion `json:"release"`
	// Edition is the entry that published the document, without document and edition, which
	// follow from it, or nil.
	Edition *Inclusion `json:"edition,omitempty"`
	// Keys are entries that introduced keys of the log, for readers that only trust an
	// earlier one.
	Keys []Inclusion `json:"keys,omitempty"`
	// LogPath has the hashes that complete the tree of the log, for all these entries.
	LogPath taxonomy.ProofPath `json:"log_path"`
	// Checkpoint is the signed note.
	Checkpoint string `json:"checkpoint"`
}

// Inclusion is an entry of a log, and its position.
type Inclusion struct {
	Index int64           `json:"index"`
	Entry json.RawMessage `json:"entry"`
}

// proofFormat is the format of proofs. Format 1 had a path for each entry.
const proofFormat = 2

// parseProof parses a proof. Unknown, empty and repeated members are refused, so that there
// is one form of each proof, in any formatting.
func parseProof(text []byte) (*Proof, error) {
	canonical, err := document.Canonical(text)
	if err != nil {
		return nil, unusable("the proof: %w", err)
	}
	var head struct { // first, since another format has other members
		Format  int    `json:"format"`
		Version string `json:"schema_version"`
	}
	switch err := jsonv2.Unmarshal(canonical, &head); {
	case head.Version != "":
		return nil, unusable("the file for the proof is a document: its proof is another file")
	case err != nil || head.Format == 0:
		return nil, unusable("the file for the proof is not one: it has no format")
	case head.Format > proofFormat:
		return nil, unusable("its format is %d, and this program knows %d: update the program", head.Format, proofFormat)
	case head.Format < proofFormat:
		return nil, unusable("its format is %d, and this program knows %d: get the proof from the publisher again", head.Format, proofFormat)
	}
	p := new(Proof)
	if err := jsonfields.Unmarshal(canonical, p); err != nil {
		return nil, fmt.Errorf("%w: the proof: %w", taxonomy.ErrProof, err)
	}
	again, err := document.MarshalCanonical(p)
	if err != nil || !bytes.Equal(again, canonical) {
		return nil, fmt.Errorf("%w: the proof has members that are missing, empty or malformed", taxonomy.ErrProof)
	}
	return p, nil
}

// The members of entries that a proof leaves out.
const (
	keyVersion     = "version"
	keyContentHash = "content_hash"
	keyDocument    = "document"
	keyEdition     = "edition"
)

// with returns the entry with members that a proof leaves out, as canonical JSON. It must not
// have them.
func (i *Inclusion) with(members map[string]string) ([]byte, error) {
	entry, err := document.Parse(i.Entry)
	if err != nil {
		return nil, fmt.Errorf("%w: an entry: %w", taxonomy.ErrProof, err)
	}
	all := canonicalMembers(entry)
	for key, value := range members {
		if all[key] != nil {
			return nil, fmt.Errorf("%w: an entry must not have %s, which follows from the document", taxonomy.ErrProof, key)
		}
		all[key] = jcs.AppendQuote(nil, value)
	}
	return jcs.AppendObject(nil, all), nil
}

// without returns an entry of a log without some members.
func without(entry []byte, keys []string) ([]byte, error) {
	doc, err := document.Parse(entry)
	if err != nil {
		return nil, err
	}
	all := canonicalMembers(doc)
	for _, key := range keys {
		delete(all, key)
	}
	return jcs.AppendObject(nil, all), nil
}
