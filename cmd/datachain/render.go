package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/view"
)

// renderFlags say how a page is made, and where it goes.
type renderFlags struct {
	out, locale string
	open        bool
}

func (p *program) renderCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "render FILE|-",
		Short: "Show a datachain as a page for browsers",
		Long: `Show a datachain as a page for browsers: one HTML file that needs nothing else, to
be read, sent, printed and published.

The document may be thin or resolved. It is validated first; what is wrong with it
is printed as validate does, on standard error, and nothing is written.

Exits with 1 where the document has errors.`,
		Example: `  datachain render chain.json -o chain.html
  datachain render chain.resolved.json --locale fr --open
  datachain render - --store dist < chain.json > chain.html`,
		Args:              takes(1, "FILE"),
		ValidArgsFunction: completeJSON,
	}
	var f renderFlags
	from := originFlags(cmd, "")
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write to this `file` instead of standard output")
	cmd.Flags().StringVar(&f.locale, "locale", "", "`language` of the page (default the first of the taxonomy)")
	cmd.Flags().BoolVar(&f.open, "open", false, "show the page in a browser")
	// These fail only for a flag that is not there.
	_ = cmd.MarkFlagFilename("out", "html")
	_ = cmd.RegisterFlagCompletionFunc("locale", cobra.NoFileCompletions)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := from.check(cmd); err != nil {
			return err
		}
		if err := checkLocale(cmd, f.locale); err != nil {
			return err
		}
		page, err := p.render(cmd.Context(), *from, args[0], f.locale)
		if err != nil {
			return err
		}
		return p.deliver(cmd.Context(), page, f)
	}
	return cmd
}

// render validates a document and makes its page. Findings are printed.
func (p *program) render(ctx context.Context, from origin, typed, locale string) ([]byte, error) {
	s, err := p.openLibrary(ctx, from)
	if err != nil {
		return nil, err
	}
	defer s.close()
	j, err := newJudge(ctx, s, "")
	if err != nil {
		return nil, err
	}
	d, text, err := p.readValid(ctx, j, typed)
	if err != nil {
		return nil, err
	}
	_, shown, err := datachain.New(s, &datachain.Options{MaxCPU: -1}).Present(ctx, text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	summary, err := view.Write(&b, shown, &view.Options{Locale: locale})
	if errors.Is(err, view.ErrTooLarge) {
		p.complain("%s: the page would have more than %d MiB: place fewer elements, or shorten their texts", d.name, view.DefaultMaxBytes>>20)
		return nil, errFindings
	}
	if err == nil && locale != "" && !sameLanguage(summary.Locale, locale) {
		p.say("%s is not written in %s; the page is in %s.", d.name, locale, summary.Locale)
	}
	return b.Bytes(), err
}

func sameLanguage(a, b string) bool {
	a, _, _ = strings.Cut(a, "-")
	b, _, _ = strings.Cut(b, "-")
	return strings.EqualFold(a, b)
}

// deliver writes the page, and shows it if that was asked for.
func (p *program) deliver(ctx context.Context, page []byte, f renderFlags) error {
	path := p.path(f.out)
	switch {
	case f.out != "":
		if err := replace(path, page); err != nil {
			return fmt.Errorf("--out %s: %s", f.out, reason(err))
		}
	case f.open:
		// A browser reads it after this program has ended, so it stays.
		file, err := os.CreateTemp("", "datachain-*.html")
		if err != nil {
			return err
		}
		_, err = file.Write(page)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		path = file.Name()
	default:
		_, err := p.stdout.Write(page)
		return err
	}
	if !f.open {
		return nil
	}
	if err := p.browse(ctx, path); err != nil {
		return fmt.Errorf("--open: %w: open %s yourself", err, path)
	}
	return nil
}

// browse shows a file in the browser of the desktop.
func browse(ctx context.Context, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	command := []string{"xdg-open", path}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open", path}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", path}
	}
	// The browser may outlive this program.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], command[1:]...) //nolint:gosec // the file is ours
	if err := cmd.Start(); err != nil {
		return errors.New("no browser could be started")
	}
	return cmd.Process.Release()
}
