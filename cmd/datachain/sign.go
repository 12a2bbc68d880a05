package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/sign"
	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/stores"
)

func (p *program) signCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sign FILE|-",
		Short: "Make a sign to hang beside a system",
		Long: `Make a sign of a datachain document, thin or resolved: a sheet of paper that says what the
system is for, what data it uses at most and who answers for it, with a QR code that
leads to the page of the document. It is an HTML page that browsers print at its exact
size.

The code leads to a register: --base-url is its URL, and the address of the document is
that of its slug, such as https://register.example.org/d/crossing/. An address must not
change once it was printed.

Text is never made smaller than can be read. If a text is too long, nothing is written
and the message names the field.`,
		Example: `  datachain sign chain.json --base-url https://register.example.org -o sign.html
  datachain sign chain.json --base-url https://register.example.org --size A4 --language de --language en -o sign.html
  datachain sign chain.json --base-url https://register.example.org --kind card -o card.html`,
		Args:              takes(1, "FILE"),
		ValidArgsFunction: completeJSON,
	}
	from := p.locationFlags(cmd)
	var o sign.Options
	base := new(string)
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	completeKind(cmd, cmd.Flags().VarPF(newValue("URL", "", baseURL(base)), "base-url", "", "URL of the register that the code leads to"))
	cmd.Flags().StringVar((*string)(&o.Kind), "kind", string(sign.Sign), "`kind`: "+prose.Or([]string{"sign", "label", "notice", "card"}))
	cmd.Flags().StringVar((*string)(&o.Size), "size", string(sign.A5), "paper `size`: "+prose.Or([]string{"A6", "A5", "A4", "A3", "Letter"}))
	cmd.Flags().StringArrayVar(&o.Locales, "language", nil, "`language` of the sign, up to two times (default the first one of the taxonomy)")
	cmd.Flags().BoolVar(&o.Mono, "mono", false, "for printers without colour")
	cmd.Flags().BoolVar(&o.CutMarks, "cut-marks", false, "mark the corners at which to cut")
	completeOut(cmd, "html")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !strings.Contains(*base, "://") {
			return errors.New("--base-url is required: the code on the sign leads to a page of a register, such as https://register.example.org")
		}
		page, err := p.sign(cmd.Context(), *from, args[0], *base, &o)
		if err != nil {
			return err
		}
		return p.writeResult(*out, page, fmt.Sprintf("%s, %s", o.Kind, o.Size))
	}
	return cmd
}

// sign makes the sign of a document in a file.
func (p *program) sign(ctx context.Context, from stores.Location, typed, base string, o *sign.Options) ([]byte, error) {
	schemas, err := p.open(ctx, from)
	if err != nil {
		return nil, err
	}
	name, shown, err := p.present(ctx, schemas, typed)
	if err != nil {
		return nil, err
	}
	doc := &shown.Datachain.Instance
	details, err := documents.DetailsOf(doc)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	slug, err := documents.SlugOf(doc.ID, details.Slug)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if details.Status == documents.Retired {
		return nil, fmt.Errorf("%s: the system is retired, so it gets no sign", name)
	}
	stamp := cmp.Or(doc.UpdatedAt, doc.CreatedAt)
	date, err := time.Parse(time.DateOnly, stamp[:min(len(stamp), len(time.DateOnly))])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	page, err := sign.Append(nil, &sign.Subject{
		Presentation: shown, Summary: shown.Summary(nil), Address: strings.TrimSuffix(base, "/") + "/d/" + slug + "/", Date: date,
	}, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return page, nil
}
