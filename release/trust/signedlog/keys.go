package signedlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/release/trust/internal/refusal"
)

// Signer signs checkpoints, and statements about keys. The one that [note.NewSigner] returns
// holds a private key; a program can have one that asks a key service.
type Signer interface {
	// Name returns the name of the key, which is the origin of the log.
	Name() string
	// KeyHash returns the key id, which the public key has in its text.
	KeyHash() uint32
	// Sign returns the signature of a message.
	Sign(msg []byte) ([]byte, error)
}

// keyKind is what a text is.
type keyKind int

const (
	noKey keyKind = iota
	privateKey
	publicKey
)

// kindOf returns which kind of key a text is.
func kindOf(text string) keyKind {
	if strings.HasPrefix(text, "PRIVATE+KEY+") {
		return privateKey
	}
	if _, err := note.NewVerifier(text); err == nil {
		return publicKey
	}
	return noKey
}

// wrongKey says why a text is not a public key.
func wrongKey(text string) error {
	if kindOf(text) == privateKey {
		return errors.New("it is a private key: keep it secret, and write the public one, which 'datachain log keys show' prints")
	}
	return errors.New("it must be a public key such as example.org/log+1b2c3d4e+AQ…, as 'datachain log keys show' prints it: this one is incomplete or was changed")
}

// sameKey reports whether two keys have the same name and id, by which signatures refer to them.
func sameKey(a, b note.Verifier) bool { return a.Name() == b.Name() && a.KeyHash() == b.KeyHash() }

// keyName names a key among those of a log, which have the same name.
func keyName(name string, hash uint32) string { return fmt.Sprintf("%s+%08x", name, hash) }

// endorsement is the first line of a statement about a key.
const endorsement = "datachain key/v1"

// endorsementText returns the statement that a key signs checkpoints of a log from a time on.
func endorsementText(origin, key string, at time.Time) string {
	return endorsement + "\n" + origin + "\n" + key + "\n" + at.UTC().Format(time.RFC3339) + "\n"
}

// Endorse returns the entry that introduces a key to a log, with a statement that the key used
// until now signs. So readers that trust that key also trust the new one. Without a signer, as for
// the first key of a log, there is no statement.
func Endorse(origin, key string, at time.Time, signer Signer) (*Entry, error) {
	e := &Entry{Op: OpKey, Time: at.UTC().Truncate(time.Second), Key: key}
	if signer != nil {
		signed, err := note.Sign(&note.Note{Text: endorsementText(origin, key, e.Time)}, signer)
		if err != nil {
			return nil, fmt.Errorf("signedlog: endorse %s: %w", key, err)
		}
		e.Note = string(signed)
	}
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", refusal.ErrEntry, e.Op, err)
	}
	return e, nil
}

// WithKeys returns the trust with keys that entries introduce, the first of which is at an index,
// if a trusted key that was valid at the time of the entry signed the statement about them. They
// have no limits of time, since clocks differ. The key that signed the statement is replaced: it
// signs neither checkpoints that have the entry, nor statements in later ones. Other entries are
// ignored. If nothing changes, it returns t.
func WithKeys(t *Trust, from int64, entries ...*Entry) *Trust {
	for i, e := range entries {
		size := from + int64(i) + 1 // of a log that ends with the entry
		if e.Op != OpKey || e.Note == "" {
			continue
		}
		added, err := note.NewVerifier(e.Key)
		if err != nil {
			continue
		}
		var known []note.Verifier
		for _, k := range t.keys {
			if k.validAt(e.Time) && (k.replaced == 0 || size < k.replaced) {
				known = append(known, k)
			}
		}
		n, err := note.Open([]byte(e.Note), note.VerifierList(known...))
		if err != nil || n.Text != endorsementText(t.origin, e.Key, e.Time) {
			continue
		}
		next := *t
		next.keys = slices.Clone(t.keys)
		for i, k := range next.keys {
			signed := func(sig note.Signature) bool { return sig.Name == k.Name() && sig.Hash == k.KeyHash() }
			if slices.ContainsFunc(n.Sigs, signed) && !sameKey(k, added) {
				next.keys[i].replaced = size
			}
		}
		if !slices.ContainsFunc(next.keys, func(k trustedKey) bool { return sameKey(k, added) }) {
			next.keys = append(next.keys, trustedKey{Verifier: added})
		}
		t = &next
	}
	return t
}
