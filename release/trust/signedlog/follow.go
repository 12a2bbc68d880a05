package signedlog

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust/internal/refusal"
)

// Open verifies the signatures of a checkpoint. A key must be valid at the given time, which
// usually is now, or at that of [Trust.At]. The error wraps one of the reasons of package trust.
func Open(t *Trust, signed []byte, at time.Time) (*Checkpoint, error) {
	if len(signed) > maxNote {
		return nil, fmt.Errorf("%w: it has more than %d bytes", refusal.ErrCheckpoint, maxNote)
	}
	var known []note.Verifier
	for _, k := range t.keys {
		known = append(known, k)
	}
	n, err := note.Open(signed, note.VerifierList(known...))
	var unverified *note.UnverifiedNoteError
	var invalid *note.InvalidSignatureError
	switch {
	case errors.As(err, &unverified):
		return nil, t.unknownKey(unverified.Note)
	case errors.As(err, &invalid):
		return nil, fmt.Errorf("%w: that of the key %s does not match the checkpoint", refusal.ErrSignature, invalid.Name)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", refusal.ErrCheckpoint, err)
	}
	c, err := parseText(n.Text)
	if err != nil {
		return nil, err
	}
	if c.Origin != t.origin {
		return nil, fmt.Errorf("%w: it is of %s, the trust file has %s", refusal.ErrOrigin, wording.Quote(c.Origin), wording.Quote(t.origin))
	}
	c.Note = signed
	if err := t.collect(c, n, at); err != nil {
		return nil, err
	}
	return c, nil
}

func (t *Trust) unknownKey(n *note.Note) error {
	var names []string
	for _, sig := range n.UnverifiedSigs {
		names = append(names, wording.Quote(keyName(sig.Name, sig.Hash)))
	}
	which := "which is not"
	if len(names) > 1 {
		which = "none of which is"
	}
	return fmt.Errorf("%w: it is signed by %s, %s in the trust file", refusal.ErrUnknownKey, wording.And(names), which)
}

// collect adds to a checkpoint which signatures it has, all of which were verified, and
// returns an error if they do not suffice.
func (t *Trust) collect(c *Checkpoint, n *note.Note, at time.Time) error {
	var signed []trustedKey
	for _, sig := range n.Sigs {
		if _, err := base64.StdEncoding.Strict().DecodeString(sig.Base64); err != nil {
			return fmt.Errorf("%w: that of the key %s is not in canonical base64", refusal.ErrSignature, sig.Name)
		}
		i := slices.IndexFunc(t.keys, func(k trustedKey) bool { return k.Name() == sig.Name && k.KeyHash() == sig.Hash })
		signed = append(signed, t.keys[i])
	}
	if !t.at.IsZero() {
		at = t.at
	}
	valid := slices.DeleteFunc(slices.Clone(signed), func(k trustedKey) bool { return k.replaced > 0 && c.Size >= k.replaced })
	if len(valid) == 0 {
		return fmt.Errorf("%w: the log replaced %s with entry %d, and the checkpoint has %d entries", refusal.ErrExpired, keyName(signed[0].Name(), signed[0].KeyHash()), signed[0].replaced-1, c.Size)
	}
	for _, k := range valid {
		if k.validAt(at) && !slices.Contains(c.Signed, k.Name()) { // keys of a log have its name
			c.Signed = append(c.Signed, k.Name())
		}
	}
	if len(c.Signed) == 0 {
		return fmt.Errorf("%w: the trust file has %s %s, and the time is %s", refusal.ErrExpired, valid[0].Name(), valid[0].validity(), at.UTC().Format(time.RFC3339))
	}
	return nil
}

// ClockTolerance is how far another clock may be ahead of one's own.
const ClockTolerance = 5 * time.Minute

// Follow reads the checkpoint of a log and returns the log at it. It verifies the signatures of
// the checkpoint, and that the log only grew since the last one that the reader has seen, which
// is nil at first. If a key signed that the trust file does not have, it looks
// for the entries that introduced it (see [WithKeys]).
//
// The reader keeps [Checkpoint.Note] of the result on disk, and passes it next time as what
// [ParseCheckpoint] returns.
func Follow(ctx context.Context, t *Trust, read ReadFunc, last *Checkpoint, at time.Time) (*Log, error) {
	signed, err := read(ctx, CheckpointFile)
	if err != nil {
		return nil, err
	}
	c, err := Open(t, signed, at)
	if errors.Is(err, refusal.ErrUnknownKey) {
		c, err = t.rotated(ctx, signed, read, at, err)
	}
	if err != nil {
		return nil, err
	}
	l := NewLog(c, read)
	if last != nil {
		if err := l.Consistent(ctx, last); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Replayed is a whole log that was verified.
type Replayed struct {
	Checkpoint *Checkpoint
	Entries    []*Entry
	// State is what they lead to.
	State *State
}

// Replay follows a log like [Follow], without a last checkpoint, and applies all of its entries. It
// also refuses a checkpoint of a key that one of them replaces, and a copy that is not as old as
// [Trust.At] claims.
func Replay(ctx context.Context, t *Trust, read ReadFunc, at time.Time) (*Replayed, error) {
	l, err := Follow(ctx, t, read, nil, at)
	if errors.Is(err, fs.ErrNotExist) {
		err = refusal.ErrNoLog
	}
	if err != nil {
		return nil, err
	}
	r := &Replayed{Checkpoint: l.Checkpoint(), State: new(State)}
	if r.Entries, err = l.Entries(ctx, 0, r.Checkpoint.Size); err != nil {
		return nil, err
	}
	for _, e := range r.Entries {
		if err := r.State.Apply(e); err != nil {
			return nil, err
		}
	}
	if _, err := Open(WithKeys(t, 0, r.Entries...), r.Checkpoint.Note, at); err != nil {
		return nil, err
	}
	return r, t.contradiction(r.State.last)
}

// rotated opens a checkpoint that a key signed which the log introduced. What is read of the
// log is not trusted: statements about keys are signed themselves.
func (t *Trust) rotated(ctx context.Context, signed []byte, read ReadFunc, at time.Time, refused error) (*Checkpoint, error) {
	claimed, err := ParseCheckpoint(signed)
	if err != nil || claimed.Origin != t.origin {
		return nil, errors.Join(err, refused)
	}
	trust, l := t, NewLog(claimed, read)
	for from := int64(0); from < claimed.Size; from += tileWidth {
		entries, err := l.Entries(ctx, from, min(from+tileWidth, claimed.Size))
		if err != nil {
			return nil, fmt.Errorf("%w; the log was searched for the key: %w", refused, err)
		}
		trust = WithKeys(trust, from, entries...)
	}
	if trust == t {
		return nil, refused
	}
	return Open(trust, signed, at)
}
