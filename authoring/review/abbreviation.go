package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

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
				wording.Count(len(users[short]), "part"), verb(len(users[short]), "uses", "use"), some(users[short])),
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
	return wording.And(ids)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
