package signedlog

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// algCosignature is the type of keys of cosigners (C2SP signed-note).
const algCosignature = 0x04

// cosigner verifies, and can make, cosignatures (C2SP tlog-cosignature, cosignature/v1).
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
	// private and at are there to sign.
	private ed25519.PrivateKey
	at      time.Time
}

func (c *cosigner) Name() string { return c.name }

func (c *cosigner) KeyHash() uint32 { return c.hash }

// cosignedText returns what a cosigner signs.
func cosignedText(seconds uint64, text []byte) []byte {
	return append(fmt.Appendf(nil, "cosignature/v1\ntime %d\n", seconds), text...)
}

// Verify implements [note.Verifier].
func (c *cosigner) Verify(text, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	seconds := binary.BigEndian.Uint64(sig)
	return seconds <= math.MaxInt64 && ed25519.Verify(c.key, cosignedText(seconds, text), sig[8:])
}

// Sign implements [Signer].
func (c *cosigner) Sign(text []byte) ([]byte, error) {
	seconds := uint64(c.at.Unix()) //nolint:gosec // NewCosigner refuses times before 1970
	return append(binary.BigEndian.AppendUint64(nil, seconds), ed25519.Sign(c.private, cosignedText(seconds, text))...), nil
}

// publicKey returns the public key of a private one, of which it is the second half.
func publicKey(key ed25519.PrivateKey) ed25519.PublicKey {
	return ed25519.PublicKey(key[ed25519.SeedSize:])
}

// keyID returns the number of a key in signatures.
func keyID(name string, key []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), key...))
	return binary.BigEndian.Uint32(sum[:])
}

// NewCosignerKey returns a new key of a cosigner: the private one for [NewCosigner], and the
// public one for a trust file. The name usually is a URL without a scheme, such as
// example.org/witness.
func NewCosignerKey(random io.Reader, name string) (private, public string, err error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(random, seed); err != nil {
		return "", "", fmt.Errorf("signedlog: new key: %w", err)
	}
	full := append([]byte{algCosignature}, publicKey(ed25519.NewKeyFromSeed(seed))...)
	public = fmt.Sprintf("%s+%08x+%s", name, keyID(name, full), base64.StdEncoding.EncodeToString(full))
	if _, err := newCosignerVerifier(public); err != nil {
		return "", "", err
	}
	private = fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", name, keyID(name, full), base64.StdEncoding.EncodeToString(append([]byte{algCosignature}, seed...)))
	return private, public, nil
}

// NewCosigner returns a signer that adds a cosignature with a time to a checkpoint. Before it
// signs, its user must have verified the checkpoint, and that it follows the one that was
// cosigned last.
func NewCosigner(private string, at time.Time) (Signer, error) {
	rest, ok := strings.CutPrefix(private, "PRIVATE+KEY+")
	name, id, seed, err := parseKey(rest, ed25519.SeedSize)
	if !ok || err != nil {
		return nil, errors.New("signedlog: the private key of a cosigner is malformed: create one with NewCosignerKey")
	}
	if at.Unix() < 0 {
		return nil, fmt.Errorf("signedlog: the time of a cosignature must not be before 1970, but is %s", at)
	}
	key := ed25519.NewKeyFromSeed(seed)
	c := &cosigner{name: name, hash: id, key: publicKey(key), private: key, at: at}
	if keyID(name, append([]byte{algCosignature}, c.key...)) != id {
		return nil, errors.New("signedlog: the private key of a cosigner is damaged: its number does not match")
	}
	return c, nil
}

// newCosignerVerifier returns the verifier of a public key of a cosigner.
func newCosignerVerifier(public string) (*cosigner, error) {
	name, id, key, err := parseKey(public, ed25519.PublicKeySize)
	if err == nil && keyID(name, append([]byte{algCosignature}, key...)) != id {
		err = errors.New("its number does not match")
	}
	if err != nil {
		return nil, fmt.Errorf("the key of a cosigner must be <name>+<number>+<base64> with the key type 4: %w", err)
	}
	return &cosigner{name: name, hash: id, key: key}, nil
}

// parseKey parses <name>+<number>+<base64 of the type and the key>.
func parseKey(text string, length int) (name string, id uint32, key []byte, err error) {
	parts := strings.Split(text, "+")
	if len(parts) < 3 {
		return "", 0, nil, errors.New("parts are missing")
	}
	// Base64 can have a plus as well.
	name, number, encoded := parts[0], parts[1], strings.Join(parts[2:], "+")
	n, badNumber := strconv.ParseUint(number, 16, 32)
	raw, badKey := base64.StdEncoding.Strict().DecodeString(encoded)
	if err := errors.Join(badNumber, badKey); err != nil {
		return "", 0, nil, err
	}
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || unicode.IsSpace(r) || r == utf8.RuneError }) ||
		len(number) != 8 || len(raw) != 1+length || raw[0] != algCosignature {
		return "", 0, nil, errors.New("a part is malformed")
	}
	return name, uint32(n), raw[1:], nil
}
