package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The commands of the server.
const (
	commandResolve = "datachain.resolve"
	commandPreview = "datachain.preview"
	commandUpgrade = "datachain.upgrade"
)

// commands are the commands of the server by name. The last argument tells them to show the
// result by means of the client.
var commands = map[string]func(*query, context.Context, snapshot, bool) (any, error){
	commandResolve: (*query).resolve,
	commandPreview: (*query).preview,
	commandUpgrade: (*query).upgradeToLatest,
}

func commandNames() []string { return slices.Sorted(maps.Keys(commands)) }

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
	run := commands[p.Command]
	if run == nil {
		return nil, failed(codeInvalidParams, "The server has no command %s; it has %s.", wording.Clip(p.Command), wording.And(commandNames()))
	}
	target, err := s.target(p.Arguments)
	if err != nil {
		return nil, err
	}
	doc, err := s.mustBeOpen(target.URI)
	if err != nil {
		return nil, err
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
	const intent = "The document can't be resolved"
	schema, err := q.releases.Service.OpenFor(ctx, q.text.content)
	if err != nil {
		return nil, q.refused(ctx, intent, err)
	}
	_, bundle, err := schema.Resolve(ctx, q.text.content, nil)
	if err != nil || bundle == nil {
		return nil, q.refused(ctx, intent, err)
	}
	text := bundle.AppendJSON(nil)
	if show {
		return nil, q.session.showResolved(doc.text.uri, text)
	}
	return resolveResult{doc.text.uri, doc.text.version, string(text)}, nil
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
		return failed(codeRequestFailed, "%s: %s %s.", intent, e.Issue.Message, wording.Sentence(e.Issue.FixHint))
	}
	return cause
}

// errors counts the errors of the document, and returns the first one in the text.
func (q *query) errors(ctx context.Context) (int, datachain.Finding, error) {
	findings, err := q.session.findings(ctx, q.releases, q.text)
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

type previewResult struct {
	URI string `json:"uri"`
	// Version is that of the text on the page. It is older than the document if
	// that is invalid now.
	Version int `json:"version"`
	// HTML is the page, which needs nothing else, or "" if there is none yet.
	HTML string `json:"html"`
	// Locale is the language of the page.
	Locale string `json:"locale,omitzero"`
	// Note says why the page is not that of the current text.
	Note string `json:"note,omitzero"`
}

// preview renders the document as a page. While it is invalid, as half-typed text
// is, the page is that of the last valid text.
func (q *query) preview(ctx context.Context, doc snapshot, show bool) (any, error) {
	result, err := q.page(ctx, doc)
	if err != nil {
		return nil, err
	}
	if show {
		return nil, q.session.showPage(result)
	}
	return result, nil
}

func (q *query) page(ctx context.Context, doc snapshot) (*previewResult, error) {
	result, cause := q.render(ctx, doc.text)
	if result != nil {
		q.session.keepGood(doc.text)
		return result, nil
	}
	if errors.Is(cause, view.ErrTooLarge) {
		return nil, failed(codeRequestFailed, "The page would be larger than %d MiB: place fewer elements, or shorten their texts.", view.DefaultMaxBytes>>20)
	}
	count, first, err := q.errors(ctx)
	switch {
	case err != nil:
		return nil, err
	case count == 0:
		return nil, q.refused(ctx, "The document can't be shown", cause)
	}
	now := summary(count, first)
	if doc.lastGood != nil && doc.lastGood != doc.text {
		if result, _ = q.render(ctx, doc.lastGood); result != nil {
			result.Note = fmt.Sprintf("This is the last valid version. The document can't be shown as it is now: %s", now)
			return result, nil
		}
	}
	return &previewResult{URI: doc.text.uri, Version: doc.text.version, Note: fmt.Sprintf("The document can't be shown yet: %s", now)}, ctx.Err()
}

// keepGood remembers a text that has a page: the next ones may be superseded before they
// are validated, and the page of an older one must not come back.
func (s *session) keepGood(t *text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[t.at]; d != nil && (d.lastGood == nil || d.lastGood.version < t.version) {
		d.lastGood = t
	}
}

// render renders a text, or returns nil and the cause if there is one.
func (q *query) render(ctx context.Context, t *text) (*previewResult, error) {
	_, shown, err := q.releases.Service.Present(ctx, t.content)
	if err != nil || shown == nil {
		return nil, err
	}
	var o view.Options
	if len(q.locales) > 0 {
		o.Locale = q.locales[0]
	}
	var b bytes.Buffer
	summary, err := view.Write(&b, shown, &o)
	if err != nil {
		return nil, err
	}
	return &previewResult{URI: t.uri, Version: t.version, HTML: b.String(), Locale: summary.Locale}, nil
}

// showPage lets the client open a page in a browser.
func (s *session) showPage(p *previewResult) error {
	if !s.canShowPages() {
		return failed(codeRequestFailed, "The editor can't show pages: it must support window/showDocument.")
	}
	if p.Note != "" {
		s.warn(p.Note)
	}
	if p.HTML == "" {
		return nil
	}
	uri, err := s.server.options.SavePage(p.URI, []byte(p.HTML))
	if err != nil {
		return failed(codeRequestFailed, "%s.", wording.Sentence(err.Error()))
	}
	s.ask("window/showDocument", object{"uri": uri, "external": true})
	return nil
}

// canShowPages reports whether the client can open a page in a browser.
func (s *session) canShowPages() bool {
	return s.client.showDocument && s.server.options.SavePage != nil
}

// showResolved lets the client write a resolved document beside the thin one. If
// there is a file already, its text is replaced, which the user can undo.
func (s *session) showResolved(uri string, text []byte) error {
	if !s.client.createFiles {
		return failed(codeRequestFailed, "The editor can't create files: it must support workspace/applyEdit with the operation create.")
	}
	indented := jsontext.Value(text)
	if err := indented.Indent(jsontext.WithIndent("  ")); err != nil {
		return err
	}
	// chain.resolved.json for chain.json and chain.datachain.json
	target := strings.TrimSuffix(strings.TrimSuffix(uri, extension), ".json") + ".resolved.json"
	write := documentEdit{Edits: []textEdit{{span{End: position{Line: lastLine}}, string(indented) + "\n"}}}
	write.Document.URI = target
	create := object{"kind": "create", "uri": target, "options": object{"ignoreIfExists": true}}
	s.ask("workspace/applyEdit", object{
		"label": "Resolve " + baseName(uri), "edit": workspaceEdit{DocumentChanges: []any{create, write}},
	})
	return nil
}

// lastLine is after the end of every text. Clients move positions into the text.
const lastLine = 1<<31 - 1

// baseName returns the name of a file, for messages.
func baseName(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Path == "" {
		return wording.Clip(uri)
	}
	return path.Base(u.Path)
}

type codeLens struct {
	Range   span    `json:"range"`
	Command command `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}

// lenses returns commands above the document: those whose result the client can show.
func (q *query) lenses(ctx context.Context, _ *documentParams) (any, error) {
	list := []codeLens{}
	start := q.document().Range().Start
	at := q.text.lines().span(start, start)
	add := func(title, name string) {
		target := commandTarget{URI: q.text.uri, Show: true}
		list = append(list, codeLens{at, command{title, name, []any{target}}})
	}
	if q.session.canShowPages() {
		add("Preview as page", commandPreview)
	}
	if _, resolved := q.document().Get("schema_snapshot"); !resolved && q.session.client.createFiles {
		add("Resolve", commandResolve)
	}
	if q.session.client.applyEdit && q.schema != nil { // what an unknown version has is not known
		if latest, ok := q.newer(ctx); ok {
			add("Upgrade to "+latest, commandUpgrade)
		}
	}
	return list, ctx.Err()
}
