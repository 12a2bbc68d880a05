package review

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/taxonomy"
)

// text is a text of the release in one language.
type text struct {
	kind   Kind
	id     string // of the element or category
	field  string
	locale string
	value  string // with a word in place of each {{variable}}
	// sentences are the words of each sentence.
	sentences [][]string
	questions []string // the sentences that are questions
}

// The fields of texts, named as on the wire.
const (
	fieldTitle       = "title"
	fieldName        = "name"
	fieldDescription = "description"
	fieldPrompt      = "prompt"
)

// readTexts collects the texts that readers and authors see, in declaration order.
func (p *pass) readTexts() {
	for _, c := range p.release.Categories() {
		p.readText(KindCategory, c.ID, fieldName, c.Name)
		p.readText(KindCategory, c.ID, fieldDescription, c.Description)
		p.readText(KindCategory, c.ID, fieldPrompt, c.Prompt)
	}
	for _, e := range p.release.Elements() {
		p.readText(KindElement, e.ID, fieldTitle, e.Title)
		p.readText(KindElement, e.ID, fieldDescription, e.Description)
	}
}

func (p *pass) readText(kind Kind, id, field string, l taxonomy.Localized) {
	for _, locale := range p.report.Locales {
		value, ok := l.Get(locale)
		if !ok || strings.TrimSpace(value) == "" {
			continue
		}
		value = taxonomy.Interpolate(value, func(string) (string, bool) { return "it", true })
		t := &text{kind: kind, id: id, field: field, locale: locale, value: value}
		t.split()
		p.texts = append(p.texts, t)
	}
}

// words returns how many words the text has.
func (t *text) words() int {
	n := 0
	for _, s := range t.sentences {
		n += len(s)
	}
	return n
}

// isTitle reports whether the text is a title or a name.
func (t *text) isTitle() bool { return t.field == fieldTitle || t.field == fieldName }

// spaced reports whether words of the text are separated by spaces, so that they can be
// counted.
func (t *text) spaced() bool { return !strings.ContainsFunc(t.value, isUnspaced) }

func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Khmer, unicode.Lao, unicode.Myanmar)
}

// split splits the text into sentences and words. A sentence ends at a mark that white
// space or the end follows, unless an abbreviation or a number is before it.
func (t *text) split() {
	start := 0
	for i, r := range t.value {
		if !strings.ContainsRune(".!?…؟;\n", r) {
			continue
		}
		after := strings.TrimLeft(t.value[i:], ".!?…؟;\n»”\")]")
		if after != "" && !strings.HasPrefix(after, " ") && !strings.HasPrefix(after, "\u00A0") && r != '\n' || r == '.' && abbreviated(t.value[start:i]) && after != "" {
			continue
		}
		t.sentence(t.value[start:i], r)
		start = i
	}
	t.sentence(t.value[start:], 0)
}

// abbreviated reports whether a text ends in a word that is often followed by a period: a
// single letter, or one that has a period itself, as in "e.g".
func abbreviated(before string) bool {
	last := before[strings.LastIndexAny(before, " (")+1:]
	return len([]rune(last)) == 1 || strings.Contains(last, ".") || last == "etc" || last == "No" || last == "vs"
}

func (t *text) sentence(s string, end rune) {
	words := wordsOf(s)
	if len(words) == 0 {
		return
	}
	t.sentences = append(t.sentences, words)
	if end == '?' || end == '؟' {
		t.questions = append(t.questions, strings.TrimLeft(s, ".!?…؟;\n »”\")]"))
	}
}

// wordsOf returns the words of a text: letters and digits, with apostrophes, hyphens and
// periods between them. An elided article, as in l’image, belongs to its word.
func wordsOf(s string) []string {
	var words []string
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return !isWord(r) && !strings.ContainsRune("'’-.‑", r) }) {
		if part = strings.TrimFunc(part, func(r rune) bool { return !isWord(r) }); part != "" {
			words = append(words, part)
		}
	}
	return words
}

// baseLanguage returns the language of a locale, such as en.
func baseLanguage(locale string) string {
	tag, _ := language.Parse(locale) // an invalid tag has no language
	base, _, _ := tag.Raw()
	return base.String()
}
