package translation

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
)

// Text returns the file as text.
func (f *Catalog) Text() []byte {
	var b bytes.Buffer
	writeEntry(&b, f.head())
	for i := range f.Entries {
		b.WriteByte('\n')
		writeEntry(&b, &f.Entries[i])
	}
	return b.Bytes()
}

// head returns the entry without an id, with the fields that msgfmt expects, but Plural-Forms:
// texts of a taxonomy have no plurals. Equal content has equal fields, so files can be compared.
func (f *Catalog) head() *Entry {
	day := cmp.Or(f.Date, "1970-01-01") + " 00:00+0000"
	revised := day
	if f.Language == "" { // a template, in which translators fill it in
		revised = "YEAR-MO-DA HO:MI+ZONE"
	}
	var b strings.Builder
	for _, field := range [][2]string{
		{"Project-Id-Version", f.Version},
		{"Report-Msgid-Bugs-To", ""},
		{"POT-Creation-Date", day},
		{"PO-Revision-Date", revised},
		{"Last-Translator", ""},
		{"Language-Team", ""},
		{"Language", strings.ReplaceAll(f.Language, "-", "_")},
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=UTF-8"},
		{"Content-Transfer-Encoding", "8bit"},
	} {
		b.WriteString(field[0] + ": " + field[1] + "\n")
	}
	return &Entry{Value: b.String(), Fuzzy: f.Language == ""}
}

func writeEntry(b *bytes.Buffer, e *Entry) {
	for line := range strings.Lines(e.Comment) {
		fmt.Fprintf(b, "#. %s\n", strings.TrimRight(line, "\n"))
	}
	if e.Fuzzy {
		b.WriteString("#, fuzzy\n")
	}
	if e.Previous != "" {
		writeString(b, "#| ", "msgid", e.Previous)
	}
	if e.Context != "" {
		writeString(b, "", "msgctxt", e.Context)
	}
	writeString(b, "", "msgid", e.ID)
	writeString(b, "", "msgstr", e.Value)
}

// writeString writes a keyword and a string, with a line for each line of the string.
// Each line begins with the mark.
func writeString(b *bytes.Buffer, mark, keyword, s string) {
	b.WriteString(mark + keyword)
	if strings.Contains(strings.TrimSuffix(s, "\n"), "\n") {
		b.WriteString(` ""`)
		for line := range strings.Lines(s) {
			b.WriteString("\n" + mark + escape(line))
		}
	} else {
		b.WriteString(" " + escape(s))
	}
	b.WriteByte('\n')
}

// escape returns a string in quotes, with the escapes of C.
func escape(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		default:
			if r < ' ' || r == 0x7f {
				fmt.Fprintf(&b, `\%03o`, r)
			} else {
				b.WriteRune(r)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
