package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/serve"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *program) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve taxonomies to a language model over standard input and output",
		Long: `Serve the Model Context Protocol (MCP) over standard input and output: tools that
read taxonomies, and that validate, resolve and render datachain documents. MCP
clients start this command. The log goes to standard error. What is served is chosen
as by 'datachain serve'.

'datachain serve' offers the same at /mcp. Each flag can be set with an environment
variable, such as DATACHAIN_STORE for --store.`,
		Example: `  datachain mcp
  datachain mcp --schemas taxonomies
  datachain mcp --store https://datachain.example --base-url https://datachain.example`,
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	s := p.mcpFlags(cmd)
	cmd.RunE = p.server(s, func(ctx context.Context, store taxonomy.Store, _ *serve.LogWriter) error {
		if p.stderrTerminal {
			p.say("Serving MCP on standard input and output. This command is meant to be started by an MCP client; see 'datachain mcp --help'.")
		}
		s.Logger.Info("serving MCP", "source", s.source)
		return serve.Stdio(ctx, store, p.stdin, p.stdout, &s.Options)
	})
	return cmd
}
