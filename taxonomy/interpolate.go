package taxonomy

import "strings"

// Interpolate fills in the {{variables}} of a text of a schema, such as the
// description of an element, with the value that each has. Where value reports
// false, the variable stays as it is written; to take it out, return "" and true.
// What is filled in is not searched for variables again. The result is plain
// text: what needs escaping is escaped by the caller.
func Interpolate(text string, value func(id string) (string, bool)) string {
	var b strings.Builder
	for {
		before, id, after, found := CutVariable(text)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if s, ok := value(id); ok {
			b.WriteString(s)
		} else {
			b.WriteString(text[len(before) : len(text)-len(after)])
		}
		text = after
	}
}

// CutVariable cuts a text of a schema around its first {{variable}}: what is
// before it, its id, and what is after it. Spaces around the id do not count,
// and braces around anything else than an id, see [ValidID], are text. Where
// there is no variable, before is the whole text. It is for callers to whom
// values are more than text; others have [Interpolate].
func CutVariable(text string) (before, id, after string, found bool) {
	const left, right = "{{", "}}"
	for at := 0; ; {
		length := strings.Index(text[at:], right)
		if length < 0 {
			return text, "", "", false
		}
		end := at + length
		// The last braces count: {{{a}} has one before the variable.
		if start := strings.LastIndex(text[at:end], left); start >= 0 {
			start += at
			if id := strings.TrimSpace(text[start+len(left) : end]); ValidID(id) {
				return text[:start], id, text[end+len(right):], true
			}
		}
		at = end + len(right)
	}
}
