package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// checkLanguages reports languages of the register in which readers do not learn what the system is
// for and whom to ask.
func checkLanguages(p *pass) {
	type part struct {
		name string
		text taxonomy.Localized
		at   issue.Path
	}
	parts := []part{{"the title", p.Title, issue.Root.Key("title")}}
	if point, ok := p.summary.Point(taxonomy.RolePurpose); ok {
		for i := range point.Entries {
			e := &point.Entries[i]
			at := p.index[e.Placement]
			parts = append(parts, part{"the purpose", e.Name, p.variable(at, taxonomy.RoleName)}, part{"the purpose", e.Words, p.variable(at, taxonomy.RoleWords)})
		}
	}
	if lead, ok := p.lead(); ok {
		parts = append(parts, part{"the contact", lead.Contact, p.variable(p.index[lead.Placement], taxonomy.RoleContact)})
	}
	for _, locale := range p.state.Settings().Languages {
		var names []string
		var first issue.Path
		for _, part := range parts {
			if !lacks(part.text, locale) {
				continue
			}
			if names == nil {
				first = part.at
			}
			if !slices.Contains(names, part.name) {
				names = append(names, part.name)
			}
		}
		if names != nil {
			p.report(LanguageThin, first, fmt.Sprintf("There is no text in %s (%s) for %s.", i18n.English(locale), locale, wording.And(names)),
				"translate it; a page shows another language instead")
		}
	}
}

// lacks reports whether a text is in other languages, but not in one.
func lacks(l taxonomy.Localized, locale string) bool {
	others := false
	for _, t := range l {
		switch {
		case strings.TrimSpace(t.Value) == "":
		case t.Locale == "" || i18n.Same(t.Locale, locale):
			return false
		default:
			others = true
		}
	}
	return others
}

// checkVersion reports a version of the taxonomy that has a newer stable one. That a version is
// deprecated is a warning of validation.
func checkVersion(p *pass) {
	if p.options.Versions == nil || p.Version.IsZero() {
		return
	}
	if e, ok := p.options.Versions.Lookup(p.Version.Ref()); ok && e.Deprecated != "" {
		return
	}
	for _, e := range p.options.Versions.Entries() { // newest first
		if e.ID.Type() != p.Version.Type() || e.Status != taxonomy.Stable || e.Deprecated != "" {
			continue
		}
		if e.ID.Date() > p.Version.Date() || e.ID.Date() == p.Version.Date() && p.Version.Status() == taxonomy.Beta {
			p.report(VersionOld, issue.Root.Key("schema_version"), fmt.Sprintf("The document pins %s; the newest stable version is %s.", p.Version, e.ID),
				fmt.Sprintf("run 'datachain upgrade --to %s' on it", e.ID))
		}
		return
	}
}

// checkAssessments reports assessments that are said to be done, but not when, where and with which
// result.
func checkAssessments(p *pass) {
	for i := range p.Details.Assessments {
		a := &p.Details.Assessments[i]
		if (a.State == "" || a.State == "done") && a.Date == "" && a.URL == "" && a.Summary.Pick() == "" {
			p.report(AssessmentEmpty, issue.Root.Key("register").Key("assessments").Index(i), "The assessment is done, but has neither a date, a URL nor a summary.",
				"add what readers need to find it, or set its state")
		}
	}
}
