package yaml

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy"
)

// LineWidth is the number of characters after which written YAML is folded.
const LineWidth = 100

// Mapping is an object to write, in order. A value is a string, int, bool, Mapping,
// []Mapping, []string or [][]string. Members without a value are left out: see [Mapping.Add].
type Mapping []Member

// Member is a key of an object and its value.
type Member struct {
	Key   string
	Value any
}

// Add appends a member unless its value is empty: "", 0, false, or without items.
func (m Mapping) Add(key string, value any) Mapping {
	if l, ok := value.(taxonomy.Localized); ok {
		value = LocalizedMapping(l)
	}
	if v := reflect.ValueOf(value); v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
		return m
	}
	return append(m, Member{key, value})
}

// LocalizedMapping is the short form of a localized string: from locale to text.
func LocalizedMapping(l taxonomy.Localized) Mapping {
	m := make(Mapping, 0, len(l))
	for _, t := range l {
		m = append(m, Member{t.Locale, t.Value})
	}
	return m
}

// Writer writes YAML in block style, which people can edit: one key a line, long
// texts folded. What it writes is read as the same values by [Parse].
type Writer struct{ strings.Builder }

// FileText returns an object as the text of a file.
func FileText(m Mapping) []byte {
	var w Writer
	w.Mapping(m, 0)
	return []byte(w.String())
}

// Mapping writes the members of an object. The first one follows what is written
// already, such as the dash of a list item.
func (w *Writer) Mapping(m Mapping, indent int) {
	for i, f := range m {
		if i > 0 {
			w.indent(indent)
		}
		w.Member(f.Key, f.Value, indent)
	}
}

// Member writes a key and its value.
func (w *Writer) Member(key string, value any, indent int) {
	key = Inline(key) + ":"
	w.WriteString(key)
	switch v := value.(type) {
	case Mapping:
		w.WriteByte('\n')
		w.indent(indent + 2)
		w.Mapping(v, indent+2)
	case []Mapping:
		w.WriteByte('\n')
		for _, item := range v {
			w.indent(indent + 2)
			w.WriteString("- ")
			w.Mapping(item, indent+4)
		}
	case [][]string:
		w.WriteByte('\n')
		for _, list := range v {
			w.indent(indent + 2)
			w.WriteByte('-')
			w.strings(list, indent+2, indent+4)
		}
	case []string:
		w.strings(v, indent, indent+utf8.RuneCountInString(key)+1)
	case string:
		w.WriteString(" " + BlockScalar(v, indent+2, indent+utf8.RuneCountInString(key)+1) + "\n")
	default:
		w.WriteString(fmt.Sprintf(" %v\n", v))
	}
}

// strings writes a list of strings, on one line if it fits there.
func (w *Writer) strings(list []string, indent, column int) {
	if line := InlineList(list); column+utf8.RuneCountInString(line) <= LineWidth {
		w.WriteString(" " + line + "\n")
		return
	}
	w.WriteByte('\n')
	for _, s := range list {
		w.indent(indent + 2)
		w.WriteString("- " + BlockScalar(s, indent+4, indent+4) + "\n")
	}
}

func (w *Writer) indent(n int) { w.WriteString(strings.Repeat(" ", n)) }

// BlockScalar returns a string as a value of a key or an item in block style. It
// begins at a column; further lines are indented.
func BlockScalar(s string, indent, column int) string {
	margin := "\n" + strings.Repeat(" ", indent)
	switch {
	case isLiteral(s):
		mark := "|-"
		if strings.HasSuffix(s, "\n") {
			mark = "|"
		}
		var b strings.Builder
		b.WriteString(mark)
		for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
			if line == "" {
				b.WriteByte('\n')
			} else {
				b.WriteString(margin + line)
			}
		}
		return b.String()
	case column+utf8.RuneCountInString(s) > LineWidth && IsFoldable(s):
		return ">-" + margin + Fold(s, margin, LineWidth-indent)
	case IsPlain(s, false):
		return s
	}
	return Quote(s)
}

// Inline returns a string as a key, or as an item of a list in brackets.
func Inline(s string) string {
	if IsPlain(s, true) {
		return s
	}
	return Quote(s)
}

// InlineList returns a list of strings in brackets.
func InlineList(list []string) string {
	items := make([]string, len(list))
	for i, s := range list {
		items[i] = Inline(s)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// Fold breaks a text at spaces into lines of at most width characters, if its words
// allow.
func Fold(s, margin string, width int) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Split(s, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > width:
			b.WriteString(margin)
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// IsFoldable reports whether folding keeps a text: its words are separated by single
// spaces.
func IsFoldable(s string) bool {
	return strings.Contains(s, " ") && s == strings.Trim(s, " ") && !strings.Contains(s, "  ") && !strings.ContainsFunc(s, IsSpecial)
}

// isLiteral reports whether a text can be written line by line after a |.
func isLiteral(s string) bool {
	body := strings.TrimSuffix(s, "\n")
	if !strings.Contains(s, "\n") || body == "" || strings.HasSuffix(body, "\n") || body[0] == ' ' || body[0] == '\n' {
		return false
	}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.HasSuffix(line, " ") || strings.ContainsFunc(line, IsSpecial) {
			return false
		}
	}
	return true
}

// IsPlain reports whether a string can be written without quotes, also in brackets if
// flow is set. Words that other YAML readers take for something else are quoted, too.
func IsPlain(s string, flow bool) bool {
	switch {
	case s == "", PlainKind(s) != String, isOtherType(s), s != strings.TrimSpace(s):
		return false
	case strings.ContainsRune("-?:,[]{}#&*!|>'\"%@`=<~.", rune(s[0])):
		return false
	case strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":"):
		return false
	case flow && strings.ContainsAny(s, ",[]{}:\"'"):
		return false
	}
	return !strings.ContainsFunc(s, IsSpecial)
}

// isOtherType reports whether YAML 1.1 reads a plain string as a boolean, a number or
// a date.
func isOtherType(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return '0' <= s[0] && s[0] <= '9' && strings.Trim(s, "0123456789abcdefABCDEFxXoO_:.-+TZ ") == "" || s[0] == '+'
}

// IsSpecial reports whether a character can only be written in double quotes.
func IsSpecial(r rune) bool {
	switch r {
	case '\u2028', '\u2029', '\ufeff', '\ufffd', '\ufffe', '\uffff':
		return true
	}
	return unicode.IsControl(r)
}

// Quote returns a string in double quotes.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case IsSpecial(r): // all are below U+10000
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
