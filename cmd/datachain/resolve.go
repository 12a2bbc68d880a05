package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/schemas"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/trust"
)

func (p *program) resolveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resolve FILE|-",
		Short: "Make a datachain document self-contained",
		Long: `Make a datachain document self-contained: embed the part of the schema that it uses,
so that it can be read without a store.

The document is validated first. If it is invalid, the findings are printed on
standard error and nothing is written. The result is canonical JSON (RFC 8785).

--proof writes a proof of what the result is made of, which 'datachain verify' checks
offline; it requires a store with a log. --symbols adds the symbols of the icons, so that a
page of the result needs nothing else; --max-bytes does not count them.

The exit code is 1 if the document has errors, or if the result is too large.`,
		Example: `  datachain resolve chain.json -o chain.resolved.json
  datachain resolve - --store dist < chain.json
  datachain resolve chain.json --symbols -o chain.resolved.json \
    --proof chain.resolved.proof.json --store dist`,
	}
	p.Read(cmd)
	out, symbols := outFlag(cmd, "json"), switchFlag(cmd, "symbols", "add the symbols of the icons")
	var most int
	var proof string
	flags.Add(cmd,
		flags.New("max-bytes", "maximum size of the result", flags.Integer(&most, 1<<30).Shown("bytes").Default(strconv.Itoa(resolve.DefaultMaxBytes))),
		flags.New("proof", "also write a proof to this file", flags.File(&proof, "json")),
	)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		text, proven, err := p.resolve(cmd.Context(), args[0], most, *symbols, proof != "")
		if err != nil {
			return err
		}
		if proof != "" {
			if err := p.WriteResult(proof, proven, ""); err != nil {
				return err
			}
		}
		if *out == "" && p.StdoutTerminal {
			text = append(text, '\n')
		}
		return p.WriteResult(*out, text, "")
	}
	return cmd
}

// resolve validates and resolves a document and, with prove, proves the result. It prints the
// findings.
func (p *program) resolve(ctx context.Context, typed string, most int, symbols, prove bool) (result, proof []byte, err error) {
	set, err := p.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	d, text, err := p.readOne(ctx, typed)
	if err != nil {
		return nil, nil, err
	}
	service, err := datachain.New(set.Store, &datachain.Options{MaxInput: -1, MaxCPU: -1, MaxBytes: most})
	if err != nil {
		return nil, nil, err
	}
	schema, err := service.OpenFor(ctx, text)
	if err != nil {
		return nil, nil, p.unopened(ctx, set, d, text, err)
	}
	v, bundle, err := schema.Resolve(ctx, text, nil)
	if large, ok := errors.AsType[*resolve.TooLargeError](err); ok {
		p.PrintError("%s: the resolved document has %d bytes; at most %d are allowed: place fewer elements, or raise --max-bytes", d.Name, large.Size, large.Max)
		return nil, nil, console.ErrFindings
	}
	if err != nil {
		return nil, nil, err
	}
	if err := p.PrintFindings(set.Report(d, text, v, nil, false)); err != nil {
		return nil, nil, err
	}
	if result = bundle.AppendJSON(nil); symbols {
		if result, err = resolve.WithSymbols(schema.Release(), result); err != nil {
			return nil, nil, err
		}
	}
	if prove {
		proof, err = p.prove(ctx, set, schema.Release(), result)
	}
	return result, proof, err
}

// unopened returns the error for a document whose version can't be opened. It prints the findings
// in the document.
func (p *program) unopened(ctx context.Context, set *schemas.Set, d inputs.Input, text []byte, err error) error {
	v, e := set.Validate(ctx, text, nil)
	if found := p.PrintFindings(set.Report(d, text, v, e, false)); found != nil {
		return found
	}
	return err
}

// prove returns the proof of a resolved document, from the log of its store.
func (p *program) prove(ctx context.Context, set *schemas.Set, r *taxonomy.Release, text []byte) ([]byte, error) {
	read := stores.LogOf(set.Store)
	if read == nil {
		return nil, errors.New("--proof requires a store with a log: name it with --store")
	}
	doc, err := document.Parse(text)
	if err != nil {
		return nil, err
	}
	proof, err := trust.NewProver(read).Prove(ctx, r, doc, "")
	if errors.Is(err, taxonomy.ErrNotFound) {
		return nil, fmt.Errorf("--proof: %w: publish with a key ('datachain schema publish --key')", err)
	}
	if err != nil {
		return nil, err
	}
	return document.MarshalCanonical(proof)
}
