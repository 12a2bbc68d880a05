package validate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// say puts what jsonschema found into words for a person who has never seen the
// schema.
func (e *explainer) say(at place, k jsonschema.ErrorKind) issue.Issue {
	s := at.shape
	i := issue.Issue{FixHint: write(at)}
	must := func(format string, args ...any) {
		i.Message = fmt.Sprintf("The %s must %s.", subject(at.Value), fmt.Sprintf(format, args...))
	}
	switch k.(type) {
	case *kind.Type:
		must("be %s, but is %s", s.kinds, given(at.Value))
		mendKind(&i, at)
	case *kind.MinLength:
		must("not be empty")
	case *kind.Enum:
		words := strings.Join(s.words, ", ")
		must("be one of %s, but is %s", words, given(at.Value))
		i.FixHint = "write one of " + words
		if near := e.p.hints.nearest(at.Text(), slices.Values(s.words)); near != "" {
			i.FixHint, i.Fix = "write "+near, &issue.Fix{Value: quote(near)}
		}
	case *kind.Format:
		if s.pattern.MatchString(at.Text()) {
			must("be %s, but %s holds a date or time that does not exist", s.format.is, given(at.Value))
			i.FixHint = "correct the date or time"
			break
		}
		must("be %s, but is %s", s.format.is, given(at.Value))
		hint, meant := s.format.hint(at.Text())
		if i.FixHint = hint; meant != "" {
			i.Fix = &issue.Fix{Value: quote(meant)}
		}
	case *kind.Pattern:
		must("look like %s, but is %s", s.example, given(at.Value))
	case *kind.Minimum:
		must("be %d or more, but is %s", s.minimum, given(at.Value))
		i.FixHint = fmt.Sprintf("write %d or a larger whole number", s.minimum)
	case *kind.MinItems:
		item := noun(s.items.title, "item")
		must("hold at least one %s", item)
		i.FixHint = fmt.Sprintf("add a %s, such as %s", item, s.items.example)
	default:
		return misfit(at)
	}
	return i
}

// misfit is what is said where there are no words for what is wrong.
func misfit(at place) issue.Issue {
	return issue.Issue{
		Message: fmt.Sprintf("The %s does not have the form that it must have.", subject(at.Value)),
		FixHint: write(at),
	}
}

// sayMissing puts into words that an object lacks a field.
func sayMissing(at place, name string) issue.Issue {
	i := slices.IndexFunc(at.shape.fields, func(f field) bool { return f.name == name })
	missing := at.shape.fields[i].shape
	hint := fmt.Sprintf("add %s, such as %q: %s", name, name, missing.example)
	if missing.example == nil {
		// The snapshot is too much to be written by hand.
		hint = "resolve the document, which adds " + name
	}
	return issue.Issue{Message: fmt.Sprintf("The %s has no %s.", thing(at), name), FixHint: hint}
}

// mendKind makes a value of the wrong kind fit, where it is clear how: without
// quotes, with them, or in a list. Where it is not, a text that only lacks what
// must stand around it is shown with that.
func mendKind(i *issue.Issue, at place) {
	const tooLong = 1 << 16
	raw := at.Raw()
	if len(raw) > tooLong {
		return
	}
	mend := func(text []byte, otherwise string) bool {
		if !at.fitsAs(text) {
			return false
		}
		i.FixHint, i.Fix = short("write ", text, otherwise), &issue.Fix{Value: text}
		return true
	}
	switch at.Kind() {
	case '"':
		if mend([]byte(at.Text()), "write it as JSON, not as a string that holds JSON") {
			return
		}
	case '0', 't', 'f':
		if mend(quote(string(raw)), "put it in quotes") {
			return
		}
	}
	if mend(slices.Concat([]byte("["), raw, []byte("]")), "put it into [ and ]") {
		return
	}
	blank := []byte(`"…"`)
	filledIn := bytes.Replace(at.shape.example, blank, raw, 1)
	if at.Kind() == '"' && bytes.Count(at.shape.example, blank) == 1 && at.fitsAs(filledIn) {
		i.FixHint = short("write ", filledIn, i.FixHint)
	}
}

// short is a hint with a text in it, or the other hint where the text is long.
func short(hint string, text []byte, otherwise string) string {
	const long = 80
	if len(text) > long || bytes.IndexByte(text, '\n') >= 0 {
		return otherwise
	}
	return hint + string(text)
}

// fitsAs reports whether another text would fit the place.
func (at place) fitsAs(text []byte) bool {
	doc, err := document.Parse(text)
	return err == nil && at.shape.fits(doc.Root())
}

// write is the hint to write something that fits.
func write(at place) string {
	hint := "write " + at.shape.kinds.String()
	if at.shape.example != nil {
		hint += ", such as " + string(at.shape.example)
	}
	if at.optional {
		hint += ", or remove the field"
	}
	return hint
}

// String says what a value of one of the kinds is: a string or a list.
func (k kinds) String() string {
	var names []string
	for i, name := range []string{"null", "true or false", "a string", "a whole number", "a list", "an object"} {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

// given says what a value is.
func given(v document.Value) string {
	switch v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return fmt.Sprintf("%q", prose.Clip(v.Text()))
	}
	return string(v.Raw())
}

// subject is how messages call a value.
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

// thing is how messages call an object: by what it is.
func thing(at place) string {
	path := at.Path()
	what := noun(at.shape.title, "object")
	if len(path) == 0 || strings.ReplaceAll(tail(path), "_", " ") == what {
		return what
	}
	return what + " " + tail(path)
}

// tail is the end of a path: a key, or an index with the key before it.
func tail(path issue.Path) string {
	for i, step := range slices.Backward(path) {
		if _, isIndex := step.IsIndex(); !isIndex {
			return name(step.Name()) + path[i+1:].String()
		}
	}
	return path.String()
}

// noun is the title of a schema within a sentence.
func noun(title, otherwise string) string {
	if title == "" {
		return otherwise
	}
	return strings.ToLower(title[:1]) + title[1:]
}
