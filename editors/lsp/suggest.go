package lsp

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// suggest returns the actions for a finding that has no certain fix: its choices, what is
// missing, as a gap to fill in, or one action for each value that the author can choose.
// They are copies of an action with their title and edit.
func (q *query) suggest(ctx context.Context, v *datachain.Verdict, f datachain.Finding, action codeAction) []codeAction {
	doc := v.Document()
	s := suggester{query: q, doc: doc, action: action}
	for i := range f.Choices {
		chosen := f.Issue
		chosen.Fix = &f.Choices[i]
		if edits, _ := v.Edits(chosen); len(edits) > 0 {
			action.Title, action.Edit = chosen.Fix.Title, q.session.edit(q.text, edits...)
			s.list = append(s.list, action)
		}
	}
	at, there := doc.Find(f.Path)
	switch f.Code {
	case codes.ParseError:
		if there {
			s.wrongShape(at)
		} else {
			s.missingField(ctx, f.Path)
		}
	case codes.InstanceRequiredVariableMissing:
		s.missingVariables(f.Path)
	case codes.ContextTypeMissing:
		if placement, ok := doc.Find(f.Path[:2]); ok {
			s.proposeEach("Set the context", q.contexts(f.Path), func(e *edit.Editor, id []byte) { e.Add(placement, f.Path.Field(), id) })
		}
	case codes.ContextTypeUnknown:
		s.replaceWith(at, q.contexts(f.Path))
	case codes.InstanceVariableOptionUnknown, codes.InstanceVariableOptionNotApplicable:
		s.otherOption(at)
	case codes.InstanceVariableValueEmpty, codes.InstanceVariableValueShape:
		s.selectOne(at)
	}
	return s.list
}

// suggester collects the suggestions for a finding.
type suggester struct {
	*query
	doc    *document.Document
	action codeAction
	list   []codeAction
}

// add adds an action, unless it would touch what is still to be read.
func (s *suggester) add(title string, change func(e *edit.Editor)) {
	e := edit.New(s.doc)
	change(e)
	edits := e.Edits()
	if slices.ContainsFunc(edits, func(e document.Edit) bool { return !s.doc.Settled(e.Range) }) {
		return
	}
	action := s.action
	action.Title, action.Edit = title, s.session.edit(s.text, edits...)
	s.list = append(s.list, action)
}

// proposeEach adds an action for each of the first proposals.
func (s *suggester) proposeEach(verb string, proposals []proposal, change func(e *edit.Editor, id []byte)) {
	for _, c := range proposals[:min(len(proposals), maxPlaced)] {
		title := verb + " " + c.id
		if c.title != "" {
			title = verb + " “" + c.title + "” (" + c.id + ")"
		}
		s.add(title, func(e *edit.Editor) { change(e, []byte(quote(c.id))) })
	}
}

// replaceWith adds an action for each value that can be written instead.
func (s *suggester) replaceWith(v document.Value, proposals []proposal) {
	s.proposeEach("Write", proposals, func(e *edit.Editor, id []byte) { e.Replace(v, id) })
}

// missingVariables adds the required variables that a placement lacks, as gaps. One that
// is there under a misspelled id has a finding of its own.
func (s *suggester) missingVariables(at issue.Path) {
	placement, _ := s.doc.Find(at[:2])
	element := s.placed(at)
	if element == nil || placement.Kind() != '{' {
		return
	}
	variables, listed := placement.Get("variables")
	var unknown []string
	for v := range variables.All() {
		id, _ := v.Get("id")
		if _, known := element.Variable(id.Text()); !known {
			unknown = append(unknown, id.Text())
		}
	}
	var names []string
	var gaps [][]byte
	for _, v := range s.unfilledVariables(document.Cursor{Path: at}) {
		if v.Required && similar.Nearest(v.ID, slices.Values(unknown)) == "" {
			names = append(names, v.ID)
			gaps = append(gaps, []byte(s.variableText(&snippet{plain: true}, v).String()))
		}
	}
	if len(gaps) == 0 || listed && variables.Kind() != '[' {
		return
	}
	title := "Add the required variable " + names[0]
	if len(names) > 1 {
		title = "Add the required variables " + wording.And(names)
	}
	s.add(title, func(e *edit.Editor) {
		for _, gap := range gaps {
			if listed {
				e.Add(variables, "", gap)
			} else {
				e.AddTo(placement, "variables", gap)
			}
		}
	})
}

// missingField adds a field that an object lacks, with a value to fill in.
func (s *suggester) missingField(ctx context.Context, at issue.Path) {
	if len(at) == 0 {
		return
	}
	object, _ := s.doc.Find(at[:len(at)-1])
	key := at.Field()
	if object.Kind() != '{' || key == "" {
		return
	}
	add := func(value string) {
		s.add("Add "+key, func(e *edit.Editor) { e.Add(object, key, []byte(value)) })
	}
	switch placeOf(at) {
	case "id":
		add(quote(s.ownName()))
	case versionPlace:
		versions, err := s.latestVersions(ctx)
		if err == nil {
			s.proposeEach("Pin", versions, func(e *edit.Editor, id []byte) { e.Add(object, key, id) })
		}
	case elementPlace, "schema_snapshot": // completion, and resolve
	default:
		text := s.emptyValue(&snippet{plain: true}, at)
		if text.text.Len() > 0 {
			add(text.String())
		}
	}
}

// ownName returns an id for the document: the name of its file.
func (s *suggester) ownName() string {
	name, _, _ := strings.Cut(path.Base(s.text.at.path), ".")
	if name == "" || name == "/" {
		return "my-datachain"
	}
	return name
}

// wrongShape fixes a string that is none of the fixed words.
func (s *suggester) wrongShape(v document.Value) {
	if v.Kind() != '"' {
		return
	}
	at := v.Path()
	if variable := s.variable(at); variable != nil && variable.Type == taxonomy.SelectVariable && len(at) == 5 {
		s.selectOne(v)
		return
	}
	s.replaceWith(v, words(documentShape().at(at)...))
}

// selectOne replaces the value of a select variable by a list with one option.
func (s *suggester) selectOne(value document.Value) {
	at := value.Path()
	if v := s.variable(at); v != nil && v.Type == taxonomy.SelectVariable && len(at) == 5 {
		s.proposeEach("Select", s.options(at, v), func(e *edit.Editor, id []byte) { e.Replace(value, slices.Concat([]byte("["), id, []byte("]"))) })
	}
}

// otherOption replaces an option by one that is not selected yet.
func (s *suggester) otherOption(option document.Value) {
	at := option.Path()
	v := s.variable(at)
	if v == nil || v.Type != taxonomy.SelectVariable || len(at) != 6 {
		return
	}
	list, _ := s.doc.Find(at[:5])
	taken := make(map[string]bool)
	for o := range list.All() {
		taken[o.Text()] = true
	}
	s.replaceWith(option, slices.DeleteFunc(s.options(at, v), func(c proposal) bool { return taken[c.id] }))
}

// maxPlaced is how many elements are offered for a category that lacks placements.
const maxPlaced = 12

// placeMissing offers placements of the categories that lack them, one action for each
// element: which one is right is for the author to say.
func (q *query) placeMissing(v *datachain.Verdict, findings []datachain.Finding, p *codeActionParams) []codeAction {
	doc := v.Document()
	list, _ := doc.Root().Get("elements")
	if q.schema == nil || list.Kind() != '[' || !doc.Settled(list.Range()) || list.Open() {
		return nil
	}
	editor := edit.New(doc)
	var shown []diagnostic
	for _, f := range findings {
		lacks := f.Code == codes.RequiredCategoryMissing || f.Code == codes.ElementRequired ||
			list.Len() == 0 && f.Path.Equal(elementsPath) // a wrong shape, which is reported first
		if lacks && p.touches(q.text, f.Span.Start.Offset, f.Span.End.Offset) {
			shown = append(shown, q.session.newDiagnostic(q.text, f))
		}
	}
	if len(shown) == 0 {
		return nil
	}
	indent := string(indentation(q.text.content, list.Range().Start))
	before, _, _ := strings.Cut(string(editor.Addition(list, "", []byte("0")).Text), "0")
	if at := strings.LastIndexByte(before, '\n'); at >= 0 { // on a line of its own
		indent = before[at+1:]
	}
	line := q.text.line(indent)
	left := q.newCapacity(document.Cursor{})
	var actions []codeAction
	for _, c := range q.schema.Release().Categories() {
		if !left.needed(c.ID) {
			continue
		}
		n := 0
		for _, e := range q.schema.Release().ElementsOf(c.ID) {
			if n == maxPlaced || !left.allows(e) {
				continue
			}
			n++
			text := &snippet{plain: true}
			actions = append(actions, codeAction{
				Title: "Place “" + q.title(e) + "” (" + q.pick(c.Name) + ")", Kind: actionQuickFix, Diagnostics: shown,
				Edit: q.session.edit(q.text, editor.Addition(list, "", []byte(q.placement(text, e, line).String()))),
			})
		}
	}
	return actions
}

var elementsPath = issue.Root.Key("elements")
