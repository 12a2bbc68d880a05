package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/taxonomy"
)

func mcpCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve taxonomies to a language model over standard I/O",
		Long: `Serve the Model Context Protocol (MCP) over standard input and output: tools that
read taxonomies, and that validate, resolve and render datachain documents. MCP
clients start this command. The log goes to standard error. 'datachain serve' offers
the same at /mcp.

Each flag has an environment variable, such as DATACHAIN_STORE for --store.`,
		Example: `  datachain mcp
  datachain mcp --schemas taxonomies
  datachain mcp --store https://datachain.example --base-url https://datachain.example`,
	}
	from := c.Reads(cmd)
	s := &settings{mcp: true, mcpSessionless: true}
	flags.AddGroups(cmd, s.sourceFlags(),
		flags.Group{Title: "Addresses", Flags: []flags.Flag{
			flags.New("base-url", "URL of the REST API, used for the URLs of icons (default: icons are inlined)", flags.BaseURL(&s.HTTP.BaseURL)),
		}},
		flags.Group{Title: "Logging", Flags: s.logFlags()},
	)
	cmd.RunE = runServer(c, from, nil, s, func(ctx context.Context, store taxonomy.Store) error {
		if c.StderrTerminal {
			c.Say("Serving MCP on standard input and output. This command is meant to be started by an MCP client; see 'datachain mcp --help'.")
		}
		s.Logger.Info("serving MCP", "source", s.source)
		return server.Stdio(ctx, store, c.Stdin, c.Stdout, &s.Options)
	})
	return cmd
}
