package signedlog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust/internal/refusal"
)

// Trust is a parsed trust file: which log a reader trusts, and by which keys. It is immutable
// and safe for concurrent use.
type Trust struct {
	origin string
	keys   []trustedKey
	at     time.Time // when keys must be valid, zero for now
}

// trustedKey is a key that signs checkpoints.
type trustedKey struct {
	note.Verifier
	from, until time.Time // zero if there is no limit
	// replaced is the smallest size of a log that introduces the next key, which from then on
	// signs alone, or 0.
	replaced int64
}

// validAt reports whether the key is valid at a time: from and until are the first and the last
// one at which it is.
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
	t := &Trust{origin: f.Origin}
	switch {
	case f.Origin == "":
		return nil, fmt.Errorf("trust file: origin is missing, the first line of the checkpoint; %s", form)
	case strings.ContainsFunc(f.Origin, func(r rune) bool { return r < ' ' }):
		return nil, fmt.Errorf("trust file: origin is %s, but must be one line: the first one of the checkpoint", wording.Quote(f.Origin))
	case len(f.Keys) == 0:
		return nil, fmt.Errorf("trust file: keys is missing, the public keys that sign the log; %s", form)
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
	return t, nil
}

// Origin returns the name of the log.
func (t *Trust) Origin() string { return t.origin }

// At returns the trust for an old copy of a log: keys must be valid at a time instead of now.
// Nothing proves that the copy is of that time.
func (t *Trust) At(at time.Time) *Trust {
	copied := *t
	copied.at = at
	return &copied
}

// contradiction returns an error if the last entry of a log is of a later day than that of
// [Trust.At]: a copy that has it is not that old. It wraps trust.ErrExpired.
func (t *Trust) contradiction(last time.Time) error {
	if t.at.IsZero() || last.Before(t.at.AddDate(0, 0, 1)) {
		return nil
	}
	return fmt.Errorf("%w: the log has an entry of %s, so the copy is not of %s, as was claimed", refusal.ErrExpired, last.Format(time.RFC3339), t.at.UTC().Format(time.DateOnly))
}
