package signedlog

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/trust/internal/refusal"
)

// Open verifies the signatures of a checkpoint. A key must be valid at the newest time that a
// trusted cosigner states, or, without one, at the given time, which usually is now. The error
// wraps one of the reasons of this package. It does not check the age.
func Open(t *Trust, signed []byte, at time.Time) (*Checkpoint, error) {
	if len(signed) > maxNote {
		return nil, fmt.Errorf("%w: it has more than %d bytes", refusal.ErrCheckpoint, maxNote)
	}
	var known []note.Verifier
	for _, k := range t.keys {
		known = append(known, k)
	}
	for _, c := range t.cosigners {
		known = append(known, c)
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
		raw, err := base64.StdEncoding.Strict().DecodeString(sig.Base64)
		if err != nil {
			return fmt.Errorf("%w: that of the key %s is not in canonical base64", refusal.ErrSignature, sig.Name)
		}
		if i := slices.IndexFunc(t.keys, func(k trustedKey) bool { return k.Name() == sig.Name && k.KeyHash() == sig.Hash }); i >= 0 {
			signed = append(signed, t.keys[i])
			continue
		}
		seconds := binary.BigEndian.Uint64(raw[4:])
		c.Cosigned = append(c.Cosigned, Cosignature{sig.Name, time.Unix(int64(seconds), 0).UTC()}) //nolint:gosec // the verifier refuses more
	}
	if len(signed) == 0 {
		return t.unknownKey(n)
	}
	if len(c.Cosigned) < t.cosignatures {
		return fmt.Errorf("%w: it has %d, the trust file requires %d", refusal.ErrCosignature, len(c.Cosigned), t.cosignatures)
	}
	if cosigned := c.cosignedAt(); !cosigned.IsZero() {
		at = cosigned
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

// Fresh checks that the newest cosignature of a checkpoint is not older than the trust file
// allows, and not from the future. The error wraps trust.ErrStale.
func (t *Trust) Fresh(c *Checkpoint, at time.Time) error {
	if t.maxAge == 0 {
		return nil
	}
	switch cosigned := c.cosignedAt(); {
	case cosigned.IsZero():
		return fmt.Errorf("%w: it has no cosignature, and the trust file requires one of the last %s", refusal.ErrStale, t.maxAgeText)
	case at.Sub(cosigned) > t.maxAge:
		return fmt.Errorf("%w: it was cosigned last at %s, which is before the last %s that the trust file requires: "+
			"the store is an old copy, its cosigner has stopped, or the clock of this machine is wrong, which shows %s",
			refusal.ErrStale, cosigned.Format(time.RFC3339), t.maxAgeText, at.UTC().Format(time.RFC3339))
	case cosigned.Sub(at) > ClockTolerance:
		return fmt.Errorf("%w: it was cosigned at %s, which is in the future: the clock of the cosigner is wrong, or that of this machine, which shows %s",
			refusal.ErrStale, cosigned.Format(time.RFC3339), at.UTC().Format(time.RFC3339))
	}
	return nil
}

// Follow reads the checkpoint of a log and returns the log at it. It verifies the signatures
// and the age of the checkpoint, and that the log only grew since the last one that the reader
// has seen, which is nil at first. If a key signed that the trust file does not have, it looks
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
	if err := t.Fresh(c, at); err != nil {
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
