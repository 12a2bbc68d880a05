package command

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/usage"
)

// pageFormats are the formats that a browser shows and a terminal does not.
var pageFormats = map[string]string{formatHTML: "an HTML page", "svg": "an SVG image", "pdf": "a PDF file"}

// page says where a command writes a page: to the file of --out, with --open into a browser, or else into
// a pipe or what standard output was redirected to. A page is never printed on a terminal.
type page struct {
	out, format string
	open        bool
}

// openFlag adds --open to a command that writes a page.
func openFlag(cmd *cobra.Command) *bool { return switchFlag(cmd, "open", "show the page in a browser") }

// check refuses a page that nothing would show. Texts can be printed on a terminal.
func (p page) check(cmd *cobra.Command, c *console.Console) error {
	what, isPage := pageFormats[p.format]
	switch {
	case p.open && !isPage:
		return usage.Error(cmd, "--open requires --format html")
	case isPage && p.out == "" && !p.open && c.StdoutTerminal:
		return usage.Error(cmd, "%q writes %s, which is not for a terminal: name a file with -o, or show it with --open", cmd.CommandPath(), what)
	}
	return nil
}

// write writes a page, or a text instead of it, and says what it wrote.
func (p page) write(ctx context.Context, c *console.Console, content []byte, about string) error {
	if p.out != "" || !p.open {
		if err := c.WriteResult(p.out, content, about); err != nil {
			return err
		}
	}
	if !p.open {
		return nil
	}
	path := c.Path(p.out)
	if p.out == "" {
		// The file is kept, because the browser may read it after this program has ended.
		file, err := os.CreateTemp("", "datachain-*."+p.format)
		if err != nil {
			return err
		}
		_, err = file.Write(content)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		path = file.Name()
		if about != "" {
			about = ": " + about
		}
		c.Say("Wrote %s%s.", path, about)
	}
	if err := c.Browse(ctx, path); err != nil {
		return fmt.Errorf("--open: %w; open %s yourself", err, path)
	}
	return nil
}
