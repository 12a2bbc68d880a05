package command

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/product"
	"github.com/datachain-go/datachain/resolve"
)

func resolveCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resolve FILE|-",
		Short: "Make a datachain document self-contained",
		Long: `Make a datachain document self-contained: embed the part of the schema that it uses,
so that it can be read without a store.

The document is validated first. If it is invalid, the findings are printed on
standard error and nothing is written. The result is canonical JSON (RFC 8785).

--symbols adds the symbols of the icons, so that a page of the result needs nothing else;
--max-bytes does not count them.

The exit code is 1 if the document has errors, or if the result is too large.`,
		Example: `  datachain resolve chain.json -o chain.resolved.json
  datachain resolve - --store dist < chain.json`,
	}
	from := c.Reads(cmd)
	out, symbols := outFlag(cmd, "json"), switchFlag(cmd, "symbols", "add the symbols of the icons")
	var most int
	flags.Add(cmd, flags.New("max-bytes", "maximum size of the result", flags.Integer(&most, 1<<30).Shown("bytes").Default(strconv.Itoa(resolve.DefaultMaxBytes))))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		text, err := resolveFile(cmd.Context(), c, from, args[0], most, *symbols)
		if err != nil {
			return err
		}
		if *out == "" && c.StdoutTerminal {
			text = append(text, '\n')
		}
		return c.WriteResult(*out, text, "")
	}
	return cmd
}

// resolveFile validates and resolves a document. It prints the findings.
func resolveFile(ctx context.Context, c *console.Console, from *console.Versions, typed string, most int, symbols bool) ([]byte, error) {
	set, err := from.Open(ctx)
	if err != nil {
		return nil, err
	}
	d, text, err := c.ReadInput(ctx, typed)
	if err != nil {
		return nil, err
	}
	service, err := product.New(set.Store, &datachain.Options{MaxInput: -1, MaxCPU: -1, MaxBytes: most})
	if err != nil {
		return nil, err
	}
	schema, err := service.OpenFor(ctx, text)
	if err != nil {
		return nil, unopened(ctx, c, set, d, text, err)
	}
	v, bundle, err := schema.Resolve(ctx, text, nil)
	if large, ok := errors.AsType[*resolve.TooLargeError](err); ok {
		c.PrintError("%s: the resolved document has %d bytes; at most %d are allowed: place fewer elements, or raise --max-bytes", d.Name, large.Size, large.Max)
		return nil, console.ErrFindings
	}
	if err != nil {
		return nil, err
	}
	if err := c.PrintFindings(set.Report(d, text, v, nil, false)); err != nil {
		return nil, err
	}
	result := bundle.AppendJSON(nil)
	if symbols {
		return resolve.WithSymbols(schema.Release(), result)
	}
	return result, nil
}

// unopened returns the error for a document whose version can't be opened. It prints the findings
// in the document.
func unopened(ctx context.Context, c *console.Console, set *stores.Set, d inputs.Input, text []byte, err error) error {
	v, e := set.Validate(ctx, text, nil)
	if found := c.PrintFindings(set.Report(d, text, v, e, false)); found != nil {
		return found
	}
	return err
}
