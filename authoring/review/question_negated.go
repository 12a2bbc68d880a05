package review

import "regexp"

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
