package profile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
)

// template is a text with placeholders.
type template struct {
	parts []part
}

// part is a literal, a placeholder, or an optional group, which disappears if a placeholder in it is
// empty.
type part struct {
	literal     string
	placeholder string
	optional    []part
}

// only returns the placeholder of a template that is nothing else.
func (t *template) only() string {
	if t != nil && len(t.parts) == 1 {
		return t.parts[0].placeholder
	}
	return ""
}

// parseTemplate reads a template. Groups are not nested.
func parseTemplate(text string) (*template, error) {
	t := new(template)
	to, inside := &t.parts, false
	for text != "" {
		i := strings.IndexAny(text, "{}[]")
		if i < 0 {
			i = len(text)
		}
		if i > 0 {
			*to = append(*to, part{literal: text[:i]})
		}
		if text = text[i:]; text == "" {
			break
		}
		switch text[0] {
		case '{':
			end := strings.IndexByte(text, '}')
			if end < 0 {
				return nil, errors.New("a { is not closed")
			}
			name := text[1:end]
			if !isPlaceholder(name) {
				return nil, fmt.Errorf("{%s} is not a placeholder such as {title}", wording.Clip(name))
			}
			*to = append(*to, part{placeholder: name})
			text = text[end:]
		case '[':
			if inside {
				return nil, errors.New("a [ is inside of another")
			}
			t.parts = append(t.parts, part{optional: []part{}})
			to, inside = &t.parts[len(t.parts)-1].optional, true
		case ']':
			if !inside {
				return nil, errors.New("a ] is not opened")
			}
			to, inside = &t.parts, false
		default:
			return nil, errors.New("a } is not opened")
		}
		text = text[1:]
	}
	if inside {
		return nil, errors.New("a [ is not closed")
	}
	return t, nil
}

// isPlaceholder reports whether a name can be one: names with periods between them, or a period.
func isPlaceholder(name string) bool {
	if name == "." {
		return true
	}
	for part := range strings.SplitSeq(name, ".") {
		if !ident.IsID(part) {
			return false
		}
	}
	return true
}

// write fills a template in. The function returns the text of a placeholder, which can be empty. A
// text is empty if nothing but literals is left of it.
func (t *template) write(value func(placeholder string) string) string {
	text, filled := writeParts(t.parts, value)
	if !filled {
		return ""
	}
	return strings.TrimSpace(text)
}

func writeParts(parts []part, value func(string) string) (text string, filled bool) {
	var b strings.Builder
	for i := range parts {
		switch p := &parts[i]; {
		case p.optional != nil:
			inner, all := writeAll(p.optional, value)
			if all {
				filled = true
				b.WriteString(inner)
			}
		case p.placeholder != "":
			v := value(p.placeholder)
			filled = filled || v != ""
			b.WriteString(v)
		default:
			b.WriteString(p.literal)
		}
	}
	return b.String(), filled || len(parts) > 0 && !hasPlaceholder(parts)
}

// writeAll writes an optional group. It is false if a placeholder is empty.
func writeAll(parts []part, value func(string) string) (string, bool) {
	var b strings.Builder
	for i := range parts {
		b.WriteString(parts[i].literal)
		if name := parts[i].placeholder; name != "" {
			v := value(name)
			if v == "" {
				return "", false
			}
			b.WriteString(v)
		}
	}
	return b.String(), true
}

func hasPlaceholder(parts []part) bool {
	for i := range parts {
		if parts[i].placeholder != "" || hasPlaceholder(parts[i].optional) {
			return true
		}
	}
	return false
}

// placeholders calls a function with each placeholder.
func (t *template) placeholders(see func(string)) {
	var all func([]part)
	all = func(parts []part) {
		for i := range parts {
			if parts[i].placeholder != "" {
				see(parts[i].placeholder)
			}
			all(parts[i].optional)
		}
	}
	if t != nil {
		all(t.parts)
	}
}
