package main

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/adapters/view/sheet"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
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

--symbols adds the symbols of the icons as a member symbols, so that a page of the result
needs nothing else. --proof writes a proof of what the result is made of, which 'datachain
verify' checks offline. The store must have a log. --max-bytes does not count symbols.

The exit code is 1 if the document has errors, or if the result is too large.`,
		Example: `  datachain resolve chain.json -o chain.resolved.json
  datachain resolve - --store dist < chain.json
  datachain resolve chain.json --symbols -o chain.resolved.json \
    --proof chain.resolved.proof.json --store dist`,
		ValidArgsFunction: completeJSON,
	}
	p.reads(cmd)
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
			if err := p.writeResult(proof, proven, ""); err != nil {
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

// resolve validates and resolves a document, and proves the result if that is wanted.
// Findings are printed.
func (p *program) resolve(ctx context.Context, typed string, most int, symbols, prove bool) (result, proof []byte, err error) {
	schemas, err := p.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	d, text, err := p.readOne(ctx, typed)
	if err != nil {
		return nil, nil, err
	}
	service, err := datachain.New(schemas.store, &datachain.Options{MaxInput: -1, MaxCPU: -1, MaxBytes: most})
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
		var none *trust.Prover
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

func (p *program) verifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify FILE|- --trust FILE",
		Short: "Verify offline what a resolved document is made of",
		Long: `Verify the proof of a resolved document with a trust file, which names the keys that you
trust. It needs no network and no store. Get the trust file from the publisher, such as
from its website, and not with the document.

The proof is the file FILE with .proof.json instead of .json, or --proof, or the member
proof of the document. The first line of the report says what is proven: the whole
document, if a register published exactly this, or only its schema snapshot, the parts of
the taxonomy in it. The rest says which release and publisher they are of, and what is not
proven.

The exit code is 0 only if the whole document is proven. A proof that 'resolve --proof'
wrote covers the snapshot alone: check that with --snapshot.`,
		Example: `  datachain verify crossing.resolved.json --proof crossing.proof.json --trust trust.json
  datachain verify chain.resolved.json --trust trust.json --snapshot --format json`,
		ValidArgsFunction: completeJSON,
	}
	p.takes(cmd, "trust")
	snapshot := switchFlag(cmd, "snapshot", "check only the schema snapshot, and not what the document says")
	format := formatFlag(cmd, formatText, formatJSON)
	var proof string
	flags.Add(cmd, flags.New("proof", "file with the proof", flags.File(&proof, "json")))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		check := trust.VerifyDocument
		if *snapshot {
			check = trust.VerifySnapshot
		}
		report, err := p.verify(cmd.Context(), args[0], proof, p.trustFile, check)
		refused := errors.Is(err, taxonomy.ErrProof) || trust.Reason(err) != ""
		if err != nil && !refused {
			return err
		}
		answer := struct {
			OK     bool   `json:"ok"`
			Reason string `json:"reason,omitempty"`
			Error  string `json:"error,omitempty"`
			*trust.Report
		}{OK: err == nil, Report: report}
		if err != nil {
			answer.Reason, answer.Error = trust.Reason(err), err.Error()
		}
		return p.answer(*format, answer, answer.OK, func() error {
			if report == nil {
				p.complain("%s is not proven: %s", args[0], err)
				p.say("%s", trust.Advice(err))
				return nil
			}
			if err != nil {
				p.say("%s If the snapshot is all that you want to check, use --snapshot.", trust.Advice(err))
			}
			return p.printf("%s", wording.Printable(report.String()))
		})
	}
	return cmd
}

// verify verifies a document with a function of package trust.
func (p *program) verify(ctx context.Context, typed, proofFile, trustFile string, check func(*trust.Trust, []byte, []byte, time.Time) (*trust.Report, error)) (*trust.Report, error) {
	_, text, err := p.readOne(ctx, trustFile)
	if err != nil {
		return nil, err
	}
	trusted, err := trust.ParseTrust(text)
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
			return nil, errors.New("--proof is required: the document has no member proof")
		}
		proofFile = proofName(typed)
	}
	if proofFile != "" {
		if _, proof, err = p.readOne(ctx, proofFile); err != nil {
			return nil, fmt.Errorf("the proof: %w; name its file with --proof", err)
		}
	}
	return check(trusted, doc, proof, time.Now())
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
	proof, err := trust.NewProver(read).Prove(ctx, r, doc, "")
	if errors.Is(err, taxonomy.ErrNotFound) {
		return nil, fmt.Errorf("--proof: %w: publish with a key ('datachain schema publish --key')", err)
	}
	if err != nil {
		return nil, err
	}
	return document.MarshalCanonical(proof)
}

func (p *program) renderCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "render FILE|-",
		Short: "Render a datachain document as an HTML page or as text",
		Long: `Render a datachain document, thin or resolved, as one HTML file without external
resources. It has all languages of the document, and readers choose; --locale is the
first one shown. --format md and text write what the page says as Markdown and as plain text,
for text-only screens, text to speech and letters.

The document is validated first. If it is invalid, the findings are printed on
standard error and nothing is written.

The page of a resolved document with a proof, in the file FILE with .proof.json instead of
.json or as its member proof, contains both as files, with the command that checks them.

The exit code is 1 if the document has errors.`,
		Example: `  datachain render chain.json -o chain.html
  datachain render chain.resolved.json --locale fr --open
  datachain render chain.json --format text
  datachain render - --store dist < chain.json > chain.html`,
		ValidArgsFunction: completeJSON,
	}
	p.reads(cmd)
	out, format := outFlag(cmd, "html"), formatFlag(cmd, formatHTML, formatMarkdown, formatText)
	locale := localeFlag(cmd, "language of the page (default the first one of the taxonomy)")
	open := switchFlag(cmd, "open", "open the page in a browser")
	var address string
	flags.Add(cmd, flags.New("address", "URL at which the page is published, for its code on paper", flags.BaseURL(&address)))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *open && *format != formatHTML {
			return badUsage(cmd, "--open requires --format html")
		}
		page, about, err := p.render(cmd.Context(), args[0], *format, &view.Options{Locale: *locale, Languages: true, Address: address})
		if err != nil {
			return err
		}
		if *out != "" || !*open {
			if err := p.writeResult(*out, page, about); err != nil {
				return err
			}
		}
		if *open {
			return p.openPage(cmd.Context(), page, *out, about)
		}
		return nil
	}
	return cmd
}

// render validates a document and returns its page, and what to say about it. Findings
// are printed.
func (p *program) render(ctx context.Context, typed, format string, o *view.Options) (page []byte, about string, err error) {
	schemas, err := p.open(ctx)
	if err != nil {
		return nil, "", err
	}
	text, shown, err := p.present(ctx, schemas, typed)
	if err != nil {
		return nil, "", err
	}
	if o.Document, o.Proof, err = p.evidence(ctx, typed, text); err != nil {
		return nil, "", err
	}
	name := p.input(typed).name
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
		p.complain("%s: the page would be larger than %d MiB: place fewer elements, or shorten their texts", name, view.DefaultMaxBytes>>20)
		return nil, "", errFindings
	}
	if err == nil && o.Locale != "" && !i18n.Same(summary.Locale, o.Locale) {
		p.say("%s has no texts in %s; the page is in %s.", name, o.Locale, summary.Locale)
	}
	about = fmt.Sprintf("%s in %s, language %s", wording.Count(summary.Elements, "element"), wording.Count(summary.Sections, "section"), summary.Locale)
	return page, about, err
}

// present validates a document and prepares it to be shown. Findings are printed.
func (p *program) present(ctx context.Context, schemas *schemaSet, typed string) (text []byte, shown *datachain.Presentation, err error) {
	d, text, err := p.readOne(ctx, typed)
	if err != nil {
		return nil, nil, err
	}
	v, shown, err := schemas.Present(ctx, text)
	if e, ok := errors.AsType[*datachain.Error](err); ok && e.Kind != datachain.KindFailure {
		return nil, nil, p.unopened(ctx, schemas, d, text, err)
	}
	if err != nil {
		return nil, nil, err
	}
	return text, shown, p.printFindings(schemas.newFile(d, text, v, nil, false))
}

// evidence returns a resolved document and its proof, if it has one: its member proof, or the
// file beside it.
func (p *program) evidence(ctx context.Context, typed string, text []byte) (doc, proof []byte, err error) {
	if !hasMember(text, "schema_snapshot") {
		return nil, nil, nil
	}
	if hasMember(text, "proof") {
		return text, nil, nil
	}
	if _, err := os.Stat(p.path(proofName(typed))); typed == "-" || err != nil {
		return nil, nil, nil //nolint:nilerr // most documents have none
	}
	_, proof, err = p.readOne(ctx, proofName(typed))
	return text, proof, err
}

// openPage opens a page in a browser: the file that it was written to, or a temporary
// one, whose path is printed: the browser reads it after this program has ended, so it is
// kept.
func (p *program) openPage(ctx context.Context, page []byte, out, about string) error {
	path := p.path(out)
	if out == "" {
		file, err := os.CreateTemp("", "datachain-*.html")
		if err != nil {
			return err
		}
		_, err = file.Write(page)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		path = file.Name()
		p.say("Wrote %s: %s.", path, about)
	}
	if err := p.browse(ctx, path); err != nil {
		return fmt.Errorf("--open: %w; open %s yourself", err, path)
	}
	return nil
}

// browse opens a file in the browser of the desktop.
func browse(ctx context.Context, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	command := []string{"xdg-open", path}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open", path}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", path}
	}
	// The browser may outlive this program.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], command[1:]...) //nolint:gosec // the file is ours
	if err := cmd.Start(); err != nil {
		return errors.New("can't start a browser")
	}
	return cmd.Process.Release()
}
