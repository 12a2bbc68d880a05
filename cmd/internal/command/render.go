package command

import (
	"context"
	"errors"
	"fmt"
	"html/template"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/view"
)

func renderCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "render FILE|-",
		Short: "Render a datachain document as an HTML page or as text",
		Long: `Render a datachain document, thin or resolved, as one HTML file without external resources.
It has all languages of the document, and readers choose; --locale is shown first. --format
md and text are for text-only screens, text to speech and letters.

The document is validated first. If it is invalid, the findings are printed on
standard error and nothing is written.

The exit code is 1 if the document has errors.`,
		Example: `  datachain render chain.json -o chain.html
  datachain render chain.resolved.json --locale fr --open
  datachain render chain.json --format text
  datachain render - --store dist < chain.json > chain.html`,
	}
	from := c.Reads(cmd)
	out, format := outFlag(cmd, "html"), console.FormatFlag(cmd, formatHTML, formatMarkdown, formatText)
	locale := localeFlag(cmd, "language of the page (default the first one of the taxonomy)")
	open := openFlag(cmd)
	var address string
	flags.Add(cmd, flags.New("address", "URL at which the page is published, for its code on paper", flags.BaseURL(&address)))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		result := page{*out, *format, *open}
		if err := result.check(cmd, c); err != nil {
			return err
		}
		text, about, err := renderPage(cmd.Context(), c, from, args[0], *format, &view.Options{Locale: *locale, Languages: true, Address: address})
		if err != nil {
			return err
		}
		return result.write(cmd.Context(), c, text, about)
	}
	return cmd
}

// renderPage validates a document and returns its page, and what to say about it. Findings
// are printed.
func renderPage(ctx context.Context, c *console.Console, from *console.Versions, typed, format string, o *view.Options) (page []byte, about string, err error) {
	set, err := from.Open(ctx)
	if err != nil {
		return nil, "", err
	}
	_, shown, err := present(ctx, c, set, typed)
	if err != nil {
		return nil, "", err
	}
	name := inputs.Named(c.Dir, typed).Name
	var summary view.Summary
	if o.Address != "" {
		code, err := sheet.CodeSVG(o.Address)
		if err != nil {
			return nil, "", err
		}
		o.Code = template.HTML(code) //nolint:gosec // our own drawing
	}
	if format == "html" {
		page, summary, err = view.Append(nil, shown, o)
	} else {
		page, summary, err = view.AppendText(nil, shown, view.Format(format), o)
	}
	if errors.Is(err, view.ErrTooLarge) {
		c.PrintError("%s: the page would be larger than %d MiB: place fewer elements, or shorten their texts", name, view.DefaultMaxBytes>>20)
		return nil, "", console.ErrFindings
	}
	if err == nil && o.Locale != "" && !i18n.Same(summary.Locale, o.Locale) {
		c.Say("%s has no texts in %s; the page is in %s.", name, i18n.English(o.Locale), i18n.English(summary.Locale))
	}
	about = fmt.Sprintf("%s in %s, in %s", wording.Count(summary.Elements, "element"), wording.Count(summary.Sections, "section"), i18n.English(summary.Locale))
	return page, about, err
}

// present validates a document and prepares it to be shown. Findings are printed.
func present(ctx context.Context, c *console.Console, set *stores.Set, typed string) (text []byte, shown *datachain.Presentation, err error) {
	d, text, err := c.ReadInput(ctx, typed)
	if err != nil {
		return nil, nil, err
	}
	v, shown, err := set.Present(ctx, text)
	if e, ok := errors.AsType[*datachain.Error](err); ok && e.Kind != datachain.KindFailure {
		return nil, nil, unopened(ctx, c, set, d, text, err)
	}
	if err != nil {
		return nil, nil, err
	}
	return text, shown, c.PrintFindings(set.Report(d, text, v, nil, false))
}
