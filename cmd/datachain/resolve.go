package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/resolve"
)

func (p *program) resolveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resolve FILE|-",
		Short: "Make a datachain document self-contained",
		Long: `Make a datachain document self-contained: embed the part of the schema that it uses,
so that it can be read without a store.

The document is validated first. If it is invalid, the findings are printed on
standard error and nothing is written. The result is canonical JSON (RFC 8785).

The exit code is 1 if the document has errors, or if the result is too large.`,
		Example: `  datachain resolve chain.json -o chain.resolved.json
  datachain resolve - --store dist < chain.json`,
		Args:              takes(1, "FILE"),
		ValidArgsFunction: completeJSON,
	}
	from := p.locationFlags(cmd)
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	most := resolve.DefaultMaxBytes
	cmd.Flags().Var(newValue("bytes", "524288", integer(&most, 1<<30)), "max-bytes", "maximum size of the result")
	completeOut(cmd, "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		text, err := p.resolve(cmd.Context(), *from, args[0], most)
		if err != nil {
			return err
		}
		if *out == "" && p.stdoutTerminal {
			text = append(text, '\n')
		}
		return p.writeResult(*out, text, "")
	}
	return cmd
}

// resolve validates and resolves a document. Findings are printed.
func (p *program) resolve(ctx context.Context, from stores.Location, typed string, most int) ([]byte, error) {
	schemas, err := p.open(ctx, from)
	if err != nil {
		return nil, err
	}
	d, text, err := p.readOne(ctx, typed)
	if err != nil {
		return nil, err
	}
	service, err := datachain.New(schemas.store, &datachain.Options{MaxCPU: -1, MaxBytes: most})
	if err != nil {
		return nil, err
	}
	schema, err := service.OpenFor(ctx, text)
	if err != nil {
		return nil, p.unopened(ctx, schemas, d, text, err)
	}
	v, bundle, err := schema.Resolve(ctx, text, nil)
	if large, ok := errors.AsType[*resolve.TooLargeError](err); ok {
		p.complain("%s: the resolved document has %d bytes; at most %d are allowed: place fewer elements, or raise --max-bytes", d.name, large.Size, large.Max)
		return nil, errFindings
	}
	if err != nil {
		return nil, err
	}
	if err := p.printFindings(schemas.newFile(d, text, v, nil, false)); err != nil {
		return nil, err
	}
	return bundle.AppendJSON(nil), nil
}

// unopened ends a command whose document pins no version that can be opened. What
// else is wrong with the document is printed, too.
func (p *program) unopened(ctx context.Context, schemas *schemaSet, d input, text []byte, err error) error {
	v, e := schemas.Validate(ctx, text, nil)
	if found := p.printFindings(schemas.newFile(d, text, v, e, false)); found != nil {
		return found
	}
	return err
}
