package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/lsp"
	"github.com/datachain-go/datachain/internal/serve"
)

func (p *program) lspCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Check documents and schema sources in an editor, as a language server",
		Long: `Serve the Language Server Protocol (LSP) over standard input and output. Editors start
this command; docs/editors.md has their settings. It reports what 'datachain validate
--strict' reports while a document is typed, and what 'datachain schema lint' reports
while a schema source is edited.

All documents of the workspace are checked, also those that are not open.

Documents are validated against a schema source as it is edited, published versions,
or the built-in sample taxonomies. Without --schemas, --store and --samples, a folder
of the workspace that is a schema source serves its own documents; for others, it is
the first such folder, else the working directory if it is one, else the samples.

Each flag can be set with an environment variable, such as DATACHAIN_STORE for --store.
The exit code is 1 if the editor ends the session without a shutdown request.`,
		Example: `  datachain lsp
  datachain lsp --schemas taxonomies
  datachain lsp --store https://datachain.example`,
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	s := lspFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := p.fromEnvironment(cmd); err != nil {
			return err
		}
		if err := s.check(cmd); err != nil {
			return err
		}
		return p.serveEditor(cmd.Context(), s)
	}
	return cmd
}

// lspFlags adds the flags of lsp to a command.
func lspFlags(cmd *cobra.Command) *settings {
	s := &settings{editor: true}
	addFlags(cmd, s.sourceFlags(),
		flagGroup{"Links", []flagRow{
			{"base-url", "URL", "", "URL of a service whose pages explain the codes of findings (default the repository)", baseURL(&s.HTTP.BaseURL)},
		}},
		flagGroup{"Logging", s.logFlags()},
	)
	return s
}

// serveEditor serves the editor that started the command.
func (p *program) serveEditor(ctx context.Context, s *settings) error {
	out := serve.NewLogWriter(p.stderr)
	defer out.Flush()
	out.Immediate()
	s.Logger = newLogger(out, s)
	if p.stderrTerminal {
		p.say("Serving LSP on standard input and output. This command is meant to be started by an editor; see 'datachain lsp --help'.")
	}
	releases := p.newEditorReleases(s)
	server := lsp.New(releases.common, &lsp.Options{
		Version: p.versionAnswer().Version, BaseURL: s.HTTP.BaseURL, SavePage: p.pageSaver(), Folder: releases.folder,
	})
	err := server.Serve(ctx, lsp.NewStream(p.stdin, p.stdout, nil))
	switch {
	case ctx.Err() != nil:
		return nil // a signal ends it, as usual
	case errors.Is(err, lsp.ErrNoShutdown):
		return errFindings
	}
	return err
}

// pageSaver returns a function that saves pages of documents in a temporary directory,
// which is removed when the command has ended. A document has one page, so that a browser
// that shows it can reload it.
func (p *program) pageSaver() func(document string, page []byte) (string, error) {
	dir := sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "datachain-lsp-*")
		if err == nil {
			p.atEnd(func() { _ = os.RemoveAll(dir) }) // what is left is temporary
		}
		return dir, err
	})
	return func(document string, page []byte) (string, error) {
		dir, err := dir()
		if err != nil {
			return "", fmt.Errorf("can't save the page: %s", reason(err))
		}
		sum := sha256.Sum256([]byte(document))
		file := filepath.Join(dir, hex.EncodeToString(sum[:8])+".html")
		if err := os.WriteFile(file, page, 0o600); err != nil {
			return "", fmt.Errorf("can't save the page: %s", reason(err))
		}
		return fileURI(file), nil
	}
}

// fileURI returns the URI of an absolute path.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/taxonomies
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// filePath returns the path of a file URI.
func filePath(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	path := filepath.FromSlash(u.Path)
	if drive := filepath.FromSlash(u.Path[min(1, len(u.Path)):]); filepath.VolumeName(drive) != "" {
		path = drive // /C:/taxonomies
	}
	return path, filepath.IsAbs(path)
}
