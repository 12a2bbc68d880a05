package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/watch"
	"github.com/datachain-go/datachain/trust"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// privatePrefix begins private keys.
const privatePrefix = "PRIVATE+KEY+"

// signing is how the log of a store is signed, as flags say it.
type signing struct{ key, command string }

// readTrust reads the file of --trust.
func (p *program) readTrust() error {
	text, err := os.ReadFile(p.path(p.trustFile))
	if err == nil {
		p.trust, err = trust.ParseTrust(text)
	}
	if err != nil {
		return errors.New(wording.Reason(err))
	}
	return nil
}

// open returns the key that was named, or nil.
func (s signing) open(ctx context.Context, p *program) (*publish.Key, error) {
	switch {
	case s.key == "":
		return nil, nil //nolint:nilnil // the log, if there is one, is asked for
	case s.command != "":
		return commandKey(ctx, p, s)
	}
	return p.privateKey("--key", s.key)
}

// privateKey returns the key that signs a log, which a flag names.
func (p *program) privateKey(flag, typed string) (*publish.Key, error) {
	private, err := p.readKey(flag, typed)
	if err != nil {
		return nil, err
	}
	public, err := publicKey(private)
	if err == nil {
		var signer note.Signer
		if signer, err = note.NewSigner(private); err == nil {
			return &publish.Key{Signer: signer, Public: public}, nil
		}
		err = errDamaged
		if _, cosigner := signedlog.NewCosigner(private, time.Now()); cosigner == nil {
			err = errors.New("it is the key of a cosigner, which can't sign a log: create one with 'datachain log keys new' without --cosigner")
		}
	}
	return nil, fmt.Errorf("%s %s: %w", flag, typed, err)
}

var errDamaged = errors.New("the private key is damaged: restore it from a copy")

// publicKey returns the public key of a private one, of a signer or a cosigner.
func publicKey(private string) (string, error) {
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

// readKey reads a private key from a file that only the user can read, or from a variable.
func (p *program) readKey(flag, typed string) (string, error) {
	if name, ok := strings.CutPrefix(typed, "env:"); ok {
		text := strings.TrimSpace(p.getenv(name))
		if !strings.HasPrefix(text, privatePrefix) {
			return "", fmt.Errorf("%s: the environment variable %s must hold a private key, which begins with %s", flag, name, privatePrefix)
		}
		return text, nil
	}
	info, err := os.Stat(p.path(typed))
	var text []byte
	if err == nil {
		text, err = os.ReadFile(p.path(typed))
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %s", flag, typed, wording.Reason(err))
	}
	key := strings.TrimSpace(string(text))
	if !strings.HasPrefix(key, privatePrefix) {
		return "", fmt.Errorf("%s %s: it must hold a private key, which begins with %s: 'datachain log keys new' creates one, and with --cosigner that of a cosigner", flag, typed, privatePrefix)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s %s: others can read the key: run 'chmod 600 %s'", flag, typed, typed)
	}
	return key, nil
}

// signLimit is how long a --key-command may take: it may ask for a PIN.
const signLimit = 2 * time.Minute

// commandSigner signs with a program.
type commandSigner struct {
	note.Verifier
	run func(stdin []byte) (stdout []byte, err error)
}

// commandKey returns the key that a program signs with, until ctx ends.
func commandKey(ctx context.Context, p *program, s signing) (*publish.Key, error) {
	public := strings.TrimSpace(s.key)
	if text, err := os.ReadFile(p.path(s.key)); err == nil {
		public = strings.TrimSpace(string(text))
	}
	v, err := note.NewVerifier(public)
	if err != nil {
		return nil, errors.New("--key must name the public key that belongs to --key-command, or a file with it")
	}
	command := strings.Fields(s.command)
	limit := cmp.Or(p.signLimit, signLimit)
	return &publish.Key{Public: public, Signer: commandSigner{v, func(stdin []byte) ([]byte, error) {
		within, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		cmd := exec.CommandContext(within, command[0], command[1:]...) //nolint:gosec // the user named it
		cmd.WaitDelay = time.Second                                    // for programs that it has started
		var out, problems bytes.Buffer
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.dir, bytes.NewReader(stdin), &out, &problems
		err := cmd.Run()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case within.Err() != nil:
			return nil, fmt.Errorf("--key-command %s: it did not end within %v, so nothing was published", command[0], limit)
		case err != nil:
			if said := strings.TrimSpace(problems.String()); said != "" {
				err = fmt.Errorf("%w: %s", err, wording.Clip(wording.Plain(said)))
			}
			return nil, advise(fmt.Errorf("--key-command %s: %w", command[0], err),
				"Nothing was published. Run the program by hand: it gets bytes on standard input and prints their Ed25519 signature.")
		}
		return out.Bytes(), nil
	}}}, nil
}

// Sign implements [note.Signer]. What the program prints is verified.
func (c commandSigner) Sign(msg []byte) ([]byte, error) {
	out, err := c.run(msg)
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
	if !c.Verify(msg, sig) {
		return nil, errors.New("--key-command printed a signature that the public key of --key does not verify, so nothing was published: " +
			"name the public key that the program signs with, and let it sign the bytes as they are")
	}
	return sig, nil
}

func (p *program) logCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "log",
		Short: "Sign what a store publishes: its log and the keys of it",
		Long: `Sign what a store publishes. The log of a store has an entry for each publication, and a
key signs it. Readers verify the store with --trust FILE, which has the public key; see
docs/trust.md. A store gets a log when something is published with --key.`,
	}, with(&cobra.Command{
		Use:   "keys",
		Short: "Create keys and show their public keys",
		Long:  "Create the keys that sign the log of a store, and show their public keys.",
	}, p.keysNewCommand(), p.keysShowCommand()), p.adoptCommand(), p.rotateCommand(), p.cosignCommand())
}

func (p *program) keysNewCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new NAME --out FILE",
		Short: "Create a key",
		Long: `Create a key, write the private key to a file that only you can read, and print the
trust file for readers. NAME names the log, usually as a URL without a scheme. It can't
be changed later.

With --cosigner it is the key of 'datachain log cosign', and what is printed is its public
key, for cosigners in the trust file.`,
		Example: `  datachain log keys new example.org/taxonomies --out signing.key > trust.json
  datachain log keys new example.org/clock --cosigner --out cosigner.key`,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cosigner := switchFlag(cmd, "cosigner", "create a key for 'datachain log cosign'")
	var out string
	flags.Add(cmd, flags.New("out", "file for the private key, which must not exist", flags.File(&out)))
	flags.Require(cmd, "out")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		generate := note.GenerateKey
		if *cosigner {
			generate = signedlog.NewCosignerKey
		}
		private, public, err := generate(rand.Reader, args[0])
		if err == nil && !*cosigner { // whose key has another type
			_, err = note.NewVerifier(public)
		}
		if err != nil {
			return fmt.Errorf("NAME %s: it must not have spaces or a plus sign: use a URL without a scheme, such as example.org/taxonomies", wording.Quote(args[0]))
		}
		f, err := os.OpenFile(p.path(out), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_, err = fmt.Fprintln(f, private)
			err = errors.Join(err, f.Close())
		}
		switch {
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("--out %s: the file exists, and a key is never overwritten: name another file", out)
		case err != nil:
			return fmt.Errorf("--out %s: %s", out, wording.Reason(err))
		}
		lost := "the log can't be continued"
		if *cosigner {
			lost = "readers need a trust file with another cosigner"
		}
		p.say("Wrote the private key to %s. Keep a copy in a safe place: without it, %s.", out, lost)
		text := []byte(public)
		if !*cosigner {
			if text, err = json.MarshalIndent(map[string]any{"origin": args[0], "keys": []any{map[string]string{"key": public}}}, "", "  "); err != nil {
				return err
			}
		}
		return p.printf("%s\n", text)
	}
	return cmd
}

func (p *program) keysShowCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show KEY",
		Short:   "Print the public key of a private key",
		Long:    `Print the public key of a private key: that of a file, or of an environment variable as env:NAME.`,
		Example: `  datachain log keys show signing.key`,
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		private, err := p.readKey("KEY", args[0])
		if err != nil {
			return err
		}
		public, err := publicKey(private)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		return p.printf("%s\n", public)
	}
	return cmd
}

func (p *program) rotateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rotate --store STORE --key OLD --new-key NEW",
		Short: "Let another key sign the log of a store",
		Long: `Introduce another key to the log of a store, with a statement that the current key signs.
Publish with the new key from then on. Readers whose trust file has only the old key
follow the log as long as it has the statement; add the new key to trust files, and
remove the old one when all readers have the new one.

If the old key was stolen, a thief can introduce keys as well: then replace the old key
in all trust files.`,
		Example: `  datachain log keys new example.org/taxonomies --out next.key
  datachain log rotate --store dist --key signing.key --new-key next.key`,
	}
	p.changes(cmd)
	var next string
	flags.Add(cmd, flags.New("new-key", "the new private key", flags.Text(&next, "file|env:NAME", "a file or env:NAME")))
	flags.Require(cmd, "key", "new-key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		key, err := p.privateKey("--new-key", next)
		if err != nil {
			return err
		}
		switch current, err := p.signing.open(cmd.Context(), p); {
		case err != nil:
			return err
		case current.Public == key.Public:
			return fmt.Errorf("--new-key %s: it is the key that --key names: create another one with 'datachain log keys new'", next)
		}
		if err := p.hasLog(); err != nil {
			return err
		}
		if _, err := p.changeStore(cmd.Context(), func(t publish.Target) (*publish.Report, error) {
			return nil, publish.Rotate(cmd.Context(), t, key)
		}); err != nil {
			return err
		}
		return p.printf("Introduced %s. Publish with it from now on, and add it to trust files.\n", key.Public)
	}
	return cmd
}

func (p *program) adoptCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "adopt --store STORE --key KEY",
		Short: "Begin the log of a store that has releases or documents",
		Long: `Begin the signed log of a store with an entry for each release and document that it has
now. From then on the store can only be changed with the key.

The log proves nothing about the time before: whether a release was replaced, removed or
published earlier than the log says, and what a document said between its editions.`,
		Example: `  datachain log adopt --store dist --key signing.key`,
	}
	p.changes(cmd)
	flags.Require(cmd, "key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return p.adopt(cmd.Context()) }
	return cmd
}

func (p *program) adopt(ctx context.Context) error {
	store := p.from.Store
	opened, err := p.openChanged(ctx)
	if err != nil {
		return err
	}
	var docs *publishing.Report
	report, err := p.changeStore(ctx, func(t publish.Target) (*publish.Report, error) {
		report, err := publish.Adopt(ctx, t, opened.Release)
		if err == nil {
			docs, err = publishing.Adopt(ctx, t)
		}
		return report, err
	})
	if err != nil {
		return err
	}
	if !report.Changed && !docs.Changed {
		return p.printf("%s has a log already, with everything in it.\n", store)
	}
	p.say("The log proves nothing about the time before now: whether a release was replaced or removed, and when it was published, is only what the store says.")
	return p.printf("Adopted %s into a log: %s.\n", store, counted(wording.Count(report.Index.Len(), "release"), amount{len(report.Index.Retired()), "retired"}))
}

func (p *program) cosignCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cosign --store STORE --key KEY --trust FILE",
		Short: "State that the checkpoint of a store is the newest one",
		Long: `Add a cosignature with the current time to the checkpoint of the log of a store, after
verifying it: a key of the trust file signed it, and the log only grew since the last
one that this command has seen. Readers whose trust file has the public key and max_age
refuse a checkpoint without a recent cosignature.

Run it every hour, and after publishing, with a key of its own: this key is online, the
one that signs need not be.`,
		Example: `  datachain log cosign --store dist --key cosigner.key --trust trust.json`,
	}
	p.setOrigin(cmd, &origin{flags: []string{"store", "trust", "s3-endpoint", "s3-region"}, required: []string{"store", "trust"}})
	var key string
	flags.Add(cmd, flags.New("key", "private key of the cosigner", flags.Text(&key, "file|env:NAME", "a file or env:NAME")))
	flags.Require(cmd, "key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return p.cosign(cmd.Context(), key) }
	return cmd
}

// hasLog returns an error if a directory is not a store with a log, before it is opened as one
// to publish into, which would create it.
func (p *program) hasLog() error {
	if p.from.Bucket() || p.from.Remote() {
		return nil
	}
	if _, err := os.Stat(filepath.Join(p.path(p.from.Store), watch.LogDir, signedlog.CheckpointFile)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--store %s: it has no log: check the directory, or begin a log with 'datachain log adopt'", p.from.Store)
	}
	return nil
}

func (p *program) cosign(ctx context.Context, key string) error {
	private, err := p.readKey("--key", key)
	if err != nil {
		return err
	}
	cosigner, err := signedlog.NewCosigner(private, p.now())
	if err != nil {
		return fmt.Errorf("--key %s: it is not the key of a cosigner: create one with 'datachain log keys new --cosigner'", key)
	}
	trusted, err := p.signersOf(p.trustFile)
	if err != nil {
		return fmt.Errorf("--trust %s: %w", p.trustFile, err)
	}
	if err := p.hasLog(); err != nil {
		return err
	}
	var last, seen []byte
	var size int64
	memory := watch.NewSeenFile(p.seenDir, trusted.Origin())
	if p.seenDir != "" {
		last = memory.Load()
	}
	_, err = p.changeStore(ctx, func(t publish.Target) (_ *publish.Report, err error) {
		seen, size, err = publish.Cosign(ctx, t, trusted, last, cosigner)
		return nil, err
	})
	switch trust.Reason(err) {
	case "unknown_key", "origin", "expired_key":
		return advise(err, "Nothing was cosigned. Use the publisher's newest trust file for --trust.")
	case "rollback", "fork":
		return advise(err, "Nothing was cosigned. The store is an older copy, or its log was rewritten: ask the publisher, and keep "+memory.File()+", which has what was seen before.")
	}
	if err != nil {
		return err
	}
	if p.seenDir != "" {
		memory.Save(seen)
	}
	return p.printf("Cosigned the checkpoint of %s, which has %d entries.\n", p.from.Store, size)
}

// signersOf reads a trust file without what it requires of cosigners: one that has not signed
// for long must be able to sign again.
func (p *program) signersOf(file string) (*trust.Trust, error) {
	text, err := os.ReadFile(p.path(file))
	if err != nil {
		return nil, errors.New(wording.Reason(err))
	}
	if _, err := trust.ParseTrust(text); err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	for _, name := range []string{"cosigners", "cosignatures", "max_age"} {
		delete(fields, name)
	}
	if text, err = json.Marshal(fields); err != nil {
		return nil, err
	}
	return trust.ParseTrust(text)
}
