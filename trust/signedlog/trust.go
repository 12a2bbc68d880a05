package signedlog

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/trust/internal/refusal"
)

// Signer signs checkpoints, and statements about keys. Those that [note.NewSigner] and
// [NewCosigner] return hold a private key; a program can have one that asks a key service.
type Signer interface {
	// Name returns the name of the key: the origin of the log, or the name of the cosigner.
	Name() string
	// KeyHash returns the key id, which the public key has in its text.
	KeyHash() uint32
	// Sign returns the signature of a message.
	Sign(msg []byte) ([]byte, error)
}

// Trust is a parsed trust file: which log a reader trusts, and by which keys. It is immutable
// and safe for concurrent use.
type Trust struct {
	origin       string
	keys         []trustedKey
	cosigners    []*cosigner
	cosignatures int
	maxAge       time.Duration
	maxAgeText   string // as in the file
}

// trustedKey is a key that signs checkpoints.
type trustedKey struct {
	note.Verifier
	from, until time.Time // zero if there is no limit
	// replaced is the smallest size of a log that introduces the next key, which from then on
	// signs alone, or 0.
	replaced int64
}

// validAt reports whether signatures of the key from a time are accepted.
func (k trustedKey) validAt(at time.Time) bool {
	return !at.Before(k.from) && (k.until.IsZero() || !at.After(k.until))
}

// validity says when the key is valid.
func (k trustedKey) validity() string {
	var parts []string
	if !k.from.IsZero() {
		parts = append(parts, "from "+k.from.UTC().Format(time.RFC3339))
	}
	if !k.until.IsZero() {
		parts = append(parts, "until "+k.until.UTC().Format(time.RFC3339))
	}
	return strings.Join(parts, " ")
}

// trustFile is a trust file.
type trustFile struct {
	Origin string `json:"origin"`
	Keys   []struct {
		Key   string    `json:"key"`
		From  time.Time `json:"from,omitzero"`
		Until time.Time `json:"until,omitzero"`
	} `json:"keys"`
	Cosigners []struct {
		Key string `json:"key"`
	} `json:"cosigners,omitempty"`
	Cosignatures int    `json:"cosignatures,omitzero"`
	MaxAge       string `json:"max_age,omitempty"`
}

// ParseTrust parses a trust file; docs/trust.md and package trust describe it.
func ParseTrust(data []byte) (*Trust, error) {
	const form = `a trust file is JSON such as {"origin":"example.org/log","keys":[{"key":"example.org/log+1b2c3d4e+AQ…"}]}, as 'datachain log keys new' prints it`
	var f trustFile
	text := string(bytes.TrimSpace(data))
	switch kind := kindOf(text); {
	case kind == privateKey:
		return nil, errors.New("trust file: it is a private key: keep it secret, and use the file that 'datachain log keys new' printed")
	case kind != noKey:
		return nil, fmt.Errorf("trust file: it is a public key alone: %s", form)
	case !strings.HasPrefix(text, "{"):
		return nil, fmt.Errorf("trust file: it is empty, or not a JSON object: %s", form)
	}
	if err := jsonfields.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("trust file: %s; %s", strings.TrimPrefix(err.Error(), "jsontext: "), form)
	}
	t := &Trust{origin: f.Origin, cosignatures: f.Cosignatures, maxAgeText: f.MaxAge}
	switch {
	case f.Origin == "":
		return nil, fmt.Errorf("trust file: origin is missing, the first line of the checkpoint; %s", form)
	case strings.ContainsFunc(f.Origin, func(r rune) bool { return r < ' ' }):
		return nil, fmt.Errorf("trust file: origin is %s, but must be one line: the first one of the checkpoint", wording.Quote(f.Origin))
	case len(f.Keys) == 0:
		return nil, fmt.Errorf("trust file: keys is missing, the public keys that sign the log; %s", form)
	case f.Cosignatures < 0 || f.Cosignatures > len(f.Cosigners):
		return nil, fmt.Errorf("trust file: cosignatures must be from 0 to %d, the number of cosigners", len(f.Cosigners))
	case f.MaxAge != "" && len(f.Cosigners) == 0:
		return nil, errors.New("trust file: max_age needs cosigners, since only they state the time")
	}
	for i, k := range f.Keys {
		v, err := note.NewVerifier(k.Key)
		if err != nil {
			err = wrongKey(k.Key)
		}
		if err == nil && !k.From.IsZero() && !k.Until.IsZero() && k.Until.Before(k.From) {
			err = errors.New("until is before from")
		}
		if err == nil && slices.ContainsFunc(t.keys, func(other trustedKey) bool { return sameKey(other, v) }) {
			err = errors.New("the key is listed twice")
		}
		if err != nil {
			return nil, fmt.Errorf("trust file: keys[%d]: %w", i, err)
		}
		t.keys = append(t.keys, trustedKey{Verifier: v, from: k.From, until: k.Until})
	}
	for i, k := range f.Cosigners {
		v, err := newCosignerVerifier(k.Key)
		if err != nil && kindOf(k.Key) != noKey {
			err = wrongKey(k.Key)
		}
		if err == nil && slices.ContainsFunc(t.cosigners, func(other *cosigner) bool { return other.key.Equal(v.key) }) {
			err = errors.New("the key is listed twice")
		}
		if err != nil {
			return nil, fmt.Errorf("trust file: cosigners[%d]: %w", i, err)
		}
		t.cosigners = append(t.cosigners, v)
	}
	var err error
	t.maxAge, err = parseAge(f.MaxAge)
	return t, err
}

// keyKind is what a text is.
type keyKind int

const (
	noKey keyKind = iota
	privateKey
	logKey
	cosignerKey
)

// kindOf returns which kind of key a text is.
func kindOf(text string) keyKind {
	if strings.HasPrefix(text, "PRIVATE+KEY+") {
		return privateKey
	}
	if _, err := note.NewVerifier(text); err == nil {
		return logKey
	}
	if _, err := newCosignerVerifier(text); err == nil {
		return cosignerKey
	}
	return noKey
}

// wrongKey says why a text is not the key that belongs in its place.
func wrongKey(text string) error {
	switch kindOf(text) {
	case privateKey:
		return errors.New("it is a private key: keep it secret, and write the public one, which 'datachain log keys show' prints")
	case logKey:
		return errors.New("it is a key that signs logs: move it to keys, or write that of a cosigner, which 'datachain log keys new --cosigner' creates")
	case cosignerKey:
		return errors.New("it is the key of a cosigner: move it to cosigners, and write the one that signs the log")
	}
	return errors.New("it must be a public key such as example.org/log+1b2c3d4e+AQ…, as 'datachain log keys show' prints it: this one is incomplete or was changed")
}

// sameKey reports whether signatures name two keys alike.
func sameKey(a, b note.Verifier) bool { return a.Name() == b.Name() && a.KeyHash() == b.KeyHash() }

var age = regexp.MustCompile(`^([1-9][0-9]{0,5})([smhd])$`)

func parseAge(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	parts := age.FindStringSubmatch(text)
	if parts == nil {
		return 0, fmt.Errorf("trust file: max_age is %s, but must be a number of s, m, h or d, such as 36h", wording.Quote(text))
	}
	n, err := strconv.Atoi(parts[1])
	unit := map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[parts[2]]
	return time.Duration(n) * unit, err
}

// Origin returns the name of the log.
func (t *Trust) Origin() string { return t.origin }

// Uncosigned returns the trust without what it requires of cosigners, for one of them.
func (t *Trust) Uncosigned() *Trust { return &Trust{origin: t.origin, keys: t.keys} }

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

// keyName names a key among those of a log, which have the same name.
func keyName(name string, hash uint32) string { return fmt.Sprintf("%s+%08x", name, hash) }

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
	if cosigned := c.CosignedAt(); !cosigned.IsZero() {
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
	switch cosigned := c.CosignedAt(); {
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

// endorsement is the first line of a statement about a key.
const endorsement = "datachain key/v1"

// endorsementText returns the statement that a key signs checkpoints of a log from a time on.
func endorsementText(origin, key string, at time.Time) string {
	return endorsement + "\n" + origin + "\n" + key + "\n" + at.UTC().Format(time.RFC3339) + "\n"
}

// Endorse returns the entry that introduces a key to a log, with a statement that the key used
// until now signs. Readers that trust that key so trust the new one. Without a signer, which is
// right for the first key of a log, there is no statement.
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
