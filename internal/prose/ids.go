package prose

import (
	"regexp"
	"strings"
)

// MaxIDLength is how many characters an id of any kind can have.
const MaxIDLength = 128

// IsID reports whether s is a valid id of a category, symbol, variable, context value or
// option: 1 to [MaxIDLength] characters of [a-zA-Z0-9_-].
func IsID(s string) bool {
	for i := range len(s) {
		if !IsIDByte(s[i]) {
			return false
		}
	}
	return s != "" && len(s) <= MaxIDLength
}

// IsIDByte reports whether an id can have the byte.
func IsIDByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// IsElementID reports whether s is a valid id of an element: an id, or two of them joined by
// a period, such as "purpose.safety".
func IsElementID(s string) bool {
	before, after, found := strings.Cut(s, ".")
	return len(s) <= MaxIDLength && IsID(before) && (!found || IsID(after))
}

// Name returns an id for a message. Untrusted documents and schemas can have ids with any
// characters, which are quoted.
func Name(id string) string {
	if IsElementID(id) {
		return id
	}
	return Quote(id)
}

// SlugRule says what a slug, the name of a document in addresses, must be.
const SlugRule = "1 to 64 lower-case letters, digits, - and _, not beginning with - or _, and not changes or a Windows device such as con"

var (
	slug   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|(com|lpt)[0-9])$`)
)

// IsSlug reports whether a text can be a slug. Slugs are names of directories, too, and
// /documents/changes is a path of the HTTP API beside those of documents.
func IsSlug(text string) bool {
	return slug.MatchString(text) && !IsDevice(text) && text != "changes"
}

// IsDevice reports whether Windows creates no file with a name, whatever extension follows.
func IsDevice(name string) bool { return len(name) <= 4 && device.MatchString(name) }

// Interpolate replaces each {{variable}} of a text, such as the description of an
// element, by its value. If value reports false, the variable stays as written.
// Values are not searched for variables. The result is plain text: the caller
// escapes it if needed.
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

// RenameVariables gives each {{variable}} of a text another id. Two texts that are equal
// afterwards say the same.
func RenameVariables(text string, to func(id string) string) string {
	return Interpolate(text, func(id string) (string, bool) { return "{{" + to(id) + "}}", true })
}

// CutVariable cuts a text around its first {{variable}} into the text before it,
// its id, and the text after it. Spaces around the id are ignored, and braces
// around anything but an id are text. If there is no variable, before is the
// whole text. Use [Interpolate] unless values are more than text.
func CutVariable(text string) (before, id, after string, found bool) {
	const left, right = "{{", "}}"
	for at := 0; ; {
		length := strings.Index(text[at:], right)
		if length < 0 {
			return text, "", "", false
		}
		end := at + length
		// The last braces count: {{{a}} has a brace before the variable.
		if start := strings.LastIndex(text[at:end], left); start >= 0 {
			start += at
			if id := strings.TrimSpace(text[start+len(left) : end]); IsID(id) {
				return text[:start], id, text[end+len(right):], true
			}
		}
		at = end + len(right)
	}
}
