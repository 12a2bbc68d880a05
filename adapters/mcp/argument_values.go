package mcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// value is the value of an argument.
type value struct {
	kind jsontext.Kind
	// text is that of a string, and the JSON of other values that have no
	// members.
	text  string
	raw   jsontext.Value // as it was sent
	items []value        // of an array; those within them are not read
}

// omitted reports whether there is no value, or null in its place.
func (v *value) omitted() bool { return v.kind == 0 || v.kind == 'n' }

func (v *value) number() float64 {
	n, _ := strconv.ParseFloat(v.text, 64) // too large is infinite, which no argument may be
	return n
}

// describe says what a value is, for messages.
func (v *value) describe() string {
	switch {
	case v.kind == '{':
		return "an object"
	case v.kind == '[' && v.items == nil:
		return "a list"
	case v.kind == '[' && len(v.items) == 0:
		return "an empty list"
	case v.kind == '[':
		return fmt.Sprintf("a list of %d", len(v.items))
	case v.kind == 'n':
		return "null"
	case v.kind != '"':
		return v.text
	case v.text == "":
		return "an empty string"
	}
	return "the string " + quote(v.text)
}

func (c *call) text(name string) string { return c.values[name].text }

// list returns a list of strings; nil for another value, or none.
func (c *call) list(name string) []string {
	var texts []string
	for _, item := range c.values[name].items {
		texts = append(texts, item.text)
	}
	return texts
}

func (c *call) number(name string) int {
	v := c.values[name]
	return int(v.number())
}

// readArguments reads the arguments, and returns what is wrong with them: one issue
// for each argument.
func (c *call) readArguments(m *message) (issues issue.Issues) {
	if m.params.has(keyArguments) && m.params[keyArguments].Kind() != '{' {
		return issue.Issues{badArgument(issue.Root, `use an object: {} if there are none, else {"name": value}`, "The arguments must be an object.")}
	}
	for _, argument := range m.arguments {
		name, v := argument.name, argument.value
		if _, ok := c.values[name]; ok {
			issues = issue.Issues{badArgument(issue.Root.Key(wording.Clip(name)), "pass each argument once", "The argument %s occurs twice.", wording.Plain(name))}
		}
		c.values[name] = c.read(name, v)
		if !c.takesDatachain(name) && repeats(v) {
			issues = issue.Issues{badArgument(issue.Root.Key(wording.Clip(name)), "give each key of an object once", "A key occurs twice in the argument %s.", wording.Plain(name))}
		}
	}
	if issues != nil {
		return issues
	}
	return c.check()
}

// read reads the value of an argument.
func (c *call) read(name string, raw jsontext.Value) value {
	v := scalar(raw)
	switch {
	case v.kind == '[':
		v.items = []value{}
		r := newReader(raw)
		_ = r.enclosed(']', func() error { // it was read before
			item, err := r.value()
			v.items = append(v.items, scalar(item))
			return err
		})
	case v.kind == '{' && c.takesDatachain(name):
		c.datachain = raw
	case c.takesDatachain(name) && jsontext.Value(v.text).Kind() == '{':
		// Models sometimes pass a string that holds JSON.
		c.warn(issue.Root.Key(name), "pass the object itself", "The datachain was passed as a string that holds JSON, and was read as the object in it.")
		c.datachain = []byte(v.text)
		return value{kind: '{', raw: c.datachain}
	}
	return v
}

// takesDatachain reports whether an argument of the tool is a datachain.
func (c *call) takesDatachain(name string) bool {
	a := c.tool.argument(name)
	return a != nil && a.Kind.isDocument
}

// scalar reads a value without its members.
func scalar(raw jsontext.Value) value {
	v := value{kind: raw.Kind(), raw: raw}
	switch v.kind {
	case '{', '[', 'n':
	case '"':
		v.text = jcs.Unquote(raw)
	default:
		v.text = string(raw)
	}
	return v
}

// maxIssues is the maximum number of unknown arguments that are warned of.
const maxIssues = 20

// check returns what is wrong with the arguments of the tool, in their order. It
// warns of others, which are ignored: models and clients add what they think is
// useful.
func (c *call) check() issue.Issues {
	var issues issue.Issues
	var known []string
	for _, a := range c.tool.Takes {
		known = append(known, a.Name)
		path := issue.Root.Key(a.Name)
		v := c.values[a.Name]
		if former, ok := c.values[a.Former]; ok && v.omitted() && !former.omitted() {
			c.warn(issue.Root.Key(a.Former), "use "+a.Name, "The argument %s of %s is named %s now. It was read as that.", a.Former, c.tool.Name, a.Name)
			v, c.values[a.Name] = former, former
			delete(c.values, a.Former)
		}
		if v.omitted() {
			if a.Required {
				issues = append(issues, badArgument(path, "add "+a.Name+a.suggestion(), "The argument %s is missing.", a.Name))
			}
			continue
		}
		if item, wrong := a.Kind.wrong(&v); wrong {
			is := "is " + v.describe()
			if item >= 0 {
				path, is = path.Index(item), "holds "+v.items[item].describe()
			}
			issues = append(issues, badArgument(path, "use "+a.Kind.allowed+a.suggestion(), "The argument %s must be %s, but %s.", a.Name, a.Kind.allowed, is))
		}
	}
	var others []string
	for name, v := range c.values {
		if slices.Contains(known, name) {
			continue
		}
		delete(c.values, name)
		if !v.omitted() {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	for _, name := range others[:min(len(others), maxIssues)] {
		c.warnArgument(name, known)
	}
	return issues
}

// warnArgument warns of an argument that the tool does not have.
func (c *call) warnArgument(name string, known []string) {
	hint := "omit it: this tool takes no arguments"
	if len(known) > 0 {
		hint = "omit it: the arguments are " + wording.And(known)
	}
	if near := nearArgument(name, known); near != "" {
		hint = "use " + near
	}
	c.warn(issue.Root.Key(wording.Clip(name)), hint, "There is no argument %s, so it was ignored.", quote(name))
}

// nearArgument returns the argument that is probably meant, or "": one that is
// spelt alike, or that differs by a part, as schema_version for version and category
// for category_id do.
func nearArgument(name string, known []string) string {
	if near := similar.Nearest(name, slices.Values(known)); near != "" {
		return near
	}
	i := slices.IndexFunc(known, func(k string) bool {
		return strings.HasSuffix(name, "_"+k) || strings.HasPrefix(k, name+"_")
	})
	if i < 0 {
		return ""
	}
	return known[i]
}

// badArgument is the issue with an argument.
func badArgument(path issue.Path, hint, format string, args ...any) issue.Issue {
	return issue.Issue{Code: codes.InvalidArguments, Message: wording.Cut(fmt.Sprintf(format, args...), 300), Path: path, FixHint: hint}
}

// quote quotes a name that a client sent; letters of all languages stay.
func quote(name string) string { return strconv.QuoteToGraphic(wording.Clip(name)) }
