package profile

import (
	"cmp"
	"html"
	"slices"
	"strings"
)

// split splits what is joined.
func split(text, join string) []string {
	separator := cmp.Or(strings.TrimSpace(join), join)
	if separator == "" {
		return []string{text}
	}
	parts := strings.Split(text, separator)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// plainText returns a text without the tags of HTML, which become lines if they end a paragraph, and
// with the characters that its entities stand for.
func plainText(text string) string {
	if !strings.ContainsAny(text, "<&") {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "<")
		b.WriteString(before)
		if !found {
			return strings.TrimSpace(html.UnescapeString(b.String()))
		}
		text = after
		end := strings.IndexAny(text, "<>")
		if end < 0 || text[end] == '<' {
			b.WriteByte('<')
			continue
		}
		tag := strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text[:end]), "/"))
		if !isTag(tag) {
			b.WriteByte('<')
			continue
		}
		if slices.Contains([]string{"br", "/p", "/li", "/div", "/h1", "/h2", "/h3", "/h4"}, tag) {
			b.WriteByte('\n')
		}
		text = text[end+1:]
	}
}

// isTag reports whether the text between < and > is a tag, and no comparison.
func isTag(text string) bool {
	name, attributes, _ := strings.Cut(strings.TrimPrefix(text, "/"), " ")
	return slices.Contains(htmlTags, name) && (attributes == "" || strings.Contains(attributes, "=")) || strings.HasPrefix(text, "!--")
}

// htmlTags are the names of tags that occur in texts.
var htmlTags = strings.Fields(`a abbr b big blockquote br center cite code dd del details div dl dt em figure font h1 h2 h3 h4 h5 h6 hr i iframe
	img ins kbd li mark ol p pre q s script section small span strike strong style sub summary sup table tbody td tfoot th thead tr tt u ul var`)
