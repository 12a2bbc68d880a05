package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/editor"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/editors/lsp"
)

func lspCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Check documents and sources in an editor (language server)",
		Long: `Serve the Language Server Protocol (LSP) over standard input and output. Editors start
this command; docs/editors.md has their settings. It reports what 'datachain validate
--strict' reports while a document is typed, and what 'datachain schema lint' reports
while a schema source is edited.

Documents are validated against a schema source as it is edited, published versions,
or the built-in sample taxonomies. Without --schemas, --store and --samples, a folder
of the workspace that has a project file datachain.yaml, or is a schema source, serves
its own documents; for others, it is the first such folder, else the working directory,
else the samples. A project file can name only directories inside its repository.

Each flag can be set with an environment variable, such as DATACHAIN_STORE for --store.
The exit code is 1 if the editor ends the session without a shutdown request.`,
		Example: `  datachain lsp
  datachain lsp --schemas taxonomies
  datachain lsp --store https://datachain.example`,
	}
	from := c.ReadsLater(cmd) // folders of the workspace have their own
	s := new(settings)
	flags.AddGroups(cmd, s.sourceFlags(),
		flags.Group{Title: "Links", Flags: []flags.Flag{
			flags.New("base-url", "URL of a service whose pages explain the codes of findings (default the repository)", flags.BaseURL(&s.HTTP.BaseURL)),
		}},
		flags.Group{Title: "Logging", Flags: s.logFlags()},
	)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s.from = from.Location
		return serveEditor(cmd.Context(), c, from, s)
	}
	return cmd
}

// serveEditor serves the editor that started the command.
func serveEditor(ctx context.Context, c *console.Console, from *console.Versions, s *settings) error {
	s.Logger = server.NewLogger(c.Stderr, s.logFormat, s.logLevel)
	if c.StderrTerminal {
		c.Say("Serving LSP on standard input and output. This command is meant to be started by an editor; see 'datachain lsp --help'.")
	}
	w := editor.New(editor.Options{From: s.from, Stores: servedOptions(from, s), UID: c.UID})
	defer w.Close()
	server := lsp.New(w.Common, &lsp.Options{Version: c.Version().Version, BaseURL: s.HTTP.BaseURL, SavePage: w.SavePage, Folder: w.Folder})
	err := server.Serve(ctx, lsp.NewStream(c.Stdin, c.Stdout))
	switch {
	case ctx.Err() != nil:
		return nil // a signal ends it, as usual
	case errors.Is(err, lsp.ErrNoShutdown):
		return console.ErrFindings
	}
	return err
}
