package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The commands of the server.
const (
	commandResolve = "datachain.resolve"
	commandPreview = "datachain.preview"
	commandExplore = "datachain.openInExplorer"
	commandUpgrade = "datachain.upgrade"
)

func commands() []string {
	return []string{commandExplore, commandPreview, commandResolve, commandUpgrade}
}

type executeCommandParams struct {
	Command   string           `json:"command"`
	Arguments []jsontext.Value `json:"arguments"`
}

// commandTarget is the argument of a command. Clients may send the URI alone.
type commandTarget struct {
	URI string `json:"uri"`
	// Show asks the server to show the result by means of the client, for
	// clients that do nothing with the answer.
	Show bool `json:"show"`
}

// executeCommand runs a command on an open document.
func (s *session) executeCommand(params jsontext.Value) (answerFunc, error) {
	p, err := decode[executeCommandParams](params)
	if err != nil {
		return nil, err
	}
	run := map[string]func(*query, context.Context, snapshot, bool) (any, error){
		commandResolve: (*query).resolve, commandPreview: (*query).preview, commandExplore: (*query).explore,
		commandUpgrade: (*query).upgradeToLatest,
	}[p.Command]
	if run == nil {
		return nil, failed(codeInvalidParams, "The server has no command %s; it has %s.", prose.Clip(p.Command), prose.And(commands()))
	}
	target, err := s.target(p.Arguments)
	if err != nil {
		return nil, err
	}
	doc, open := s.current(target.URI)
	if !open {
		return nil, failed(codeInvalidParams, "The document %s is not open.", prose.Clip(target.URI))
	}
	return func(ctx context.Context) (any, error) {
		switch {
		case doc.text.tooLarge > 0:
			return nil, failed(codeRequestFailed, "The document is too large: it has more than %d bytes.", doc.text.tooLarge)
		case !doc.recognized:
			return nil, failed(codeRequestFailed, "%s is not a datachain document: it must have schema_version and elements, or a name that ends in %s.", baseName(target.URI), extension)
		}
		q, err := newQuery(ctx, s, doc)
		if err != nil {
			return nil, err
		}
		return run(q, ctx, doc, target.Show)
	}, nil
}

// target reads the arguments of a command. Without any, as from the command line of an
// editor, the document that was opened or changed last is shown.
func (s *session) target(arguments []jsontext.Value) (commandTarget, error) {
	if len(arguments) == 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.latest == "" {
			return commandTarget{}, failed(codeInvalidParams, "No datachain document is open: open one, or give the URI of one as argument.")
		}
		return commandTarget{URI: s.latest, Show: true}, nil
	}
	var t commandTarget
	err := json.Unmarshal(arguments[0], &t.URI)
	if err != nil {
		err = json.Unmarshal(arguments[0], &t, wire())
	}
	if err != nil || len(arguments) > 1 {
		return t, failed(codeInvalidParams, `The argument of the command must be a URI, or an object such as {"uri": "file:///chain.json", "show": true}.`)
	}
	return t, nil
}

type resolveResult struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
	// Text is the resolved document as canonical JSON.
	Text string `json:"text"`
}

// resolve makes a valid document self-contained.
func (q *query) resolve(ctx context.Context, doc snapshot, show bool) (any, error) {
	text, err := q.bundle(ctx)
	if err != nil {
		return nil, err
	}
	if show {
		return nil, q.session.showResolved(doc.text.uri, text)
	}
	return resolveResult{doc.text.uri, doc.text.version, string(text)}, nil
}

func (q *query) bundle(ctx context.Context) ([]byte, error) {
	const intent = "The document can't be resolved"
	schema, err := q.root.releases.Service.OpenFor(ctx, q.text.content)
	if err != nil {
		return nil, q.refused(ctx, intent, err)
	}
	_, bundle, err := schema.Resolve(ctx, q.text.content, nil)
	if err != nil || bundle == nil {
		return nil, q.refused(ctx, intent, err)
	}
	return bundle.AppendJSON(nil), nil
}

// refused returns the error of a command whose document is invalid, or that failed
// for another reason.
func (q *query) refused(ctx context.Context, intent string, cause error) error {
	count, first, err := q.errors(ctx)
	switch {
	case err != nil:
		return err
	case count > 0:
		return failed(codeRequestFailed, "%s: %s", intent, summary(count, first))
	}
	if e, ok := errors.AsType[*datachain.Error](cause); ok {
		return failed(codeRequestFailed, "%s: %s %s.", intent, e.Issue.Message, prose.Sentence(e.Issue.FixHint))
	}
	return cause
}

// errors counts the errors of the document, and returns the first one in the text.
func (q *query) errors(ctx context.Context) (int, datachain.Finding, error) {
	findings, err := q.session.findings(ctx, q.root, q.text)
	if err != nil {
		return 0, datachain.Finding{}, err
	}
	findings = slices.DeleteFunc(findings, func(f datachain.Finding) bool { return f.Severity == issue.SeverityWarning })
	if len(findings) == 0 {
		return 0, datachain.Finding{}, nil
	}
	first := slices.MinFunc(findings, func(a, b datachain.Finding) int { return a.Span.Start.Offset - b.Span.Start.Offset })
	return len(findings), first, nil
}

// summary describes the errors of a document, up to the end of the sentence.
func summary(count int, first datachain.Finding) string {
	line := max(first.Span.Start.Line, 1)
	if count == 1 {
		return fmt.Sprintf("it has 1 error, in line %d: %s", line, first.Message)
	}
	return fmt.Sprintf("it has %d errors, the first one in line %d: %s", count, line, first.Message)
}
