package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/trust"
)

func (p *program) verifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify FILE|- --trust FILE",
		Short: "Verify the proof of a resolved document, offline",
		Long: `Verify the proof of a resolved document with a trust file, which names the keys that you
trust. It needs no network and no store. Get the trust file from the publisher, such as
from its website, and not with the document.

The proof is --proof, else the member proof of the document, else FILE with .proof.json
instead of .json. The report begins with what is proven: the whole document, if a register
published exactly this, or only its schema snapshot, the parts of the taxonomy in it. Then
it says which release and publisher they are of, and what is not proven.

The exit code is 0 only if the whole document is proven. A proof that 'resolve --proof'
wrote covers the snapshot alone: check that with --snapshot.`,
		Example: `  datachain verify crossing.resolved.json --proof crossing.proof.json --trust trust.json
  datachain verify chain.resolved.json --trust trust.json --snapshot --format json`,
	}
	p.Require(cmd, []string{"trust"})
	p.OldCopies(cmd)
	snapshot := switchFlag(cmd, "snapshot", "check only the schema snapshot, and not what the document says")
	format := console.FormatFlag(cmd, formatText, formatJSON)
	var proof string
	flags.Add(cmd, flags.New("proof", "file with the proof", flags.File(&proof, "json")))
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		check := trust.VerifyDocument
		if *snapshot {
			check = trust.VerifySnapshot
		}
		report, err := p.verify(cmd.Context(), args[0], proof, check)
		refused := errors.Is(err, taxonomy.ErrProof) || trust.Reason(err) != ""
		if err != nil && !refused {
			return nil, err
		}
		a := &verifyAnswer{Outcome: console.Outcome{OK: err == nil}, Report: report, file: args[0], err: err}
		if err != nil {
			a.Reason, a.Error = trust.Reason(err), err.Error()
		}
		return a, nil
	})
	return cmd
}

// verifyAnswer is the output of `datachain verify --format json`.
type verifyAnswer struct {
	console.Outcome
	Reason string `json:"reason,omitempty"`
	Error  string `json:"error,omitempty"`
	// Report is what is proven, or nil.
	*trust.Report

	file string
	err  error // why not everything is proven
}

func (a *verifyAnswer) print(p *program, _ string) error {
	if a.Report == nil {
		p.PrintError("%s is not proven: %s", a.file, a.err)
		p.Say("%s", trust.Advice(a.err))
		return nil
	}
	if a.err != nil {
		p.Say("%s If the snapshot is all that you want to check, use --snapshot.", trust.Advice(a.err))
	}
	if claimed := p.Claimed(); claimed != "" {
		p.Say("%s", claimed)
	}
	return p.Printf("%s", wording.Printable(a.Report.String()))
}

// verify verifies a document with a function of package trust.
func (p *program) verify(ctx context.Context, typed, proofFile string, check func(*trust.Trust, []byte, []byte, time.Time) (*trust.Report, error)) (*trust.Report, error) {
	if err := p.ReadTrust(); err != nil {
		return nil, err
	}
	_, doc, err := p.readOne(ctx, typed)
	if err != nil {
		return nil, err
	}
	var proof []byte
	if proofFile == "" && !hasMember(doc, "proof") {
		if typed == "-" {
			return nil, errors.New("--proof is required: the document has no member proof")
		}
		proofFile = proofName(typed)
	}
	if proofFile != "" {
		if _, proof, err = p.readOne(ctx, proofFile); err != nil {
			return nil, fmt.Errorf("the proof: %w; name its file with --proof", err)
		}
	}
	return check(p.Trust, doc, proof, time.Now())
}

// hasMember reports whether a document has a member.
func hasMember(text []byte, key string) bool {
	doc, err := document.Parse(text)
	if err != nil {
		return false
	}
	_, ok := doc.Root().Get(key)
	return ok
}

// proofName returns the file of the proof of a document: doc.proof.json beside doc.json.
func proofName(typed string) string {
	return strings.TrimSuffix(typed, path.Ext(typed)) + ".proof.json"
}
