package validate

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxLanguages is the number of languages to choose from for a text without one.
const maxLanguages = 12

// localize adds the edit that turns a string, given as JSON, into a localized text. It is a
// fix if there is only one language that the text can be in, and otherwise a choice.
func (p *Pass) localize(i *issue.Issue, at issue.Path, text []byte) {
	locales := p.languages()
	for _, locale := range locales {
		i.Choices = append(i.Choices, issue.Fix{
			Title: "Write it as a text in " + locale, Path: at,
			Value: fmt.Appendf(nil, `[{"locale": %s, "value": %s}]`, quote(locale), text),
		})
	}
	i.FixHint = short(i.Choices[0].Value, "write it as a text in "+locales[0])
	if len(i.Choices) == 1 {
		i.Fix, i.Choices = &issue.Fix{Path: at, Value: i.Choices[0].Value}, nil
	}
}

// languages returns the languages that the document has texts in or, if it has none, those
// of the schema version.
func (p *Pass) languages() []string {
	if p.locales == nil {
		for m := range p.Document.Root().All() {
			if m.Key() != snapshotPath[0].Name() { // which has the texts of the taxonomy
				p.readLanguages(m)
			}
		}
		if schema := p.countingSchema(); schema != nil && len(p.locales) == 0 {
			p.locales = schema.Locales()
		}
		if len(p.locales) == 0 {
			p.locales = []string{"en"}
		}
		p.locales = p.locales[:min(len(p.locales), maxLanguages)]
	}
	return p.locales
}

// readLanguages adds the languages of the texts in a value. It uses the budget of hints.
func (p *Pass) readLanguages(v document.Value) {
	if p.hints.budget--; p.hints.budget < 0 || len(p.locales) == maxLanguages {
		return
	}
	if locale, ok := v.Get("locale"); ok && ident.IsLocale(locale.Text()) {
		if !slices.Contains(p.locales, locale.Text()) {
			p.locales = append(p.locales, locale.Text())
		}
		return
	}
	for child := range v.All() {
		p.readLanguages(child)
	}
}
