// Package keys creates and reads the keys that sign the log of a store. A private key is in a file or
// in an environment variable, or a program signs with it, for example in a KMS.
package keys

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/publish"
)

// privatePrefix begins private keys.
const privatePrefix = "PRIVATE+KEY+"

// ErrName means that a key can't have a name.
var ErrName = errors.New("must not have spaces or a plus sign")

var errDamaged = errors.New("the private key is damaged: restore it from a copy")

// Create writes a new private key to a new file that only the user can read, and returns the public
// key.
func Create(file, name string) (public string, err error) {
	private, public, err := note.GenerateKey(rand.Reader, name)
	if err == nil {
		_, err = note.NewVerifier(public)
	}
	if err != nil {
		return "", ErrName
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintln(f, private)
	return public, errors.Join(err, f.Close())
}

// Public returns the public key of a private one.
func Public(private string) (string, error) {
	parts := strings.SplitN(strings.TrimPrefix(private, privatePrefix), "+", 3)
	if len(parts) != 3 {
		return "", errDamaged
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) != 1+ed25519.SeedSize {
		return "", errDamaged
	}
	public := ed25519.NewKeyFromSeed(raw[1:]).Public().(ed25519.PublicKey) //nolint:errcheck,forcetypeassert // always one
	return parts[0] + "+" + parts[1] + "+" + base64.StdEncoding.EncodeToString(append(raw[:1:1], public...)), nil
}

// Reader reads keys as they were typed: the name of a file, relative to a directory, or env:NAME.
type Reader struct {
	Dir    string
	Getenv func(string) string
	// Limit is how long a program may take to sign; 0 is the default.
	Limit time.Duration
}

// Private reads a private key. Others must not be able to read its file.
func (r Reader) Private(typed string) (string, error) {
	if name, ok := strings.CutPrefix(typed, "env:"); ok {
		key := strings.TrimSpace(r.Getenv(name))
		if !strings.HasPrefix(key, privatePrefix) {
			return "", fmt.Errorf("the environment variable %s must hold a private key, which begins with %s", name, privatePrefix)
		}
		return key, nil
	}
	info, err := os.Stat(files.Absolute(r.Dir, typed))
	var text []byte
	if err == nil {
		text, err = os.ReadFile(files.Absolute(r.Dir, typed))
	}
	if err != nil {
		return "", errors.New(wording.Reason(err))
	}
	key := strings.TrimSpace(string(text))
	if !strings.HasPrefix(key, privatePrefix) {
		return "", fmt.Errorf("it must hold a private key, which begins with %s: 'datachain log keys new' creates one", privatePrefix)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("others can read the key: run 'chmod 600 %s'", typed)
	}
	return key, nil
}

// Signer reads the private key that signs a log.
func (r Reader) Signer(typed string) (*publish.Key, error) {
	private, err := r.Private(typed)
	if err != nil {
		return nil, err
	}
	public, err := Public(private)
	if err != nil {
		return nil, err
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		return nil, errDamaged
	}
	return &publish.Key{Signer: signer, Public: public}, nil
}

// defaultLimit is how long a program may take to sign: it may ask for a PIN.
const defaultLimit = 2 * time.Minute

// program signs with a program, and verifies its signatures.
type program struct {
	note.Verifier
	run func(stdin []byte) (stdout []byte, err error)
}

// Program returns a key with which a program signs, until ctx ends. The public key is its text, or the
// name of a file with it.
func (r Reader) Program(ctx context.Context, public, command string) (*publish.Key, error) {
	if text, err := os.ReadFile(files.Absolute(r.Dir, public)); err == nil {
		public = string(text)
	}
	public = strings.TrimSpace(public)
	v, err := note.NewVerifier(public)
	if err != nil {
		return nil, errors.New("--key must name the public key that belongs to --key-command, or a file with it")
	}
	limit := cmp.Or(r.Limit, defaultLimit)
	words := strings.Fields(command)
	return &publish.Key{Public: public, Signer: program{v, func(stdin []byte) ([]byte, error) {
		within, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		cmd := exec.CommandContext(within, words[0], words[1:]...) //nolint:gosec // the user named it
		cmd.WaitDelay = time.Second                                // if programs that it has started go on
		var out, problems bytes.Buffer
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = r.Dir, bytes.NewReader(stdin), &out, &problems
		err := cmd.Run()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case within.Err() != nil:
			return nil, fmt.Errorf("--key-command %s: it did not end within %v, so nothing was published", words[0], limit)
		case err != nil:
			if problem := strings.TrimSpace(problems.String()); problem != "" {
				err = fmt.Errorf("%w: %s", err, wording.Clip(wording.Plain(problem)))
			}
			return nil, advice.Add(fmt.Errorf("--key-command %s: %w", words[0], err),
				"Nothing was published. Run the program by hand: it gets bytes on standard input and prints their Ed25519 signature.")
		}
		return out.Bytes(), nil
	}}}, nil
}

// Sign implements [note.Signer].
func (p program) Sign(msg []byte) ([]byte, error) {
	out, err := p.run(msg)
	if err != nil {
		return nil, err
	}
	sig := out
	if len(sig) != ed25519.SignatureSize {
		if sig, err = base64.StdEncoding.DecodeString(strings.TrimSpace(string(out))); err != nil || len(sig) != ed25519.SignatureSize {
			return nil, fmt.Errorf("--key-command printed %d bytes, which are not a signature, so nothing was published: "+
				"it must print an Ed25519 signature, as 64 bytes or in base64", len(out))
		}
	}
	if !p.Verify(msg, sig) {
		return nil, errors.New("--key-command printed a signature that the public key of --key does not verify, so nothing was published: " +
			"name the public key that the program signs with, and let it sign the bytes as they are")
	}
	return sig, nil
}
