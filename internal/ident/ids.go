// Package ident checks ids, slugs, locales, dates and URLs, and finds and fills in the variables
// of texts.
package ident

import (
	"iter"
	"regexp"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
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
	return wording.Quote(id)
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

// Piece is a part of a text: a placeholder such as {{time}}, or what is before, between and
// after placeholders.
type Piece struct {
	At          int    // its offset
	Text        string // as written, with the braces
	Placeholder bool
}

// Pieces cuts a text at its placeholders, which have no braces inside: of {{{ the last two
// count. The pieces, joined, are the text, and none is empty.
func Pieces(text string) iter.Seq[Piece] {
	return func(yield func(Piece) bool) {
		done := 0
		for at := 0; ; {
			length := strings.Index(text[at:], "}}")
			if length < 0 {
				break
			}
			end := at + length + len("}}")
			last := at + strings.LastIndexAny(text[at:at+length], "{}")
			if open := last - 1; open >= at && text[open:last+1] == "{{" {
				if open > done && !yield(Piece{done, text[done:open], false}) || !yield(Piece{open, text[open:end], true}) {
					return
				}
				done = end
			}
			at = end
		}
		if done < len(text) {
			yield(Piece{done, text[done:], false})
		}
	}
}

// Name returns what a placeholder has between its braces.
func (p Piece) Name() string { return p.Text[len("{{") : len(p.Text)-len("}}")] }

// Variable returns the id of the variable that a placeholder stands for. Spaces around it are
// ignored, and braces around anything but an id are text.
func (p Piece) Variable() (id string, ok bool) {
	if !p.Placeholder {
		return "", false
	}
	id = strings.TrimSpace(p.Name())
	return id, IsID(id)
}

// Interpolate replaces each {{variable}} of a text, such as the description of an
// element, by its value. If value reports false, the variable stays as written.
// Values are not searched for variables. The result is plain text: the caller
// escapes it if needed.
func Interpolate(text string, value func(id string) (string, bool)) string {
	var b strings.Builder
	for p := range Pieces(text) {
		id, ok := p.Variable()
		written := p.Text
		if ok {
			if s, ok := value(id); ok {
				written = s
			}
		}
		b.WriteString(written)
	}
	return b.String()
}

// RenameVariables gives each {{variable}} of a text another id. Two texts that are equal
// afterwards say the same.
func RenameVariables(text string, to func(id string) string) string {
	return Interpolate(text, func(id string) (string, bool) { return "{{" + to(id) + "}}", true })
}
