package phrases

import (
	"cmp"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/taxonomy"
)

// Answered is what happened when people asked about a system in a period: the numbers of the body that
// answers for the system. A document has them in its object register.
type Answered struct {
	// From and To are the first and the last day, such as 2026-11-15.
	From string `json:"from"`
	To   string `json:"to"`
	// Asked is how many requests there were, and Answered how many of them were answered.
	Asked    int `json:"asked"`
	Answered int `json:"answered"`
	// Days is within how many days, and Changed how many requests led to a change; nil if the body does
	// not say it.
	Days    *int `json:"days,omitempty"`
	Changed *int `json:"changed,omitempty"`
}

// In says it in a language, or in English: "From 1 May 2026 to 31 October 2026: 14 requests, 13
// answered within 9 days, 2 led to a change."
func (a *Answered) In(locale string) string {
	w := languages().In(locale)
	said := w.Count("answered.asked", a.Asked) + w.Word("comma") + w.Count("answered.answered", a.Answered)
	if within := a.within(w); within != "" {
		said += " " + within
	}
	if a.Changed != nil && a.Asked > 0 {
		changed := w.Word("answered.unchanged")
		if *a.Changed > 0 {
			changed = w.Count("answered.changed", *a.Changed)
		}
		said += w.Word("comma") + changed
	}
	day := func(date string) string {
		written, _ := i18n.Day(w.Lang, date)
		return cmp.Or(written, date)
	}
	return w.Word("answered.said", day(a.From), day(a.To), said)
}

// Within says in a language, or in English, how long answers took: "Answers within 9 days". It is "" if that is not
// known.
func (a *Answered) Within(locale string) string {
	w := languages().In(locale)
	if within := a.within(w); within != "" {
		return w.Word("answered.answers", within)
	}
	return ""
}

// within is how long answers took, or "".
func (a *Answered) within(w *wordtable.Words) string {
	switch {
	case a == nil, a.Days == nil, a.Answered == 0:
		return ""
	case *a.Days == 0:
		return w.Word("answered.sameday")
	}
	return w.Count("answered.days", *a.Days)
}

// Localized returns it in every language that there are words in.
func (a *Answered) Localized() taxonomy.Localized {
	said := make(taxonomy.Localized, len(languages().Languages))
	for i, lang := range languages().Languages {
		said[i] = taxonomy.Text{Locale: lang, Value: a.In(lang)}
	}
	return said
}
