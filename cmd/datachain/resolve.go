package main

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy/ledger"
)

func (p *program) resolveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resolve FILE|-",
		Short: "Make a datachain document self-contained",
		Long: `Make a datachain document self-contained: embed the part of the schema that it uses,
so that it can be read without a store.

The document is validated first. If it is invalid, the findings are printed on
standard error and nothing is written. The result is canonical JSON (RFC 8785).

--symbols adds the symbols of the icons as a member symbols, so that a page of the result
needs nothing else. --proof writes a proof of what the result is made of, which 'datachain
verify' checks offline: to the file that is named after it or, without one, beside the
result as NAME.proof.json. The store must have a log. --max-bytes does not count symbols.

The exit code is 1 if the document has errors, or if the result is too large.`,
		Example: `  datachain resolve chain.json -o chain.resolved.json
  datachain resolve - --store dist < chain.json
  datachain resolve chain.json --store dist --symbols --proof -o chain.resolved.json
  datachain resolve - --store dist --proof chain.proof.json < chain.json`,
		ValidArgsFunction: completeJSON,
	}
	from := p.locationFlags(cmd)
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	most := resolve.DefaultMaxBytes
	cmd.Flags().Var(newValue("bytes", "524288", integer(&most, 1<<30)), "max-bytes", "maximum size of the result")
	completeOut(cmd, "json")
	symbols := cmd.Flags().Bool("symbols", false, "add the symbols of the icons")
	proof := cmd.Flags().String("proof", "", "also write a proof, to this `file` or, without one, beside the result as NAME.proof.json")
	cmd.Flags().Lookup("proof").NoOptDefVal = besideResult
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		return takes(1, "FILE")(cmd, p.takeProof(args, proof))
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		typed := p.takeProof(args, proof)[0]
		proofFile := *proof
		if proofFile == besideResult {
			if proofFile = proofName(cmp.Or(*out, typed)); *out == "" && typed == "-" {
				return errors.New("--proof needs a file name for a document from standard input: use --proof FILE")
			}
		}
		text, proven, err := p.resolve(cmd.Context(), *from, typed, most, *symbols, proofFile != "")
		if err != nil {
			return err
		}
		if proofFile != "" {
			if err := p.writeResult(proofFile, proven, ""); err != nil {
				return err
			}
		}
		if *out == "" && p.stdoutTerminal {
			text = append(text, '\n')
		}
		return p.writeResult(*out, text, "")
	}
	return cmd
}

// besideResult stands for a file of the proof that is not named.
const besideResult = "NAME.proof.json"

// takeProof takes the file of the proof from the arguments. Since the flag can be used without
// a value, a file after it is parsed as an argument.
func (p *program) takeProof(args []string, proof *string) []string {
	if next := slices.Index(p.args, "--proof") + 1; len(args) > 1 && 0 < next && next < len(p.args) {
		if i := slices.Index(args, p.args[next]); i >= 0 {
			*proof = args[i]
			return slices.Concat(args[:i], args[i+1:])
		}
	}
	return args
}

// resolve validates and resolves a document, and proves the result if that is wanted.
// Findings are printed.
func (p *program) resolve(ctx context.Context, from stores.Location, typed string, most int, symbols, prove bool) (result, proof []byte, err error) {
	schemas, err := p.open(ctx, from)
	if err != nil {
		return nil, nil, err
	}
	d, text, err := p.readOne(ctx, typed)
	if err != nil {
		return nil, nil, err
	}
	service, err := datachain.New(schemas.store, &datachain.Options{MaxCPU: -1, MaxBytes: most})
	if err != nil {
		return nil, nil, err
	}
	schema, err := service.OpenFor(ctx, text)
	if err != nil {
		return nil, nil, p.unopened(ctx, schemas, d, text, err)
	}
	v, bundle, err := schema.Resolve(ctx, text, nil)
	if large, ok := errors.AsType[*resolve.TooLargeError](err); ok {
		p.complain("%s: the resolved document has %d bytes; at most %d are allowed: place fewer elements, or raise --max-bytes", d.name, large.Size, large.Max)
		return nil, nil, errFindings
	}
	if err != nil {
		return nil, nil, err
	}
	if err := p.printFindings(schemas.newFile(d, text, v, nil, false)); err != nil {
		return nil, nil, err
	}
	if result = bundle.AppendJSON(nil); symbols {
		var none *ledger.Prover
		if result, err = none.Include(ctx, schema.Release(), result, "symbols"); err != nil {
			return nil, nil, err
		}
	}
	if prove {
		proof, err = p.prove(ctx, schemas, schema.Release(), result)
	}
	return result, proof, err
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
