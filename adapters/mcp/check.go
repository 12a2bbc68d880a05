package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// checker knows the arguments of a tool.
type checker struct {
	arguments []argument
	schema    *jsonschema.Schema
}

func newChecker(name string, arguments []argument, schema []byte) *checker {
	location := "urn:datachain:mcp:" + name
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	text, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err == nil {
		err = c.AddResource(location, text)
	}
	if err != nil {
		panic("mcp: the schema of " + name + ": " + err.Error())
	}
	return &checker{arguments, c.MustCompile(location)}
}

// noLoader loads nothing: not even a mistake in a schema can open a file.
type noLoader struct{}

// Load fails.
func (noLoader) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not embedded", url) }

// given are the arguments of a call.
type given struct {
	values map[string]any // without the datachain
	// datachain is the document as it was sent, byte for byte.
	datachain []byte
	// warnings are about arguments that were understood all the same.
	warnings issue.Issues
}

func (g *given) text(name string) string {
	text, _ := g.values[name].(string)
	return text
}

// list returns a list of texts; nil where there is none, or it is one text.
func (g *given) list(name string) []string {
	items, _ := g.values[name].([]any)
	var texts []string
	for _, item := range items {
		if text, ok := item.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

func (g *given) number(name string) int {
	n, _ := g.values[name].(fmt.Stringer) // a json.Number
	if n == nil {
		return 0
	}
	f, _ := strconv.ParseFloat(n.String(), 64) // the schema takes whole numbers alone
	return int(f)
}

// fields returns the fields to show, or those that are usual.
func (g *given) fields(usual []string) []string {
	if list := g.list("fields"); list != nil {
		return list
	}
	if g.text("fields") == datachain.AllFields {
		return nil
	}
	return usual
}

// check reads the arguments of a call. What is wrong comes back as one issue for
// each argument.
func (c *checker) check(raw []byte) (*given, issue.Issues) {
	g := &given{values: make(map[string]any)}
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	outline, issues := c.read(g, raw)
	if len(issues) > 0 {
		return nil, issues
	}
	if wrong, ok := errors.AsType[*jsonschema.ValidationError](c.schema.Validate(outline)); ok {
		return nil, c.explain(wrong, outline)
	}
	return g, nil
}

// read fills in the arguments, and returns them as the schema is asked about
// them: of the datachain only what it is, since a document is judged by others.
// An argument that is null is one that was left out.
func (c *checker) read(g *given, raw []byte) (map[string]any, issue.Issues) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient)
	if dec.PeekKind() != '{' {
		return nil, issue.Issues{badArgument(issue.Root, `write an object: {} if there are none, else {"name": value}`, "The arguments must be an object.")}
	}
	outline := make(map[string]any)
	seen := make(map[string]bool)
	_, err := dec.ReadToken()
	for err == nil && dec.PeekKind() != '}' {
		var key, value jsontext.Value
		if key, err = dec.ReadValue(); err != nil {
			break
		}
		unquoted, _ := jsontext.AppendUnquote(nil, key)
		name := string(unquoted)
		if value, err = dec.ReadValue(); err != nil {
			break
		}
		path := issue.Root.Key(name)
		if seen[name] {
			return nil, issue.Issues{badArgument(path, "give each argument once", "The argument %s is given twice.", name)}
		}
		if seen[name] = true; value.Kind() == 'n' {
			continue
		}
		if name == argDatachain.name {
			outline[name] = c.document(g, value)
			continue
		}
		if outline[name], err = strict(value); err != nil {
			return nil, issue.Issues{c.unreadable(name, value, err)}
		}
		g.values[name] = outline[name]
	}
	if err != nil { // over stdio alone: the front has looked before
		return nil, issue.Issues{badArgument(issue.Root, "send strict JSON", "The arguments can't be read: %s.", err)}
	}
	return outline, nil
}

// unreadable is said of an argument that is no strict JSON. Of a number, that can
// only mean that it is far too large.
func (c *checker) unreadable(name string, value jsontext.Value, why error) issue.Issue {
	path := issue.Root.Key(prose.Clip(name))
	for i := range c.arguments {
		if a := &c.arguments[i]; a.name == name && value.Kind() == '0' {
			return badArgument(path, "write "+a.allowed+a.suggestion(), "The argument %s must be %s, but is %s.", name, a.allowed, value)
		}
	}
	return badArgument(path, "send strict JSON", "The argument %s can't be read: %s.", prose.Clip(name), why)
}

// document keeps a datachain. A model that was told to write JSON now and then
// writes a string that holds it; that is understood, and said.
func (c *checker) document(g *given, value jsontext.Value) any {
	if value.Kind() == '"' {
		if inner, err := jsontext.AppendUnquote(nil, value); err == nil && jsontext.Value(inner).Kind() == '{' {
			g.warn(issue.Root.Key(argDatachain.name), "pass the object itself", "The datachain was given as a string that holds JSON, and was read as the object in it.")
			g.datachain = inner
			return map[string]any{}
		}
	}
	if value.Kind() == '{' {
		g.datachain = slices.Clone(value)
		return map[string]any{}
	}
	outline, err := strict(value)
	if err != nil {
		return nil // of the wrong kind, whatever it is
	}
	return outline
}

// strict reads a value strictly.
func strict(value jsontext.Value) (any, error) {
	if value.Kind() == '"' { // as most are
		if text, err := jsontext.AppendUnquote(nil, value); err == nil {
			return string(text), nil
		}
	}
	doc, err := document.Parse(slices.Clone(value))
	if err != nil {
		if wrong, ok := errors.AsType[*document.SyntaxError](err); ok {
			return nil, errors.New(wrong.Reason)
		}
		return nil, err
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(doc.Text()))
}

func badArgument(path issue.Path, hint, format string, args ...any) issue.Issue {
	return issue.Issue{Code: issue.CodeInvalidArguments, Message: prose.Cut(fmt.Sprintf(format, args...), 300), Path: path, FixHint: hint}
}

// maxIssues is how many arguments are told to be wrong.
const maxIssues = 20

// explain says which arguments are wrong, each once: those that the tool has in
// their order, then others.
func (c *checker) explain(wrong *jsonschema.ValidationError, outline map[string]any) issue.Issues {
	missing, bad, unknown := map[string]bool{}, map[string]issue.Path{}, []string{}
	var collect func(*jsonschema.ValidationError)
	collect = func(e *jsonschema.ValidationError) {
		switch k := e.ErrorKind.(type) {
		case *kind.Required:
			for _, name := range k.Missing {
				missing[name] = true
			}
		case *kind.AdditionalProperties:
			unknown = append(unknown, k.Properties...)
		default:
			if len(e.InstanceLocation) > 0 {
				if name := e.InstanceLocation[0]; bad[name] == nil {
					bad[name] = pathOf(e.InstanceLocation)
				}
				return // its causes are about the same argument
			}
			for _, cause := range e.Causes {
				collect(cause)
			}
		}
	}
	collect(wrong)
	var issues issue.Issues
	for _, a := range c.arguments {
		if missing[a.name] {
			issues = append(issues, badArgument(issue.Root.Key(a.name), "add "+a.name+a.suggestion(), "The argument %s is missing.", a.name))
		} else if path := bad[a.name]; path != nil {
			issues = append(issues, badArgument(path, "write "+a.allowed+a.suggestion(),
				"The argument %s must be %s, but %s.", a.name, a.allowed, describe(outline[a.name], path)))
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown[:min(len(unknown), maxIssues)] {
		issues = append(issues, c.unknown(name))
	}
	return issues
}

// unknown is said of an argument that the tool does not have.
func (c *checker) unknown(name string) issue.Issue {
	var known []string
	for _, a := range c.arguments {
		known = append(known, a.name)
	}
	hint := "leave it out: this tool takes no arguments"
	if len(known) > 0 {
		hint = "leave it out: the arguments are " + enumerate(known)
	}
	if near := nearest.One(name, slices.Values(known)); near != "" {
		hint = "write " + near
	}
	return badArgument(issue.Root.Key(prose.Clip(name)), hint, "There is no argument %s.", strconv.QuoteToGraphic(prose.Clip(name)))
}

// pathOf is a place in the arguments.
func pathOf(location []string) issue.Path {
	path := issue.Root
	for i, step := range location {
		if n, err := strconv.Atoi(step); err == nil && i > 0 {
			path = path.Index(n)
		} else {
			path = path.Key(step)
		}
	}
	return path
}

// describe says what an argument is, or what it holds where that is what is
// wrong.
func describe(v any, path issue.Path) string {
	if items, ok := v.([]any); ok && len(path) > 1 {
		if i, ok := path[1].IsIndex(); ok && i < len(items) {
			return "holds " + noun(items[i])
		}
	}
	return "is " + noun(v)
}

func noun(v any) string {
	switch v := v.(type) {
	case nil:
		return "something else"
	case bool:
		return strconv.FormatBool(v)
	case string:
		if v == "" {
			return "an empty text"
		}
		return "the text " + strconv.QuoteToGraphic(prose.Clip(v))
	case []any:
		if len(v) == 0 {
			return "an empty list"
		}
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return "an object"
	}
	return fmt.Sprint(v)
}
