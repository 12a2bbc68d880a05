package command

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/flags"
)

// changes makes a command change a store. The store and the key that signs its log come from the
// command line only. With other location flags, the store is not required.
func (p *program) changes(cmd *cobra.Command, others ...string) {
	if len(others) > 0 {
		p.Require(cmd, nil, append(others, "store", "s3-endpoint", "s3-region")...)
	} else {
		p.Require(cmd, []string{"store"}, "s3-endpoint", "s3-region")
	}
	flags.Add(cmd,
		flags.New("key", "private key that signs the log of the store; required if the store has one", flags.Key(&p.signing.key)),
		flags.New("key-command", "program that signs, such as with a KMS; see 'datachain log'", flags.Text(&p.signing.command, "command", "a command")),
	)
	flags.Needs(cmd, "key-command", "key")
}

// schemas returns the schema source that a command changes (default the working directory).
func (p *program) schemas() string { return cmp.Or(p.From.Schemas, ".") }
