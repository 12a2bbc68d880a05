package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/keys"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// publisher changes the store that --store names, and signs its log with the key that --key names.
type publisher struct {
	*console.Versions

	keys         keys.Reader
	key, program string // as they were typed
}

// publishes makes a command change a store. The store and the key that signs its log come from the
// command line only. With other global flags, the store is not required.
func publishes(c *console.Console, cmd *cobra.Command, others ...string) *publisher {
	required := []string{"store"}
	if len(others) > 0 {
		required, others = nil, append(others, "store")
	}
	p := &publisher{Versions: c.Requires(cmd, required, append(others, "s3-endpoint", "s3-region")...), keys: keyReader(c)}
	flags.Add(cmd,
		flags.New("key", "private key that signs the log of the store; required if the store has one", flags.Key(&p.key)),
		flags.New("key-command", "program that signs, such as with a KMS; see 'datachain log'", flags.Text(&p.program, "command", "a command")),
	)
	flags.Needs(cmd, "key-command", "key")
	return p
}

// keyReader returns a reader for keys that are named on the command line.
func keyReader(c *console.Console) keys.Reader {
	return keys.Reader{Dir: c.Dir, Getenv: c.Getenv, Limit: c.SignLimit}
}

// store returns the location of the store: --samples can name what is published into it.
func (p *publisher) store() stores.Location {
	return stores.Location{Store: p.Location.Store, By: p.Location.By}
}

// open opens the store for reading.
func (p *publisher) open(ctx context.Context) (*stores.Opened, error) {
	if l := p.store(); l.Remote() && !l.Bucket() {
		return nil, fmt.Errorf("--store %s: %w", stores.Redacted(l.Store), stores.ErrServer)
	}
	return p.OpenStore(ctx, p.store(), nil)
}

// entry opens the store and returns its index, and in it the entry of a version that is named by its id.
// The verb says what to do with it.
func (p *publisher) entry(ctx context.Context, version, verb string) (*taxonomy.Index, taxonomy.Entry, error) {
	s, err := p.open(ctx)
	if err != nil {
		return nil, taxonomy.Entry{}, err
	}
	x, err := s.Index(ctx)
	if err != nil {
		return nil, taxonomy.Entry{}, err
	}
	e, err := sources.Exactly(x, version, verb)
	return x, e, err
}

// signingKey returns the key that signs the log, or nil if none was named.
func (p *publisher) signingKey(ctx context.Context) (*publish.Key, error) {
	switch {
	case p.key == "":
		return nil, nil //nolint:nilnil // the log, if there is one, is asked for
	case p.program != "":
		return p.keys.Program(ctx, p.key, p.program)
	}
	return signer(p.keys, "--key", p.key)
}

// signer returns the signing key that a flag names.
func signer(r keys.Reader, flag, typed string) (*publish.Key, error) {
	key, err := r.Signer(typed)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, typed, err)
	}
	return key, nil
}

// change changes the store.
func (p *publisher) change(ctx context.Context, change func(t publish.Target) (*publish.Report, error)) (*publish.Report, error) {
	key, err := p.signingKey(ctx)
	if err != nil {
		return nil, err
	}
	o := p.Options()
	report, err := stores.Change(ctx, p.store(), o, key, change)
	if e, ok := errors.AsType[*fs.PathError](err); ok && e.Path == files.Absolute(o.Dir, p.Location.Store) {
		err = e.Err // the message names the store
	}
	if err != nil {
		return nil, fmt.Errorf("--store %s: %w", stores.Redacted(p.Location.Store), err)
	}
	return report, nil
}

// changeDocuments changes the documents in the store.
func (p *publisher) changeDocuments(ctx context.Context, change func(publish.Target) (*publishing.Report, error)) (*publishing.Report, error) {
	var result *publishing.Report
	_, err := p.change(ctx, func(t publish.Target) (_ *publish.Report, err error) {
		result, err = change(t)
		return nil, err
	})
	return result, err
}
