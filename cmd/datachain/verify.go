package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/ledger"
)

func (p *program) verifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify FILE|-",
		Short: "Verify offline what a resolved document is made of",
		Long: `Verify the proof of a resolved document with a trust file, which names the keys that you
trust. It needs no network and no store.

The proof is the file FILE with .proof.json instead of .json, or --proof, or the member
proof of the document. The report says what is proven: that the parts of the taxonomy in
the document are those of a release that the publisher signed and, for a document of a
register, that the register published it. It also says what is not proven.

The exit code is 0 only if the document is proven.`,
		Example: `  datachain verify chain.resolved.json --trust trust.json
  datachain verify crossing.resolved.json --proof crossing.proof.json --trust trust.json --format json`,
		Args:              takes(1, "FILE"),
		ValidArgsFunction: completeJSON,
	}
	proof := cmd.Flags().String("proof", "", "`file` with the proof")
	trust := cmd.Flags().String("trust", "", "`file` with the log and the keys that you trust")
	format := formatFlag(cmd, "text", "json")
	completeFlag(cmd, "proof", completeJSON)
	completeFlag(cmd, "trust", completeJSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *trust == "" {
			return errors.New("--trust is missing: get the trust file from the publisher, such as from its website, and not with the document")
		}
		report, err := p.verify(cmd.Context(), args[0], *proof, *trust)
		refused := errors.Is(err, taxonomy.ErrProof) || ledger.Reason(err) != ""
		if err != nil && !refused {
			return err
		}
		answer := struct {
			OK     bool   `json:"ok"`
			Reason string `json:"reason,omitempty"`
			Error  string `json:"error,omitempty"`
			*ledger.Report
		}{OK: err == nil, Report: report}
		if err != nil {
			answer.Reason, answer.Error = ledger.Reason(err), err.Error()
		}
		return p.answer(*format, answer, answer.OK, func() error {
			if !answer.OK {
				p.complain("%s is not proven: %s", args[0], err)
				p.say("%s", ledger.Advice(err))
				return nil
			}
			_, err := fmt.Fprint(p.stdout, prose.Printable(report.String()))
			return err
		})
	}
	return cmd
}

// verify verifies a document.
func (p *program) verify(ctx context.Context, typed, proofFile, trustFile string) (*ledger.Report, error) {
	_, text, err := p.readOne(ctx, trustFile)
	if err != nil {
		return nil, err
	}
	trust, err := ledger.ParseTrust(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", trustFile, err)
	}
	_, doc, err := p.readOne(ctx, typed)
	if err != nil {
		return nil, err
	}
	var proof []byte
	if proofFile == "" && !hasMember(doc, "proof") {
		if typed == "-" {
			return nil, errors.New("--proof is missing: the document has no member proof")
		}
		proofFile = proofName(typed)
	}
	if proofFile != "" {
		if _, proof, err = p.readOne(ctx, proofFile); err != nil {
			return nil, fmt.Errorf("the proof: %w; name its file with --proof", err)
		}
	}
	return ledger.VerifyDocument(trust, doc, proof, time.Now())
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

// prove proves a resolved document by the log of its store.
func (p *program) prove(ctx context.Context, schemas *schemaSet, r *taxonomy.Release, text []byte) ([]byte, error) {
	read := stores.LogOf(schemas.store)
	if read == nil {
		return nil, errors.New("--proof needs a store that has a log: name it with --store")
	}
	doc, err := document.Parse(text)
	if err != nil {
		return nil, err
	}
	proof, err := ledger.NewProver(read).Prove(ctx, r, doc, "")
	if errors.Is(err, taxonomy.ErrNotFound) {
		return nil, fmt.Errorf("--proof: %w: publish with a key ('datachain schema publish --sign')", err)
	}
	if err != nil {
		return nil, err
	}
	return document.MarshalCanonical(proof)
}
