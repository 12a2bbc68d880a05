package translation

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
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

// head returns the entry without an id, with the fields that msgfmt expects. Equal content
// has equal fields, so files can be compared.
func (f *Catalog) head() *Entry {
	day := cmp.Or(f.Date, "1970-01-01") + " 00:00+0000"
	revised, plurals := day, pluralForms(f.Language)
	if f.Language == "" { // a template, in which translators fill in both
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
		{"Plural-Forms", plurals},
	} {
		if field[0] != "Plural-Forms" || plurals != "" {
			b.WriteString(field[0] + ": " + field[1] + "\n")
		}
	}
	return &Entry{Value: b.String(), Fuzzy: f.Language == ""}
}

// pluralForms returns how the plurals of a language are written, as in the manual of
// gettext, or "" if that is not known. Texts of a taxonomy have no plurals, but translation
// tools ask for it.
func pluralForms(locale string) string {
	language, region, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(locale, "_", "-")), "-")
	if language == "pt" && region == "br" {
		language = "fr"
	}
	for _, forms := range [][2]string{
		{"id ja ko lo ms my th vi zh", "nplurals=1; plural=0;"},
		{"af bg ca da de el en eo es et eu fi fy gl he hu it lb mn nb ne nl nn no pt sq sv sw tr ur", "nplurals=2; plural=(n != 1);"},
		{"am bn fa fr gu hi hy kn ln mg mr pa tl wa zu", "nplurals=2; plural=(n > 1);"},
		{"be bs hr ru sr uk", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"},
		{"cs sk", "nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);"},
		{"pl", "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"},
		{"lt", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);"},
		{"lv", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n!=0 ? 1 : 2);"},
		{"ro", "nplurals=3; plural=(n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2);"},
		{"sl", "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);"},
		{"ga", "nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n>2 && n<7 ? 2 : n>6 && n<11 ? 3 : 4);"},
		{"ar", "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);"},
	} {
		if slices.Contains(strings.Fields(forms[0]), language) {
			return forms[1]
		}
	}
	return ""
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
