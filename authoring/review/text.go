package review

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
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
		value = ident.Interpolate(value, func(string) (string, bool) { return "it", true })
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
		t.sentence(t.value[start:i])
		start = i
	}
	t.sentence(t.value[start:])
}

// abbreviated reports whether a text ends in a word that is often followed by a period: a
// single letter, or one that has a period itself, as in "e.g".
func abbreviated(before string) bool {
	last := before[strings.LastIndexAny(before, " (")+1:]
	return len([]rune(last)) == 1 || strings.Contains(last, ".") || last == "etc" || last == "No" || last == "vs"
}

func (t *text) sentence(s string) {
	if words := wordsOf(s); len(words) > 0 {
		t.sentences = append(t.sentences, words)
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

var descriptionLength = &Sign{
	ID:      "description-length",
	Group:   "length",
	Purpose: "People who stand before a sign or scroll a page do not read long texts.",
	Advice:  "Say first what it means for the reader; leave out what every element of the category has in common.",
	Limit:   60, Unit: "words", Weight: 1,
	text: func(p *pass, t *text) {
		if t.field == fieldDescription && t.spaced() {
			p.tooLong(t, t.words(), "The description has %s, in %s", wording.Count(t.words(), "word"), wording.Count(len(t.sentences), "sentence"))
		}
	},
}

var descriptionShort = &Sign{
	ID:      "description-short",
	Group:   "length",
	Purpose: "A description that only repeats the title tells readers nothing.",
	Advice:  "Say what it means for the people whom the system affects, with an example.",
	Limit:   5, Unit: "words", AtLeast: true, Weight: 2,
	run: func(p *pass) error {
		titles := map[string]*text{} // by subject and locale
		for _, t := range p.texts {
			key := string(t.kind) + " " + t.id + " " + t.locale
			if t.isTitle() {
				titles[key] = t
				continue
			}
			title := titles[key]
			if t.field != fieldDescription || !t.spaced() || t.locale != p.report.Locales[0] {
				continue // translations follow the original
			}
			switch n := t.words(); {
			case title != nil && strings.EqualFold(strings.Trim(title.value, " ."), strings.Trim(t.value, " .")):
				p.found(t, 0, "The description repeats the %s.", title.field)
			case float64(n) < p.limit && float64(utf8.RuneCountInString(t.value)) < p.limit*wordLength:
				p.found(t, float64(n), "The description has only %s; write at least %g.", wording.Count(n, "word"), p.limit)
			}
		}
		return nil
	},
}

// wordLength is how many characters count as a word of a short description: a compound, as in
// German, says as much as several words.
const wordLength = 6

var titleLength = &Sign{
	ID:      "title-length",
	Group:   "length",
	Purpose: "A title stands beside an icon and is read in two seconds.",
	Advice:  "Keep the words that tell this element from its neighbours; move the rest to the description.",
	Limit:   8, Unit: "words", Weight: 2,
	text: func(p *pass, t *text) {
		if t.isTitle() && t.spaced() {
			p.tooLong(t, t.words(), "The %s has %s", t.field, wording.Count(t.words(), "word"))
		}
	},
}

var sentenceLength = &Sign{
	ID:      "sentence-length",
	Group:   "length",
	Purpose: "Readers lose the thread of long sentences, above all in another language than their own.",
	Advice:  "Split it into two sentences, with one idea each.",
	Limit:   30, Unit: "words", Weight: 1,
	text: func(p *pass, t *text) {
		longest := 0
		for _, s := range t.sentences {
			longest = max(longest, len(s))
		}
		if !t.isTitle() && t.spaced() {
			p.tooLong(t, longest, "The %s has a sentence of %s", t.field, wording.Count(longest, "word"))
		}
	},
}

// minTranslated is the number of characters from which the length of a translation means
// something.
const minTranslated = 40

var translationLength = &Sign{
	ID:      "translation-length",
	Group:   "translations",
	Purpose: "A translation that is much shorter or longer than the original says less or more than it.",
	Advice:  "Compare both; translate what is missing, or add it to the original.",
	Limit:   2, Unit: "times the length", Weight: 2,
	run: func(p *pass) error {
		type key struct {
			kind      Kind
			id, field string
		}
		originals := map[key]*text{}
		for _, t := range p.texts {
			k := key{t.kind, t.id, t.field}
			original := originals[k]
			if original == nil {
				originals[k] = t
				continue
			}
			a, b := utf8.RuneCountInString(original.value), utf8.RuneCountInString(t.value)
			if min(a, b) == 0 || max(a, b) < minTranslated || original.spaced() != t.spaced() {
				continue // scripts without spaces need fewer characters
			}
			switch ratio := float64(b) / float64(a); {
			case ratio > p.limit:
				p.found(t, ratio, "The %s is %.1f times as long as in %s (at most %g).", t.field, ratio, original.locale, p.limit)
			case 1/ratio > p.limit:
				p.found(t, 1/ratio, "In %s, the %s is %.1f times as long as this translation (at most %g).", original.locale, t.field, 1/ratio, p.limit)
			}
		}
		return nil
	},
}
