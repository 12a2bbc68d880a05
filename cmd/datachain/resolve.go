package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/report"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy/document"
)

func (p *program) resolveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resolve FILE|-",
		Short: "Make a datachain self-contained",
		Long: `Make a datachain self-contained: embed the slice of the schema that it uses, so
that it means the same without any store.

The document is validated first; what is wrong with it is printed as validate does,
on standard error, and nothing is written. The answer is canonical JSON (RFC 8785).

Exits with 1 where the document has errors, or would be too large.`,
		Example: `  datachain resolve chain.json -o chain.resolved.json
  datachain resolve - --store dist < chain.json`,
		Args:              takes(1, "FILE"),
		ValidArgsFunction: completeJSON,
	}
	from := originFlags(cmd, "")
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	most := resolve.DefaultMaxBytes
	cmd.Flags().Var(numberValue(&most, 1<<30), "max-bytes", "refuse a result of more `bytes`")
	_ = cmd.MarkFlagFilename("out", "json") // fails only for a flag that is not there
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := from.check(cmd); err != nil {
			return err
		}
		bundle, err := p.resolve(cmd.Context(), *from, args[0], most)
		if err != nil {
			return err
		}
		text := bundle.AppendJSON(nil)
		if *out == "" {
			if p.stdoutTerminal {
				text = append(text, '\n')
			}
			_, err = p.stdout.Write(text)
			return err
		}
		if err := replace(p.path(*out), text); err != nil {
			return fmt.Errorf("--out %s: %s", *out, reason(err))
		}
		return nil
	}
	return cmd
}

// readValid reads the document that was typed, "-" being standard input, and
// prints what is wrong with it. One that is not valid is an error.
func (p *program) readValid(ctx context.Context, j *judge, typed string) (input, []byte, error) {
	d := input{name: stdinName}
	if typed != "-" {
		d = input{name: typed, path: p.path(typed)}
	}
	text, err := await(ctx, func() ([]byte, error) { return p.read(d) })
	if err != nil {
		return d, nil, fmt.Errorf("%s: %w", d.name, err)
	}
	r := &report.Report{Files: []report.File{j.one(ctx, d, text)}}
	if len(r.Files[0].Findings) > 0 {
		if err := report.Text(p.stderr, r, &report.Options{Color: bool(p.errStyle())}); err != nil {
			return d, nil, err
		}
		p.say("%s", r.Summary())
	}
	return d, text, ending(r)
}

// resolve validates a document and resolves it. Findings are printed.
func (p *program) resolve(ctx context.Context, from origin, typed string, most int) (*resolve.Bundle, error) {
	s, err := p.openLibrary(ctx, from)
	if err != nil {
		return nil, err
	}
	defer s.close()
	j, err := newJudge(ctx, s, "")
	if err != nil {
		return nil, err
	}
	j.thin = true
	d, text, err := p.readValid(ctx, j, typed)
	if err != nil {
		return nil, err
	}
	doc, err := document.Parse(text)
	if err != nil {
		return nil, err
	}
	release, err := j.pinned(ctx, doc)
	if err != nil {
		return nil, err
	}
	bundle, err := resolve.Resolve(release, doc, &resolve.Options{MaxBytes: most, Interrupt: ctx.Err})
	if large, ok := errors.AsType[*resolve.TooLargeError](err); ok {
		p.complain("%s: the resolved document would have %d bytes, and at most %d are allowed: place fewer different elements, or raise --max-bytes", d.name, large.Size, large.Max)
		return nil, errFindings
	}
	return bundle, err
}
