package review

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// measure is what reading formulas need to know about a text.
type measure struct {
	words, sentences, syllables, letters float64
}

// minReadingWords is the length from which a reading formula says something about a text:
// in a shorter one, a single long word decides.
const minReadingWords = 20

// measure counts words, sentences, syllables and letters, and reports whether there is
// enough of them.
func (t *text) measure(syllables func(word string) int) (measure, bool) {
	m := measure{words: float64(t.words()), sentences: float64(len(t.sentences))}
	for _, s := range t.sentences {
		for _, word := range s {
			m.syllables += float64(syllables(word))
			for _, r := range word {
				if unicode.IsLetter(r) {
					m.letters++
				}
			}
		}
	}
	return m, t.field == fieldDescription && m.words >= minReadingWords
}

var readingEase = &Sign{
	ID:      "reading-ease",
	Group:   "reading level",
	Purpose: "Formulas for French, Spanish, German and Italian rate texts from 100 (very easy) to 0 (very hard), as Flesch did for English.",
	Advice:  "Use shorter sentences and everyday words.",
	Limit:   25, Unit: "points of 100", AtLeast: true, Weight: 2,
	Languages: []string{"fr", "es", "de", "it"},
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			f := easeFormulas[baseLanguage(t.locale)]
			m, enough := t.measure(f.syllables)
			if !enough {
				return
			}
			if ease := f.ease(m); ease < p.limit {
				p.found(t, max(0, ease), "The description is hard to read: %.0f of 100 points (%s; at least %g).", max(0, ease), f.name, p.limit)
			}
		})
		return nil
	},
}

// easeFormula rates how easy a text of a language is.
type easeFormula struct {
	name      string
	syllables func(word string) int
	ease      func(measure) float64
}

var easeFormulas = map[string]easeFormula{
	"fr": {"Kandel-Moles", frenchSyllables, func(m measure) float64 { return 207 - 1.015*m.words/m.sentences - 73.6*m.syllables/m.words }},
	"es": {"Fernández Huerta", spanishSyllables, func(m measure) float64 { return 206.84 - 60*m.syllables/m.words - 1.02*m.words/m.sentences }},
	"de": {"Amstad", germanSyllables, func(m measure) float64 { return 180 - m.words/m.sentences - 58.5*m.syllables/m.words }},
	"it": {"Gulpease", func(string) int { return 0 }, func(m measure) float64 { return 89 + (300*m.sentences-10*m.letters)/m.words }},
}

var readingGrade = &Sign{
	ID:      "reading-grade",
	Group:   "reading level",
	Purpose: "The Flesch-Kincaid grade says how many years of school an English text takes.",
	Advice:  "Use shorter sentences and everyday words: \"use\" for \"utilise\", \"share\" for \"dissemination\".",
	Limit:   16, Unit: "years of school", Weight: 2,
	Languages: []string{"en"},
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			m, enough := t.measure(englishSyllables)
			if grade := 0.39*m.words/m.sentences + 11.8*m.syllables/m.words - 15.59; enough && grade > p.limit {
				p.found(t, grade, "The description takes %.1f years of school (Flesch-Kincaid; at most %g).", grade, p.limit)
			}
		})
		return nil
	},
}

// vowelGroups counts the runs of vowels in a word. Each of apart begins a new run, as the
// strong vowels of Spanish do.
func vowelGroups(word, vowels, apart string) int {
	n := 0
	inside, strong := false, false
	for _, r := range word {
		vowel, isStrong := strings.ContainsRune(vowels, r), strings.ContainsRune(apart, r)
		if vowel && (!inside || isStrong && strong) {
			n++
		}
		inside, strong = vowel, isStrong
	}
	return max(n, 1)
}

// englishSyllables estimates the syllables of an English word. A final e is silent, except
// after a consonant and l, and so is that of most words in -ed and -es.
func englishSyllables(word string) int {
	word = strings.ToLower(word)
	n := vowelGroups(word, "aeiouy", "")
	for _, end := range []string{"e", "es", "ed"} {
		stem, ok := strings.CutSuffix(word, end)
		if !ok || stem == "" {
			continue
		}
		before := stem[len(stem)-1]
		switch {
		case strings.IndexByte("aeiouy", before) >= 0:
		case end == "e" && before == 'l' && len(stem) > 1 && strings.IndexByte("aeiouy", stem[len(stem)-2]) < 0: // table
		case end == "es" && strings.IndexByte("sxzcg", before) >= 0: // places
		case end == "es" && strings.HasSuffix(stem, "h"): // watches
		case end == "ed" && strings.IndexByte("td", before) >= 0: // collected
		default:
			n--
		}
	}
	for _, pair := range []string{"ia", "io", "ua"} { // radio, area; but not nation, special
		if strings.Contains(word, pair) && !strings.Contains(word, "ti"+pair[1:]) && !strings.Contains(word, "ci"+pair[1:]) && !strings.Contains(word, "si"+pair[1:]) && !strings.Contains(word, "q"+pair) && !strings.Contains(word, "g"+pair) {
			n++
			break
		}
	}
	return max(n, 1)
}

// frenchSyllables estimates the syllables of a French word as they are spoken: a final e or
// es is silent, and é, ï and ë do not share a syllable with the vowel after or before them.
func frenchSyllables(word string) int {
	word = strings.ToLower(word)
	if stem := strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e"); strings.HasSuffix(stem, "é") {
		word = stem
	}
	const vowels = "aàâäeéèêëiîïoôöuùûüyœæ"
	n := vowelGroups(strings.NewReplacer("é", "é-", "ï", "-ï", "ë", "-ë").Replace(word), vowels, "")
	for _, end := range []string{"es", "e"} {
		stem, ok := strings.CutSuffix(word, end)
		if ok && stem != "" && !strings.ContainsRune(vowels, []rune(stem)[len([]rune(stem))-1]) {
			n--
			break
		}
	}
	return max(n, 1)
}

// spanishSyllables counts the syllables of a Spanish word: strong vowels and accented weak
// ones do not share a syllable, and the u of que and gui is silent.
func spanishSyllables(word string) int {
	word = strings.NewReplacer("que", "ke", "qui", "ki", "gue", "ge", "gui", "gi").Replace(strings.ToLower(word))
	return vowelGroups(word, "aáeéiíoóuúüy", "aáeéíoóú")
}

// germanSyllables counts the syllables of a German word: ei, au, eu and the like are one.
func germanSyllables(word string) int {
	return vowelGroups(strings.ToLower(word), "aäeioöuüy", "")
}

var abbreviation = &Sign{
	ID:      "abbreviation",
	Group:   "abbreviations",
	Purpose: "Readers who do not know an abbreviation can't look it up on a sign.",
	Advice:  "Spell it out where it is used first, with the short form in parentheses, or use everyday words.",
	Limit:   0, Unit: "texts", Weight: 2,
	run: func(p *pass) error {
		for _, locale := range p.report.Locales {
			p.abbreviations(locale)
		}
		return nil
	},
}

// abbreviations finds the abbreviations of a locale that no text spells out. Each is one
// finding about the version.
func (p *pass) abbreviations(locale string) {
	explained := newGlossary(p.allTexts(locale))
	users := map[string][]string{} // ids by abbreviation
	var order []string
	count := map[string]int{}
	for _, t := range p.texts {
		if t.locale != locale || !strings.ContainsFunc(t.value, unicode.IsLower) {
			continue
		}
		for _, s := range t.sentences {
			for _, word := range s {
				short, ok := shortForm(word)
				if !ok || explained.has(short) || slices.Contains(p.options.Known, short) {
					continue
				}
				if count[short]++; count[short] == 1 {
					order = append(order, short)
				}
				if !slices.Contains(users[short], t.id) {
					users[short] = append(users[short], t.id)
				}
			}
		}
	}
	for _, short := range order {
		if float64(count[short]) <= p.limit {
			continue
		}
		p.add(KindVersion, p.release.Version().String(), Finding{
			Locale: locale, Value: float64(count[short]), Others: users[short], only: short,
			Message: fmt.Sprintf("%s is never spelled out; %s %s it: %s.", short,
				prose.Count(len(users[short]), "part"), verb(len(users[short]), "uses", "use"), some(users[short])),
		})
	}
}

// shortForm returns the abbreviation that a word is: at least two capital letters, possibly
// with a plural s. Roman numerals and words with hyphens or digits are none.
func shortForm(word string) (string, bool) {
	word = strings.TrimSuffix(word, "s")
	for _, article := range []string{"’", "'"} { // l’IA
		if _, after, ok := strings.Cut(word, article); ok {
			word = after
		}
	}
	letters := utf8.RuneCountInString(word)
	if letters < 2 || letters > 6 || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsUpper(r) }) {
		return "", false
	}
	return word, strings.Trim(word, "IVX") != ""
}

// glossary knows which abbreviations texts spell out.
type glossary struct {
	texts    []string
	initials []string        // those of the longer words of each text
	words    map[string]bool // the words that are written without capitals somewhere
}

func newGlossary(texts []string) *glossary {
	g := &glossary{texts: texts, words: make(map[string]bool)}
	for _, text := range texts {
		var initials strings.Builder
		for _, word := range wordsOf(text) {
			if !strings.ContainsFunc(word, unicode.IsUpper) {
				g.words[word] = true
			}
			if _, ok := shortForm(word); ok || utf8.RuneCountInString(word) < 4 {
				continue // function words and abbreviations themselves
			}
			first, _ := utf8.DecodeRuneInString(word)
			initials.WriteRune(unicode.ToUpper(first))
		}
		g.initials = append(g.initials, initials.String())
	}
	return g
}

// has reports whether a text explains an abbreviation: in parentheses before or after it, or
// by words that begin with its letters. A word that is merely written in capitals needs no
// explanation.
func (g *glossary) has(short string) bool {
	if g.words[strings.ToLower(short)] {
		return true
	}
	for i, text := range g.texts {
		if strings.Contains(text, "("+short+")") || strings.Contains(text, short+" (") || strings.Contains(g.initials[i], short) {
			return true
		}
	}
	return false
}

// allTexts returns every text of a locale that readers can see.
func (p *pass) allTexts(locale string) []string {
	var texts []string
	add := func(l taxonomy.Localized) {
		if value, ok := l.Get(locale); ok {
			texts = append(texts, value)
		}
	}
	m := p.release.Manifest()
	add(m.Title)
	add(m.Description)
	add(p.release.Type().Name)
	add(p.release.Type().Description)
	for _, c := range p.release.Categories() {
		add(c.Name)
		add(c.Description)
		add(c.Prompt)
		add(c.Context.Name)
		add(c.Context.Description)
		for _, v := range c.Context.Values {
			add(v.Label)
			add(v.Description)
		}
	}
	for _, e := range p.release.Elements() {
		add(e.Title)
		add(e.Description)
		for _, v := range e.Variables {
			add(v.Label)
			for _, o := range v.Options {
				add(o.Label)
				add(o.Description)
			}
		}
	}
	return texts
}

// some names up to four ids.
func some(ids []string) string {
	const most = 4
	if len(ids) > most {
		return strings.Join(ids[:most], ", ") + fmt.Sprintf(" and %d more", len(ids)-most)
	}
	return prose.And(ids)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

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
		value = prose.Interpolate(value, func(string) (string, bool) { return "it", true })
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

var descriptionLength = &Sign{
	ID:      "description-length",
	Group:   "length",
	Purpose: "People who stand before a sign or scroll a page do not read long texts.",
	Advice:  "Say first what it means for the reader; leave out what every element of the category has in common.",
	Limit:   60, Unit: "words", Weight: 1,
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			if t.field == fieldDescription && t.spaced() {
				p.tooLong(t, t.words(), "The description has %s, in %s", prose.Count(t.words(), "word"), prose.Count(len(t.sentences), "sentence"))
			}
		})
		return nil
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
		p.eachText(func(t *text) {
			key := string(t.kind) + " " + t.id + " " + t.locale
			if t.isTitle() {
				titles[key] = t
				return
			}
			title := titles[key]
			if t.field != fieldDescription || !t.spaced() || t.locale != p.report.Locales[0] {
				return // translations follow the original
			}
			switch n := t.words(); {
			case title != nil && strings.EqualFold(strings.Trim(title.value, " ."), strings.Trim(t.value, " .")):
				p.found(t, 0, "The description repeats the %s.", title.field)
			case float64(n) < p.limit:
				p.found(t, float64(n), "The description has %s (at least %g).", prose.Count(n, "word"), p.limit)
			}
		})
		return nil
	},
}

var titleLength = &Sign{
	ID:      "title-length",
	Group:   "length",
	Purpose: "A title stands beside an icon and is read in two seconds.",
	Advice:  "Keep the words that tell this element from its neighbours; move the rest to the description.",
	Limit:   8, Unit: "words", Weight: 2,
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			if t.isTitle() && t.spaced() {
				p.tooLong(t, t.words(), "The %s has %s", t.field, prose.Count(t.words(), "word"))
			}
		})
		return nil
	},
}

var sentenceLength = &Sign{
	ID:      "sentence-length",
	Group:   "length",
	Purpose: "Readers lose the thread of long sentences, above all in another language than their own.",
	Advice:  "Split it into two sentences, with one idea each.",
	Limit:   30, Unit: "words", Weight: 1,
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			longest := 0
			for _, s := range t.sentences {
				longest = max(longest, len(s))
			}
			if !t.isTitle() && t.spaced() {
				p.tooLong(t, longest, "The %s has a sentence of %s", t.field, prose.Count(longest, "word"))
			}
		})
		return nil
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
		p.eachText(func(t *text) {
			k := key{t.kind, t.id, t.field}
			original := originals[k]
			if original == nil {
				originals[k] = t
				return
			}
			a, b := utf8.RuneCountInString(original.value), utf8.RuneCountInString(t.value)
			if min(a, b) == 0 || max(a, b) < minTranslated || original.spaced() != t.spaced() {
				return // scripts without spaces need fewer characters
			}
			switch ratio := float64(b) / float64(a); {
			case ratio > p.limit:
				p.found(t, ratio, "The %s is %.1f times as long as in %s (at most %g).", t.field, ratio, original.locale, p.limit)
			case 1/ratio > p.limit:
				p.found(t, 1/ratio, "In %s, the %s is %.1f times as long as this translation (at most %g).", original.locale, t.field, 1/ratio, p.limit)
			}
		})
		return nil
	},
}

var passiveQuestion = &Sign{
	ID:      "passive-question",
	Group:   "questions",
	Purpose: "A passive question hides who acts, which is often what its answer should say.",
	Advice:  "Ask who does it: \"Who keeps the data?\" instead of \"How is the data kept?\".",
	Limit:   0, Unit: "questions", Weight: 1,
	Languages: []string{"en", "fr", "es", "de"},
	run:       func(p *pass) error { return p.questions(passives(), "The prompt asks in the passive voice: \"%s\".") },
}

var passives = patterns(map[string]string{
	"en": `(?i)\b(is|are|was|were|be|been|being|get|gets)\b(\s+[\p{L}'’-]+){0,4}?\s+(\p{L}{2,}ed|made|kept|held|given|taken|shown|sent|built|told|written|chosen|found|known|seen|done|put|sold|paid|run)\b`,
	"fr": `(?i)\b(est|sont|était|étaient|être|été|sera|seront)(-\p{L}+)*(\s+[\p{L}'’-]+){0,4}?\s+(\p{L}{2,}(é|ée|és|ées)|pris|prise|prises|faite?s?|mis|mise|mises|transmis|transmises?|recueillie?s?|vendue?s?|choisie?s?|fournie?s?)(\s|$|[?,])`,
	"es": `(?i)\b(es|son|fue|fueron|ser|sido|será|serán)(\s+\p{L}+){0,4}?\s+\p{L}{2,}(ado|ada|ados|adas|ido|ida|idos|idas)\b`,
	"de": `(?i)\b(wird|werden|wurde|wurden|worden)\b.*\b(\p{L}*ge\p{L}{2,}(t|en)|\p{L}{2,}iert|(be|ver|er|ent|zer)\p{L}{2,}(t|en))\b`,
})

// relatives begin a relative clause, after the first words of a question.
var relatives = patterns(map[string]string{
	"en": `(?i)\s(who|that|which|whose|if)\s`,
	"fr": `(?i)\s(qui|que|dont|si)\s`,
	"es": `(?i)\s(que|quienes|si)\s`,
	"de": `(?i),\s(die|der|das|den|dem|deren|dessen|wenn)\s`,
})

// mainClause cuts a question before its first relative clause: what is negated or passive
// there does not change what is asked.
func mainClause(question, language string) string {
	if at := relatives()[language].FindStringIndex(question); at != nil {
		return question[:at[0]]
	}
	return question
}

// patterns compiles the pattern of each language when they are first used: other commands, all
// of which contain this package, start a millisecond sooner.
func patterns(sources map[string]string) func() map[string]*regexp.Regexp {
	return sync.OnceValue(func() map[string]*regexp.Regexp {
		all := make(map[string]*regexp.Regexp, len(sources))
		for language, source := range sources {
			all[language] = regexp.MustCompile(source)
		}
		return all
	})
}

// questions finds the questions of prompts that match the pattern of their language.
func (p *pass) questions(patterns map[string]*regexp.Regexp, format string) error {
	p.eachText(func(t *text) {
		if t.field != fieldPrompt {
			return
		}
		found := 0
		first := ""
		for _, q := range t.questions {
			if patterns[baseLanguage(t.locale)].MatchString(mainClause(q, baseLanguage(t.locale))) {
				if found++; found == 1 {
					first = strings.TrimSpace(q) + "?"
				}
			}
		}
		if float64(found) > p.limit {
			p.found(t, float64(found), format, first)
		}
	})
	return nil
}

var negatedQuestion = &Sign{
	ID:      "negated-question",
	Group:   "questions",
	Purpose: "Readers often give the opposite answer to a negated question.",
	Advice:  "Ask for what is there: \"Who can see it?\" instead of \"Who can't see it?\".",
	Limit:   0, Unit: "questions", Weight: 2,
	Languages: []string{"en", "fr", "es", "de"},
	run:       func(p *pass) error { return p.questions(negations(), "The prompt asks with a negation: \"%s\".") },
}

var negations = patterns(map[string]string{
	"en": `(?i)\b(not|never|no|nobody|nothing|neither|cannot|without)\b|n['’]t\b`,
	"fr": `(?i)(^|\s)(ne\s|n['’])|\b(aucun|aucune|jamais|sans)\b`,
	"es": `(?i)(^|\s|¿)(no|nunca|nadie|ningún|ninguna|sin)\b`,
	"de": `(?i)\b(nicht|nie|niemand|nichts|kein\p{L}*|ohne)\b`,
})
