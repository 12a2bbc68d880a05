package review

import (
	"regexp"
	"strings"
)

var passiveQuestion = &Sign{
	ID:      "passive-question",
	Group:   "questions",
	Purpose: "A passive question hides who acts, which is often what its answer should say.",
	Advice:  "Ask who does it: \"Who keeps the data?\" instead of \"How is the data kept?\".",
	Limit:   0, Unit: "questions", Weight: 1,
	Languages: []string{"en", "fr", "es", "de"},
	run:       func(p *pass) error { return p.questions(passives, "The prompt asks in the passive voice: \"%s\".") },
}

var passives = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(is|are|was|were|be|been|being|get|gets)\b(\s+[\p{L}'’-]+){0,4}?\s+(\p{L}{2,}ed|made|kept|held|given|taken|shown|sent|built|told|written|chosen|found|known|seen|done|put|sold|paid|run)\b`),
	"fr": regexp.MustCompile(`(?i)\b(est|sont|était|étaient|être|été|sera|seront)(-\p{L}+)*(\s+[\p{L}'’-]+){0,4}?\s+(\p{L}{2,}(é|ée|és|ées)|pris|prise|prises|faite?s?|mis|mise|mises|transmis|transmises?|recueillie?s?|vendue?s?|choisie?s?|fournie?s?)(\s|$|[?,])`),
	"es": regexp.MustCompile(`(?i)\b(es|son|fue|fueron|ser|sido|será|serán)(\s+\p{L}+){0,4}?\s+\p{L}{2,}(ado|ada|ados|adas|ido|ida|idos|idas)\b`),
	"de": regexp.MustCompile(`(?i)\b(wird|werden|wurde|wurden|worden)\b.*\b(\p{L}*ge\p{L}{2,}(t|en)|\p{L}{2,}iert|(be|ver|er|ent|zer)\p{L}{2,}(t|en))\b`),
}

// relatives begin a relative clause, after the first words of a question.
var relatives = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\s(who|that|which|whose|if)\s`),
	"fr": regexp.MustCompile(`(?i)\s(qui|que|dont|si)\s`),
	"es": regexp.MustCompile(`(?i)\s(que|quienes|si)\s`),
	"de": regexp.MustCompile(`(?i),\s(die|der|das|den|dem|deren|dessen|wenn)\s`),
}

// mainClause cuts a question before its first relative clause: what is negated or passive
// there does not change what is asked.
func mainClause(question, language string) string {
	if at := relatives[language].FindStringIndex(question); at != nil {
		return question[:at[0]]
	}
	return question
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
	Purpose: "Readers answer a negated question the wrong way round.",
	Advice:  "Ask for what is there: \"Who can see it?\" instead of \"Who can't see it?\".",
	Limit:   0, Unit: "questions", Weight: 2,
	Languages: []string{"en", "fr", "es", "de"},
	run:       func(p *pass) error { return p.questions(negations, "The prompt asks with a negation: \"%s\".") },
}

var negations = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(not|never|no|nobody|nothing|neither|cannot|without)\b|n['’]t\b`),
	"fr": regexp.MustCompile(`(?i)(^|\s)(ne\s|n['’])|\b(aucun|aucune|jamais|sans)\b`),
	"es": regexp.MustCompile(`(?i)(^|\s|¿)(no|nunca|nadie|ningún|ninguna|sin)\b`),
	"de": regexp.MustCompile(`(?i)\b(nicht|nie|niemand|nichts|kein\p{L}*|ohne)\b`),
}
