package signedlog

import (
	"bytes"
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
)

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
