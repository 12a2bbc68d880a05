package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// explainShape reports why a document does not fit its shape. It walks down to the values
// that do not fit, in the order of the document, and asks package jsonschema about each of
// them alone: one mistake in a large document costs little, and the walk ends once there are
// too many. The suite runs with [Options.Partial].
func (p *Pass) explainShape(s *shape, suite []*Rule) (*Result, error) {
	e := explainer{p: p}
	for _, syntax := range p.Document.SyntaxErrors() {
		p.Report(syntaxIssue(syntax))
	}
	root := shapedValue{Value: p.Document.Root(), shape: s}
	e.explain(root)
	if len(p.findings.issues) == 0 && p.failure == nil {
		// The shape and jsonschema disagree. No test knows such a document,
		// but it is not valid.
		e.report(root, e.unexplained(root))
	}
	if err := p.runPartial(s, suite); err != nil {
		return nil, err
	}
	return p.result()
}

// explainer reports what does not fit.
type explainer struct {
	p        *Pass
	exampler *exampler // created when needed
}

// shapedValue is a value and the shape that it should have.
type shapedValue struct {
	document.Value
	shape *shape
	// declared is set for a field that the schema names, and optional if it is
	// not required.
	declared, optional bool
}

// explain reports what is wrong with a value and its contents.
func (e *explainer) explain(at shapedValue) {
	if !e.p.Next() || at.fits() || at.unread() {
		return
	}
	at.shape = at.shape.alternative(at.Value)
	e.explainSelf(at)
	for child := range at.All() {
		if e.p.findings.full() || e.p.failure != nil {
			return
		}
		if inside, ok := at.inside(child); ok {
			e.explain(inside)
		}
	}
}

// explainSelf reports the missing fields of an object, and the first of the other problems
// of a value itself.
func (e *explainer) explainSelf(at shapedValue) {
	reported := false
	for _, k := range jsonSchemas().errorKinds(at.shape, at.Value) {
		if at.incomplete() && ofAbsence(k) {
			continue
		}
		if required, ok := k.(*kind.Required); ok {
			for _, name := range required.Missing {
				e.explainMissing(at, name)
			}
		} else if !reported {
			reported = true
			e.report(at, e.say(at, k))
		}
	}
}

// syntaxIssue returns the finding for a syntax error.
func syntaxIssue(e *document.SyntaxError) issue.Issue {
	return issue.Issue{
		Code: issue.CodeBadRequest, Path: e.Path,
		Message: "The document " + e.Problem() + ": " + e.Reason + ".", FixHint: "fix this first: what depends on it was not checked",
	}
}

// ofAbsence reports whether an error is about something that is missing, and which an open value
// can still have.
func ofAbsence(k jsonschema.ErrorKind) bool {
	switch k.(type) {
	case *kind.Required, *kind.MinItems, *kind.MinProperties:
		return true
	}
	return false
}

// fits reports whether a value has its shape and no syntax error.
func (at shapedValue) fits() bool { return at.Sound() && at.shape.fits(at.Value) }

// incomplete reports whether a value may have more than was read.
func (at shapedValue) incomplete() bool { return at.Open() || at.Doubtful() }

// unread reports whether nothing can be said about the shape of a value: it can't be read, or it is
// incomplete and does not resemble its shape.
func (at shapedValue) unread() bool {
	return at.Kind() == 0 || at.Broken() || at.incomplete() && !at.resembles()
}

// resembles reports whether a value was probably meant to have its shape: it is of the right kind
// and, if it is an object that may belong elsewhere, has all required fields, of the right kinds,
// or a known one if none is required.
func (at shapedValue) resembles() bool {
	s, v, kind := at.shape.alternative(at.Value), at.Value, kindOf(at.Value)
	if !s.keeps(kind) || kind == anArray || !v.Doubtful() || len(at.Path()) == 0 {
		return s.keeps(kind)
	}
	there, known := uint64(0), false
	for m := range v.All() {
		i := s.find(m, 0)
		if i < 0 {
			continue
		}
		known = true
		if s.fields[i].shape.alternative(m).kinds&kindOf(m) != 0 {
			there |= 1 << i
		}
	}
	return known && there&s.required == s.required
}

// explainMissing reports a missing field, which may be misspelled.
func (e *explainer) explainMissing(at shapedValue, name string) {
	unknown := func(yield func(string) bool) {
		for m := range at.All() {
			if at.shape.find(m, 0) < 0 && !yield(m.Key()) {
				return
			}
		}
	}
	i := e.sayMissing(at, name)
	i.Path = at.Path().Key(name)
	if written := e.p.hints.nearest(name, unknown); written != "" {
		i.FixHint = "rename " + tail(issue.Root.Key(written)) + " to " + name
		i.Fix = &issue.Fix{Path: at.Path().Key(written), Key: name}
	} else if e.isPin(i.Path) {
		version := e.p.Version.String()
		i.FixHint = `add "schema_version": "` + version + `"`
		i.Fix = &issue.Fix{Path: i.Path, Value: quote(version)}
	}
	e.fail(i)
}

// isPin reports whether a path is that of the pin in a document that is validated
// against a version. A hint names that version instead of an example.
func (e *explainer) isPin(path issue.Path) bool {
	return !e.p.Version.IsZero() && path.Equal(pinPath)
}

// inside returns the place of a member or an item; ok is false if it can be anything.
func (at shapedValue) inside(child document.Value) (inside shapedValue, ok bool) {
	inside = shapedValue{Value: child, shape: at.shape.items}
	if at.Kind() == '{' {
		if inside.shape = at.shape.others; child.BrokenKey() {
			inside.shape = nil // it may be another key
		}
		if i := at.shape.find(child, 0); i >= 0 {
			inside.shape, inside.declared, inside.optional = at.shape.fields[i].shape, true, !at.shape.requires(i)
		}
	}
	return inside, inside.shape != nil
}

// report reports an issue at a place.
func (e *explainer) report(at shapedValue, i issue.Issue) {
	i.Path = at.Path()
	if i.Fix != nil {
		i.Fix.Path = i.Path
	}
	for k := range i.Choices {
		i.Choices[k].Path = i.Path
	}
	e.fail(i)
}

func (e *explainer) fail(i issue.Issue) {
	i.Code = codes.ParseError
	e.p.Report(i)
}

// say returns the issue for an error of jsonschema, in words for a reader who has
// not seen the schema.
func (e *explainer) say(at shapedValue, k jsonschema.ErrorKind) (i issue.Issue) {
	s := at.shape
	must := func(format string, args ...any) {
		i.Message = fmt.Sprintf("The %s must %s.", subject(at.Value), fmt.Sprintf(format, args...))
	}
	switch k.(type) {
	case *kind.Type:
		must("be %s, but is %s", s.kinds, given(at.Value))
		e.fixKind(&i, at)
	case *kind.MinLength:
		must("not be empty")
	case *kind.Enum:
		must("be one of %s, but is %s", strings.Join(s.words, ", "), given(at.Value))
		i.FixHint = "write one of " + strings.Join(s.words, ", ")
		if near := e.p.hints.nearest(at.Text(), slices.Values(s.words)); near != "" {
			i.FixHint, i.Fix = "write "+near, &issue.Fix{Value: quote(near)}
		}
	case *kind.Format:
		switch {
		case s.nonEmpty && at.Text() == "":
			must("not be empty")
		case s.pattern.MatchString(at.Text()):
			must("be %s, but %s has a date or time that does not exist", s.format.is, given(at.Value))
			i.FixHint = "correct the date or time"
		default:
			must("be %s, but is %s", s.format.is, given(at.Value))
			if !e.isPin(at.Path()) {
				s.format.hint(&i, at.Text())
			}
		}
	case *kind.Pattern:
		must("look like %s, but is %s", s.example, given(at.Value))
	case *kind.Minimum:
		must("be %d or more, but is %s", s.minimum, given(at.Value))
		i.FixHint = fmt.Sprintf("write an integer of %d or more", s.minimum)
	case *kind.MinItems:
		item := noun(s.items.title, "item")
		must("have at least one %s", item)
		i.FixHint = fmt.Sprintf("add a %s, such as %s", item, e.example(at.Path().Index(0), s.items))
	default:
		return e.unexplained(at)
	}
	if i.FixHint == "" && e.isPin(at.Path()) {
		e.pin(&i, at)
	} else if i.FixHint == "" {
		i.FixHint = e.write(at)
	}
	return i
}

// pin names the version that the document is validated against.
func (e *explainer) pin(i *issue.Issue, at shapedValue) {
	version := e.p.Version
	if ref, err := taxonomy.ParseRef(at.Text()); err == nil && ref.Type() != version.Type() {
		i.FixHint = e.p.otherPin(ref.String())
		return
	}
	i.FixHint, i.Fix = "write "+version.String(), &issue.Fix{Value: quote(version.String())}
}

// unexplained is the issue for an error of an unknown kind.
func (e *explainer) unexplained(at shapedValue) issue.Issue {
	return issue.Issue{
		Message: fmt.Sprintf("The %s does not have the required form.", subject(at.Value)),
		FixHint: e.write(at),
	}
}

// sayMissing returns the issue for a missing field.
func (e *explainer) sayMissing(at shapedValue, name string) issue.Issue {
	i := slices.IndexFunc(at.shape.fields, func(f field) bool { return f.name == name })
	hint := "add " + name
	if example := e.example(at.Path().Key(name), at.shape.fields[i].shape); example != nil {
		hint = fmt.Sprintf("add %s, such as %q: %s", name, name, example)
	} else if name == snapshotPath[0].Name() {
		hint = "resolve the document, which adds " + name // too large to write by hand
	}
	return issue.Issue{Message: fmt.Sprintf("The %s has no %s.", thing(at), name), FixHint: hint}
}

// write is the hint to write a value that fits.
func (e *explainer) write(at shapedValue) string {
	if len(at.Path()) == 0 {
		return at.shape.neededFields()
	}
	hint := "write " + at.shape.kinds.String()
	if example := e.example(at.Path(), at.shape); example != nil {
		hint += ", such as " + string(example)
	}
	if at.optional {
		hint += ", or remove the field"
	}
	return hint
}

// String returns the kinds for a message: a string or an array.
func (k kinds) String() string {
	var names []string
	for i, name := range []string{"null", "true or false", "a string", "an integer", "an array", "an object"} {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

// given returns a value for a message.
func given(v document.Value) string {
	switch v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return fmt.Sprintf("%q", wording.Clip(v.Text()))
	}
	return string(v.Raw())
}

// subject returns the name of a value for a message: by its place.
func subject(v document.Value) string {
	path := v.Path()
	if len(path) == 0 {
		return "document"
	}
	if _, isItem := path[len(path)-1].IsIndex(); isItem {
		return "item " + tail(path)
	}
	return "field " + tail(path)
}

// thing returns the name of an object for a message: by its title and, unless the
// title tells, its place.
func thing(at shapedValue) string {
	path, what := at.Path(), noun(at.shape.title, "object")
	if len(path) == 0 || at.declared && at.shape.title != "" {
		return what
	}
	return what + " " + tail(path)
}

// tail returns the end of a path: a key, or a key with the indexes after it.
func tail(path issue.Path) string {
	for i, step := range slices.Backward(path) {
		if _, isIndex := step.IsIndex(); !isIndex {
			return ident.Name(step.Name()) + path[i+1:].String()
		}
	}
	return path.String()
}

// noun returns the title of a schema within a sentence.
func noun(title, otherwise string) string {
	if title == "" {
		return otherwise
	}
	return strings.ToLower(title[:1]) + title[1:]
}
