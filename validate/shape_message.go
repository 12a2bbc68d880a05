package validate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// say returns the issue for an error of jsonschema, in words for a reader who has
// not seen the schema.
func (e *explainer) say(at place, k jsonschema.ErrorKind) (i issue.Issue) {
	s := at.shape
	must := func(format string, args ...any) {
		i.Message = fmt.Sprintf("The %s must %s.", subject(at.Value), fmt.Sprintf(format, args...))
	}
	switch k.(type) {
	case *kind.Type:
		must("be %s, but is %s", s.kinds, given(at.Value))
		fixKind(&i, at)
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
				i.FixHint, i.Fix = s.format.hint(at.Text())
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
		return e.misfit(at)
	}
	if i.FixHint == "" && e.isPin(at.Path()) {
		e.pin(&i, at)
	} else if i.FixHint == "" {
		i.FixHint = e.write(at)
	}
	return i
}

// pin names the version that the document is validated against.
func (e *explainer) pin(i *issue.Issue, at place) {
	version := e.p.Version
	if ref, err := taxonomy.ParseRef(at.Text()); err == nil && ref.Type() != version.Type() {
		i.FixHint = e.p.otherPin(ref.String())
		return
	}
	i.FixHint, i.Fix = "write "+version.String(), &issue.Fix{Value: quote(version.String())}
}

// misfit is the issue for an error of an unknown kind.
func (e *explainer) misfit(at place) issue.Issue {
	return issue.Issue{
		Message: fmt.Sprintf("The %s does not have the required form.", subject(at.Value)),
		FixHint: e.write(at),
	}
}

// sayMissing returns the issue for a missing field.
func (e *explainer) sayMissing(at place, name string) issue.Issue {
	i := slices.IndexFunc(at.shape.fields, func(f field) bool { return f.name == name })
	hint := "add " + name
	if example := e.example(at.Path().Key(name), at.shape.fields[i].shape); example != nil {
		hint = fmt.Sprintf("add %s, such as %q: %s", name, name, example)
	} else if name == snapshotPath[0].Name() {
		hint = "resolve the document, which adds " + name // too large to write by hand
	}
	return issue.Issue{Message: fmt.Sprintf("The %s has no %s.", thing(at), name), FixHint: hint}
}

// fixKind fixes a value of the wrong kind if it fits without quotes, with quotes, or
// in an array. If a string fits in the blank of the example, the hint shows that.
func fixKind(i *issue.Issue, at place) {
	const tooLong = 1 << 16
	raw := at.Raw()
	if len(raw) > tooLong {
		return
	}
	try := func(text []byte, hint string) bool {
		if !at.fitsAs(text) {
			return false
		}
		i.FixHint, i.Fix = short(text, hint), &issue.Fix{Value: text}
		return true
	}
	switch at.Kind() {
	case '"':
		if try([]byte(at.Text()), "write it as JSON, not as a string that contains JSON") {
			return
		}
	case '0', 't', 'f':
		if try(quote(string(raw)), "put it in quotes") {
			return
		}
	}
	if try(slices.Concat([]byte("["), raw, []byte("]")), "put it in [ and ]") {
		return
	}
	blank := []byte(`"…"`)
	filledIn := bytes.Replace(at.shape.example, blank, raw, 1)
	if at.Kind() == '"' && bytes.Count(at.shape.example, blank) == 1 && at.fitsAs(filledIn) {
		i.FixHint = short(filledIn, i.FixHint)
	}
}

// short is the hint to write a text, or the other hint if the text is long.
func short(text []byte, hint string) string {
	const long = 80
	if len(text) > long || bytes.IndexByte(text, '\n') >= 0 {
		return hint
	}
	return "write " + string(text)
}

// fitsAs reports whether another text would fit the place.
func (at place) fitsAs(text []byte) bool {
	doc, err := document.Parse(text)
	return err == nil && at.shape.fits(doc.Root())
}

// write is the hint to write a value that fits.
func (e *explainer) write(at place) string {
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
		return fmt.Sprintf("%q", prose.Clip(v.Text()))
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
func thing(at place) string {
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
			return name(step.Name()) + path[i+1:].String()
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
