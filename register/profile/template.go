package profile

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
)

// template is a text with placeholders.
type template []part

// part is a literal, a placeholder, or an optional group of both, which disappears if a placeholder in
// it is empty.
type part struct {
	literal     string
	placeholder string
	optional    []part
}

// parseTemplate reads a template, or says why it can't be used. Groups are not nested.
func parseTemplate(text string) (t template, wrong string) {
	to, inside := (*[]part)(&t), false
	for text != "" {
		i := strings.IndexAny(text, "{}[]")
		if i < 0 {
			i = len(text)
		}
		if i > 0 {
			*to = append(*to, part{literal: text[:i]})
			text = text[i:]
			continue
		}
		mark := text[0]
		text = text[1:]
		switch {
		case mark == '{':
			name, rest, closed := strings.Cut(text, "}")
			if !closed {
				return nil, "a { is not closed"
			}
			if !isPlaceholder(name) {
				return nil, fmt.Sprintf("{%s} is not a placeholder such as {title}", wording.Clip(name))
			}
			*to = append(*to, part{placeholder: name})
			text = rest
		case mark == '[' && inside:
			return nil, "a [ is inside of another"
		case mark == '[':
			t = append(t, part{optional: []part{}})
			to, inside = &t[len(t)-1].optional, true
		case mark == ']' && inside:
			to, inside = (*[]part)(&t), false
		default:
			return nil, fmt.Sprintf("a %c is not opened", mark)
		}
	}
	if inside {
		return nil, "a [ is not closed"
	}
	return t, ""
}

// isPlaceholder reports whether a name can be one: names with periods between them, or a period.
func isPlaceholder(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !ident.IsID(part) && name != "." {
			return false
		}
	}
	return true
}

// placeholders yields the placeholders.
func (t template) placeholders() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range t {
			for _, p := range append([]part{p}, p.optional...) {
				if p.placeholder != "" && !yield(p.placeholder) {
					return
				}
			}
		}
	}
}

// only returns the placeholder of a template that is nothing else.
func (t template) only() string {
	if len(t) != 1 {
		return ""
	}
	return t[0].placeholder
}

// write fills a template in. The function returns the text of a placeholder, which can be empty. A
// text is empty if nothing but literals is left of it.
func (t template) write(value func(placeholder string) string) string {
	var b, text strings.Builder
	filled := false
	for _, p := range t {
		group := p.optional
		if group == nil {
			group = []part{p}
		}
		text.Reset()
		kept := true
		for i := 0; i < len(group) && kept; i++ {
			text.WriteString(group[i].literal)
			if name := group[i].placeholder; name != "" {
				v := value(name)
				text.WriteString(v)
				kept = v != ""
			}
		}
		if kept {
			b.WriteString(text.String())
			filled = filled || p.literal == ""
		}
	}
	if !filled && len(slices.Collect(t.placeholders())) > 0 {
		return ""
	}
	return strings.TrimSpace(b.String())
}
